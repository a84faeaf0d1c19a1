"""One entry of the registry as a Declaration; its expressions stay text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from generator.declare_parts import (
    read_attrs,
    read_backward,
    read_inputs,
    read_operators,
    read_outputs,
    read_pairs,
    read_view,
)
from generator.declare_rules import RuleReader
from generator.model import Attr, BackwardText, Declaration, Input, Named, Rule
from generator.problems import Place, Problems
from generator.reading import Reader
from generator.vocabulary import OP_KEYS
from generator.yaml_tree import Key, Table, Text, Tree

Entries = Mapping[str, tuple[Key, Tree]]


@dataclass(frozen=True)
class Source:
    """Where an entry stands: its family, and its file as generated text shows it."""

    family: str
    file: str


def read_declaration(tree: Table, source: Source, problems: Problems) -> Declaration | None:
    name_tree = next((value for key, value in tree if key.name == "op"), None)
    if not isinstance(name_tree, Text) or name_tree.null:
        problems.add(tree.place, "an item must begin with 'op: NAME' or 'include: FILE'")
        return None
    reader = Reader(name_tree.value, problems)
    if not reader.check_name(name_tree.place, name_tree.value, "op name"):
        return None
    return EntryReader(reader, source, reader.keys(tree, "entry", OP_KEYS), tree.place).read()


@dataclass(frozen=True)
class EntryReader:
    reader: Reader
    source: Source
    entries: Entries
    place: Place

    def read(self) -> Declaration:
        reader = self.reader
        inputs, casts = read_inputs(reader, self.tree("inputs"))
        by_input: dict[str, Input] = {i.name: i for i in inputs}
        attrs = read_attrs(reader, self.tree("attrs"), by_input)
        by_attr: dict[str, Attr] = {a.name: a for a in attrs}
        rules = RuleReader(reader, by_input, by_attr)
        inputs = tuple(
            replace(i, cast=rules.dtype(casts[i.name])) if i.name in casts else i for i in inputs
        )
        outputs = read_outputs(reader, self.tree("outputs"), self.place, rules, self.like(inputs))
        composite_text, composite_function = self.composite()
        return Declaration(
            place=self.place,
            family=self.source.family,
            source=self.source.file,
            name=reader.op,
            doc=self.doc(),
            inputs=inputs,
            attrs=attrs,
            outputs=outputs,
            kernel=self.function("kernel"),
            composite_text=composite_text,
            composite_function=composite_function,
            check=self.function("check"),
            elementwise=self.flag("elementwise"),
            safe_in_place=self.only_value("kernel_in_place", "safe"),
            any_strides=self.only_value("strides", "any"),
            pairs=read_pairs(reader, self.tree("inplace"), inputs, outputs),
            view=read_view(reader, self.tree("view"), inputs, outputs),
            writes_text=self.expression("writes"),
            write_text=self.write(),
            update=self.flag("update"),
            random=self.flag("random"),
            internal=self.flag("internal"),
            operators=read_operators(reader, self.tree("operator"), inputs),
            method=self.method(inputs),
            aliases=self.aliases(),
            role=self.role(),
            backward_text=self.backward("backward") or BackwardText(self.place, "absent"),
            backward_inplace_text=self.backward("backward_inplace"),
        )

    def like(self, inputs: tuple[Input, ...]) -> Rule | None:
        """What an output is like that says nothing of itself."""
        if "composite" in self.entries:
            return Rule(self.place, "composite")
        first = next((i for i in inputs if not i.is_list), None)
        return Rule(self.place, "same", first.name) if first else None

    def tree(self, key: str) -> Tree | None:
        return self.entries[key][1] if key in self.entries else None

    def flag(self, key: str) -> bool:
        tree = self.tree(key)
        return tree is not None and self.reader.boolean(tree, key)

    def is_true(self, key: str) -> bool:
        tree = self.tree(key)
        return isinstance(tree, Text) and tree.value == "true"

    def only_value(self, key: str, value: str) -> bool:
        tree = self.tree(key)
        return tree is not None and self.reader.choice(tree, key, (value,)) == value

    def function(self, key: str) -> str | None:
        tree = self.tree(key)
        return None if tree is None else self.reader.name(tree, key) or None

    def expression(self, key: str) -> Text | None:
        tree = self.tree(key)
        return None if tree is None else self.reader.expression(tree, key)

    def doc(self) -> str:
        tree = self.tree("doc")
        if tree is None:
            self.reader.error(
                self.place, "doc is missing: one sentence that says what the op gives"
            )
            return ""
        return " ".join(self.reader.string(tree, "doc").split())

    def composite(self) -> tuple[Text | None, str | None]:
        tree = self.tree("composite")
        if tree is None:
            return None, None
        if isinstance(tree, Table):
            found = self.reader.keys(tree, "composite", ("function",))
            if "function" in found:
                return None, self.reader.name(found["function"][1], "composite function") or None
            self.reader.error(tree.place, "composite must be an expression or {function: NAME}")
            return None, None
        return self.reader.expression(tree, "composite"), None

    def write(self) -> tuple[Named, Text] | None:
        tree = self.tree("write")
        if tree is None:
            return None
        found = [
            (k, self.reader.expression(v, "write")) for k, v in self.reader.table(tree, "write")
        ]
        if len(found) != 1:
            self.reader.error(tree.place, "write names one input: {x: expression}")
            return None
        key, text = found[0]
        return None if text is None else (Named(key.place, key.name), text)

    def method(self, inputs: tuple[Input, ...]) -> str | None:
        first = next((i.name for i in inputs if not i.is_list), None)
        tree = self.tree("method")
        if tree is None:
            default = inputs and inputs[0].name == first and not self.is_true("update")
            return first if default else None
        names = [i.name for i in inputs if not i.is_list]
        value = self.reader.choice(tree, "method", [*names, "none"])
        return None if value in ("none", "") else value

    def aliases(self) -> tuple[Named, ...]:
        tree = self.tree("aliases")
        found = []
        for item in () if tree is None else self.reader.items(tree, "aliases"):
            name = self.reader.name(item, "alias")
            if name and name.endswith("_") != self.reader.op.endswith("_"):
                self.reader.error(
                    item.place, f"alias '{name}': must end in _ just where the op's name does"
                )
            elif name:
                found.append(Named(item.place, name))
        return tuple(found)

    def role(self) -> Named | None:
        tree = self.tree("role")
        if tree is None:
            return None
        value = self.reader.name(tree, "role")
        return Named(tree.place, value) if value else None

    def backward(self, key: str) -> BackwardText | None:
        tree = self.tree(key)
        if tree is None:
            return None
        return read_backward(self.reader, tree, key)
