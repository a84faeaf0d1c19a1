"""docs/registry.md names everything that the registry may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import vocabulary
from generator.model import InputType

PAGE = (Path(__file__).parents[2] / "docs" / "registry.md").read_text(encoding="utf-8")
WORDS = {
    *vocabulary.OP_KEYS,
    *vocabulary.INPUT_KEYS,
    *vocabulary.ATTR_KEYS,
    *vocabulary.OUTPUT_KEYS,
    *vocabulary.BACKWARD_KINDS,
    *vocabulary.INPUT_CATEGORIES,
    *vocabulary.ATTR_TYPES,
    *(f"{name}?" for name in vocabulary.OPTIONAL_ATTR_TYPES),
    *vocabulary.DTYPES,
    *vocabulary.UNARY_OPERATORS,
    *vocabulary.BINARY_OPERATORS,
    *vocabulary.COMPARISONS,
    *(kind.value for kind in InputType),
}
FUNCTIONS = {
    *vocabulary.SHAPE_FUNCTIONS,
    *vocabulary.DTYPE_FUNCTIONS,
    *vocabulary.METADATA,
    *vocabulary.QUESTIONS,
}


@pytest.mark.parametrize("word", sorted(WORDS))
def test_word(word: str) -> None:
    # The words of all code spans, quoted ones too.
    spans = PAGE.replace("```", "").split("`")[1::2]
    assert any(
        word in (span, span.strip('"'), span.split(":")[0]) or word in span.split()
        for span in spans
    )


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_function(name: str) -> None:
    assert f"`{name}(" in PAGE


def test_inferred_functions_exist() -> None:
    header = Path(__file__).parents[2] / "runtime" / "core" / "infer.h"
    text = header.read_text(encoding="utf-8")
    for name in (*vocabulary.SHAPE_FUNCTIONS, *vocabulary.DTYPE_FUNCTIONS):
        assert f" {name}(" in text
