"""Places in the registry and the errors that point at them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Place:
    """A file as the user named it, a line and a column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def file_line(self) -> str:
        return f"{self.file}:{self.line}"

    def right(self, columns: int) -> Place:
        return Place(self.file, self.line, self.column + columns)


@dataclass
class Problems:
    """All that is wrong with a registry: loading goes on after an error, to find the rest."""

    found: set[tuple[Place, str]] = field(default_factory=set)

    def add(self, place: Place, message: str) -> None:
        self.found.add((place, message))

    def lines(self) -> list[str]:
        return [f"{place}: {message}" for place, message in sorted(self.found)]

    def __bool__(self) -> bool:
        return bool(self.found)


class RegistryError(Exception):
    """The registry is refused; the text has one line for each error."""

    def __init__(self, problems: Problems) -> None:
        super().__init__("\n".join(problems.lines()))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """' (did you mean 'kernel'?)', or which names there are where none is near and they are few."""
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f" (did you mean '{near[0]}'?)"
    if 0 < len(names) <= 8:
        return f" (there are: {', '.join(names)})"
    return ""
