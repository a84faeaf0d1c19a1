"""Conditions of C++ with no more brackets than a reader needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Shape(Enum):
    ATOM = "atom"  # a name, a call, a negation
    COMPARE = "compare"
    ALL = "all"
    ANY = "any"
    CHOICE = "choice"


@dataclass(frozen=True)
class Condition:
    text: str
    shape: Shape = Shape.ATOM

    def within(self, *bare: Shape) -> str:
        """The text, in brackets unless its shape may stand bare."""
        return self.text if self.shape in (Shape.ATOM, *bare) else f"({self.text})"


def negated(condition: Condition) -> Condition:
    return Condition(f"!{condition.within()}")


def all_of(conditions: Iterable[Condition]) -> Condition:
    parts = list(dict.fromkeys(conditions))
    if len(parts) == 1:
        return parts[0]
    return Condition(" && ".join(p.within(Shape.COMPARE, Shape.ALL) for p in parts), Shape.ALL)


def any_of(conditions: Iterable[Condition]) -> Condition:
    parts = list(dict.fromkeys(conditions))
    if len(parts) == 1:
        return parts[0]
    return Condition(" || ".join(p.within(Shape.COMPARE, Shape.ANY) for p in parts), Shape.ANY)
