"""What must hold across the keys of an op, and across ops."""

from __future__ import annotations

from collections.abc import Iterator

from generator.expressions import Call, Choose, Expr, Needs, Ref, Source, Type
from generator.kernels import KernelSignature, kernel_signature
from generator.model import Attr, Declaration, Input, Named, Op, Output
from generator.problems import Place, Problems, did_you_mean
from generator.results import always_float, by_definition, fixed_not_float
from generator.vocabulary import NODE_NAMES


def check_names(declarations: list[Declaration], problems: Problems) -> dict[str, Declaration]:
    """The declarations by name; notes clashes of names, aliases, roles, operators and kernels."""
    by_name: dict[str, Declaration] = {}
    taken: dict[str, Place] = {}
    for op in declarations:
        own = Named(op.place, op.name)
        for named in (own, *op.aliases):
            if named.name in taken:
                first = taken[named.name]
                what = "op" if named is own else "alias"
                problems.add(
                    named.place,
                    f"op '{op.name}': {what} '{named.name}' is taken; first in {first.file_line}",
                )
            else:
                taken[named.name] = named.place
        by_name.setdefault(op.name, op)
    for op in declarations:
        for named in (Named(op.place, op.name), *op.aliases):
            form = f"{named.name}_"
            if op.has_plain and op.pairs and form in taken:
                problems.add(
                    named.place,
                    f"op '{op.name}': its in-place form '{form}' is also declared in "
                    f"{taken[form].file_line}",
                )
    _check_shared(declarations, problems)
    return by_name


def check_roles(ops: list[Declaration], wanted: list[Named], problems: Problems) -> None:
    """The registry lists the roles that the runtime calls; each must be some op's."""
    declared = {op.role.name: op for op in ops if op.role}
    for role in wanted:
        if role.name not in declared:
            hint = did_you_mean(role.name, declared)
            problems.add(
                role.place, f"no op has the role '{role.name}', which the runtime calls{hint}"
            )
    known = {role.name for role in wanted}
    for name, op in declared.items():
        if op.role is not None and name not in known:
            hint = did_you_mean(name, known)
            _error(problems, op, op.role.place, f"role '{name}' is not listed in roles{hint}")


def _check_shared(declarations: list[Declaration], problems: Problems) -> None:
    roles: dict[str, Declaration] = {}
    operators: dict[str, Declaration] = {}
    kernels: dict[str, tuple[Declaration, KernelSignature]] = {}
    for op in declarations:
        if op.role is not None:
            first = roles.setdefault(op.role.name, op)
            if first is not op:
                _error(
                    problems, op, op.role.place, f"role '{op.role.name}' is that of '{first.name}'"
                )
            if op.only_inplace:
                _error(problems, op, op.role.place, "a role needs a plain form")
        for operator in op.operators:
            first = operators.setdefault(operator.symbol, op)
            if first is not op:
                message = f"operator '{operator.symbol}' is that of '{first.name}'"
                _error(problems, op, operator.place, message)
        if op.kernel is not None:
            signature = kernel_signature(op)
            other, known = kernels.setdefault(op.kernel, (op, signature))
            if known.text != signature.text:
                _error(
                    problems,
                    op,
                    op.place,
                    f"kernel '{op.kernel}' would be '{signature.text}', but for "
                    f"'{other.name}' ({other.place.file_line}) it is '{known.text}'",
                )


def check_op(op: Op, problems: Problems) -> None:
    decl = op.decl
    for place, message in (
        *_kinds(decl),
        *_inplace(decl),
        *_view(op),
        *_writes(op),
        *_names_of_gradients(decl),
        *_backward(op),
        *_composite(op),
    ):
        _error(problems, decl, place, message)


def _error(problems: Problems, op: Declaration, place: Place, message: str) -> None:
    problems.add(place, f"op '{op.name}': {message}")


Found = Iterator[tuple[Place, str]]


def _kinds(op: Declaration) -> Found:
    if op.kernel is None and not op.composite:
        yield op.place, "needs a kernel or a composite"
    if op.kernel is not None and op.composite:
        yield op.place, "has both a kernel and a composite: choose one"
    if op.composite and (op.elementwise or op.safe_in_place or op.any_strides or op.update):
        yield op.place, "elementwise, kernel_in_place, strides and update are facts about a kernel"
    if not op.visible_outputs:
        yield op.place, "every output is hidden"
    if op.elementwise and (op.safe_in_place or op.any_strides):
        yield op.place, "elementwise already says kernel_in_place: safe and strides: any"
    if op.elementwise and any(i.is_list for i in op.inputs):
        yield op.place, "an elementwise op has no list input"
    lists = [i for i in op.inputs if i.is_list and i.grad]
    if len(lists) > 1:
        yield lists[1].place, f"'{lists[1].name}' is a second list input: say grad: false"
    optional_seen = None
    for i in op.inputs:
        if optional_seen and not i.optional:
            yield i.place, f"input '{i.name}' stands behind the optional '{optional_seen}'"
        optional_seen = i.name if i.optional else optional_seen
    for output in op.outputs:
        paired = op.update and any(pair.output == output.name for pair in op.pairs)
        if output.is_list and not op.composite and not paired:
            yield output.place, f"output '{output.name}': a list output needs a composite"


def _inplace(op: Declaration) -> Found:
    if op.only_inplace and not op.pairs:
        yield op.place, "a name that ends in _ has only the in-place form: declare inplace"
    if op.update and not op.pairs:
        yield op.place, "update: true without inplace: what does it update?"
    if len(op.pairs) > 1 and not op.update:
        yield op.pairs[1].place, "several in-place pairs need update: true"
    if op.internal and op.pairs and op.only_inplace:
        yield op.place, "an internal op has a plain form"
    for pair in op.pairs:
        target, output = op.input(pair.input), op.output(pair.output)
        if target.is_list is not output.is_list:
            lists = (pair.input, pair.output) if target.is_list else (pair.output, pair.input)
            yield pair.place, f"inplace: '{lists[0]}' is a list, and '{lists[1]}' is not"
        elif target.is_list and not op.update:
            yield pair.place, f"inplace: a list such as '{pair.input}' needs update: true"
        if output.hidden:
            yield pair.place, f"inplace: output '{pair.output}' is hidden"
        first = next((o.name for o in op.outputs if o.grad), pair.output)
        if output.grad and first != output.name and not op.update:
            yield (
                pair.place,
                f"inplace: '{output.name}' must be the first output that can have a gradient",
            )
    if op.pairs and not op.update and any(by_definition(op, p) for p in op.pairs):
        pair = op.pairs[0]
        if len(op.outputs) > 1:
            yield pair.place, "inplace with another dtype or element count allows one output"


def _view(op: Op) -> Found:
    decl = op.decl
    if decl.view is None:
        if decl.write_text is not None:
            yield decl.write_text[0].place, "write is for views: declare view"
        return
    if decl.write_text is None:
        yield decl.view.place, "a view needs write: the new input from the input and a new output"
    elif decl.write_text[0].name != decl.view.input:
        name = decl.write_text[0].name
        hint = did_you_mean(name, [decl.view.input])
        yield decl.write_text[0].place, f"write: '{name}' is not the view's input{hint}"
    elif op.write is not None and op.write.type is not Type.TENSOR:
        yield decl.write_text[1].content, f"write must be a tensor, not {op.write.type.value}"
    if len(decl.outputs) != 1 or len([i for i in decl.inputs if i.grad]) > 1:
        yield decl.view.place, "a view has one input and one output"
    if decl.kernel is None:
        yield decl.view.place, "a view needs a kernel that answers its map"


def _writes(op: Op) -> Found:
    decl = op.decl
    if decl.writes_text is None:
        return
    if len(decl.pairs) != 1:
        yield decl.writes_text.place, "writes is for ops with one in-place pair"
        return
    expr = op.writes
    if expr is None:
        return
    target = decl.pairs[0].input
    ok = isinstance(expr, Call) and expr.op.view is not None and not expr.op.view.unless_layout
    if ok and isinstance(expr, Call) and expr.op.view is not None:
        root = expr.argument(expr.op.view.input)
        ok = isinstance(root, Ref) and root.source is Source.INPUT and root.name == target
    if not ok:
        message = f"writes must be a call of a view op on '{target}', such as a slice"
        yield decl.writes_text.content, message


def _names_of_gradients(op: Declaration) -> Found:
    if op.backward_text.kind not in ("expressions", "custom"):
        return
    everything: list[Input | Attr | Output] = [*op.inputs, *op.attrs, *op.outputs]
    for named in everything:
        if named.name in NODE_NAMES:
            yield named.place, f"'{named.name}' is a name that gradient nodes use: choose another"
    for output in op.outputs:
        name = f"{output.name}_grad"
        for other in everything:
            if other.name == name:
                yield other.place, f"'{name}' would also be the gradient of output '{output.name}'"


def _backward(op: Op) -> Found:
    decl, backward = op.decl, op.backward
    may_lack = decl.composite or decl.update
    if backward.kind == "absent":
        if not may_lack:
            yield (
                decl.place,
                ("backward is missing: give expressions, or zero, none or missing with the reason"),
            )
        return
    if may_lack:
        what = "composite" if decl.composite else "update"
        yield decl.backward_text.place, f"backward of {what} op: it has none, leave it out"
        return
    yield from _covers(op)
    if decl.backward_text.when is not None:
        yield decl.backward_text.place, "when is for backward_inplace"
    if backward.kind == "none":
        for pair in decl.pairs:
            output = decl.output(pair.output)
            if not fixed_not_float(decl, output) and always_float(decl, output):
                yield (
                    decl.backward_text.place,
                    (
                        f"none, but the in-place form gives a float '{output.name}': "
                        "say zero or missing"
                    ),
                )
    yield from _inplace_backward(op)


def _covers(op: Op) -> Found:
    """Each input that can have a gradient is named once, and nothing else is."""
    decl = op.decl
    text = decl.backward_text
    if text.kind != "expressions":
        return
    can = [i.name for i in decl.inputs if i.grad]
    seen: set[str] = set()
    for gradient in text.gradients:
        for named in gradient.inputs:
            if named.name not in decl.input_names():
                hint = did_you_mean(named.name, decl.input_names())
                yield named.place, f"backward: unknown input '{named.name}'{hint}"
            elif named.name not in can:
                yield named.place, f"backward: '{named.name}' can have no gradient (grad: false)"
            elif named.name in seen:
                yield named.place, f"backward: '{named.name}' has two gradients"
            seen.add(named.name)
    for name in can:
        if name not in seen:
            yield text.place, f"backward: no gradient for input '{name}' (or say grad: false there)"
    for gradient_of in op.backward.gradients:
        if len(gradient_of.inputs) > 1 and isinstance(gradient_of.expr, Call):
            count = len(gradient_of.expr.op.visible_outputs)
            if count != len(gradient_of.inputs):
                yield (
                    gradient_of.place,
                    (
                        f"backward of {len(gradient_of.inputs)} inputs by "
                        f"'{gradient_of.expr.op.name}', which has {count} outputs"
                    ),
                )


def _inplace_backward(op: Op) -> Found:
    decl, text = op.decl, op.decl.backward_inplace_text
    if text is None:
        return
    if not decl.pairs:
        yield text.place, "backward_inplace without inplace"
    if text.kind != "expressions" or op.backward.kind != "expressions":
        yield text.place, "backward_inplace holds expressions, beside those of backward"
        return
    plain = {g.inputs for g in op.backward.gradients}
    for gradient in text.gradients:
        if tuple(n.name for n in gradient.inputs) not in plain:
            names = ", ".join(n.name for n in gradient.inputs)
            known = [", ".join(names) for names in plain]
            hint = did_you_mean(names, known)
            yield (
                gradient.inputs[0].place,
                f"backward_inplace: no gradient '{names}' in backward{hint}",
            )
    if op.backward_inplace is not None:
        overwritten = decl.targets
        for found in op.backward_inplace.gradients:
            for part in found.expr.walk():
                if (
                    isinstance(part, Ref)
                    and part.source is Source.INPUT
                    and part.name in overwritten
                ):
                    yield (
                        found.place,
                        (
                            f"backward_inplace reads '{part.name}', which is overwritten: "
                            "use the output"
                        ),
                    )


def _composite(op: Op) -> Found:
    expr = op.composite
    text = op.decl.composite_text
    if expr is None or text is None:
        return
    outputs = op.decl.visible_outputs
    wanted = Type.TENSORS if outputs and outputs[0].is_list else Type.TENSOR
    wanted = Type.RESULTS if len(outputs) > 1 else wanted
    if expr.type is not wanted:
        yield text.content, f"composite must be {wanted.value}, not {expr.type.value}"
    elif not all(isinstance(leaf, Call) for leaf in _leaves(expr)):
        yield text.content, "composite must be a call of an op, for plain forms give new tensors"
    if any(isinstance(part, Needs) for part in expr.walk()):
        yield text.content, "needs() is for backward"


def _leaves(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Choose):
        yield from _leaves(expr.then)
        yield from _leaves(expr.otherwise)
    else:
        yield expr
