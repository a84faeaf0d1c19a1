"""One harness over the registry: every op that users can call, through every check that applies.

An op without an oracle in tests/oracles/<family>.py fails by name; so does an oracle without an op.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import oploom as ol
from tests.oracles import check_gradients, check_inplace, check_values
from tests.oracles.calls import Subject, oracle_of, oracles, registry, subjects

CHECKS = [
    (subject, name, check)
    for subject in subjects()
    for module in (check_values, check_gradients, check_inplace)
    for name, check in module.applying(subject)
]
# Fast, and they go through views, buffers and saved values: worth a run under the sanitizers.
UNDER_ASAN = {
    *("value", "empty", "edges", "strided", "expanded", "refusals", "gradient strided"),
    *("inplace", "inplace strided", "inplace empty", "inplace gradient", "leaf", "category"),
}


def parameter(subject: Subject, name: str, check: Callable[[Subject], None]) -> object:
    marks = [pytest.mark.asan] if name in UNDER_ASAN else []
    return pytest.param(subject, check, id=f"{subject.name}-{name.replace(' ', '_')}", marks=marks)


@pytest.mark.parametrize(("subject", "check"), [parameter(*row) for row in CHECKS])
def test_op(subject: Subject, check: Callable[[Subject], None]) -> None:
    check(subject)


PUBLIC = [op.decl for op in registry().ops if not op.decl.internal]


@pytest.mark.parametrize("name", [decl.name for decl in PUBLIC])
def test_every_op_has_an_oracle(name: str) -> None:
    decl = next(d for d in PUBLIC if d.name == name)
    assert oracle_of(decl) is not None, f"add '{name}' to tests/oracles/{decl.family}.py"


@pytest.mark.parametrize("family", sorted({decl.family for decl in PUBLIC}))
def test_every_oracle_has_an_op(family: str) -> None:
    declared = {decl.name for decl in PUBLIC if decl.family == family}
    assert set(oracles(family)) <= declared


def test_every_op_is_in_the_module_and_internal_ones_are_not() -> None:
    for op in registry().ops:
        decl = op.decl
        names = [*([decl.name] if decl.has_plain else []), *([decl.inplace_name or decl.name])]
        for name in names:
            assert hasattr(ol, name) is not decl.internal, name


def test_differentiable_inputs_are_those_of_the_registry() -> None:
    """The oracle says by itself which inputs have a gradient; the registry must agree."""
    for subject in subjects():
        oracle, decl = subject.oracle, subject.decl
        if decl.update or decl.random or not oracle.samples:
            continue
        smooth = decl.composite or any(
            op.decl is decl and op.backward.kind in {"expressions", "custom", "zero"}
            for op in registry().ops
        )
        can = [
            i for i, x in enumerate(decl.inputs) if x.grad and x.accepts not in ("bool", "integer")
        ]
        assert list(oracle.differentiable) == (can if smooth else []), subject.name
