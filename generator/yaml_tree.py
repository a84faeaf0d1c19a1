"""YAML as a tree with places: no key lost, no value guessed.

PyYAML's loader lets the last of two equal keys win, reads `no` as a boolean and `1e-8` as text. So
only its node tree is used, and a scalar is read by the type that its place in the registry has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from generator.problems import Place, Problems


@dataclass(frozen=True)
class Text:
    """A scalar. `quoted` text (also a block) is never a number or null."""

    place: Place
    value: str
    quoted: bool
    content: Place  # where the text itself begins: behind the quote

    @property
    def null(self) -> bool:
        return not self.quoted and self.value in ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True)
class Key:
    place: Place
    name: str


@dataclass(frozen=True)
class Items:
    place: Place
    items: tuple[Tree, ...]


@dataclass(frozen=True)
class Table:
    """A map; keys in the order of the file, each once."""

    place: Place
    entries: tuple[tuple[Key, Tree], ...]
    flow: bool

    def __iter__(self) -> Iterator[tuple[Key, Tree]]:
        return iter(self.entries)


Tree = Text | Items | Table


def read_tree(path: Path, shown: str, problems: Problems, whence: Place) -> Tree | None:
    """The document in path, or None after an error; `whence` is blamed for a missing file."""
    try:
        source = path.read_text(encoding="utf-8")
    except OSError as error:
        problems.add(whence, f"cannot read '{shown}': {error.strerror}")
        return None
    except UnicodeDecodeError:
        problems.add(Place(shown, 1, 1), "the file is not UTF-8")
        return None
    try:
        node = yaml.compose(source, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(shown, mark.line + 1, mark.column + 1) if mark else Place(shown, 1, 1)
        problems.add(place, f"not YAML: {error.problem or error.context}{_hint(source, mark)}")
        return None
    except yaml.YAMLError as error:
        problems.add(Place(shown, 1, 1), f"not YAML: {error}")
        return None
    if node is None:
        return Items(Place(shown, 1, 1), ())
    return _convert(node, shown, problems)


def _hint(source: str, mark: yaml.Mark | None) -> str:
    if mark is None or mark.line >= len(source.splitlines()):
        return ""
    line = source.splitlines()[mark.line]
    if "?" in line or "[]" in line:
        return '; quote types such as "tensor?" and "tensor[]"'
    return ""


def _convert(node: yaml.Node, shown: str, problems: Problems) -> Tree:
    place = Place(shown, node.start_mark.line + 1, node.start_mark.column + 1)
    if isinstance(node, yaml.ScalarNode):
        style = node.style or ""
        content = place.right(1) if style in ("'", '"') else place
        return Text(place, node.value, quoted=bool(style), content=content)
    if isinstance(node, yaml.SequenceNode):
        return Items(place, tuple(_convert(item, shown, problems) for item in node.value))
    assert isinstance(node, yaml.MappingNode)
    entries: dict[str, tuple[Key, Tree]] = {}
    for key_node, value_node in node.value:
        key_place = Place(shown, key_node.start_mark.line + 1, key_node.start_mark.column + 1)
        if not isinstance(key_node, yaml.ScalarNode):
            problems.add(key_place, "a key must be a plain name")
            continue
        key = Key(key_place, key_node.value)
        if key.name in entries:
            first = entries[key.name][0].place
            problems.add(key_place, f"key '{key.name}' is given twice; first in line {first.line}")
            continue
        entries[key.name] = (key, _convert(value_node, shown, problems))
    return Table(place, tuple(entries.values()), flow=bool(node.flow_style))
