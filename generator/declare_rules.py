"""Shapes and dtypes of outputs: the closed little language of `shape:` and `dtype:`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from generator.model import Attr, Input, Rule
from generator.problems import Place, did_you_mean
from generator.reading import Reader
from generator.vocabulary import (
    DTYPE_FUNCTIONS,
    DTYPES,
    QUICK_JOINS,
    SHAPE_FUNCTIONS,
    InferFunction,
)
from generator.yaml_tree import Text


@dataclass(frozen=True)
class RuleReader:
    reader: Reader
    inputs: Mapping[str, Input]
    attrs: Mapping[str, Attr]

    def shape(self, text: Text) -> Rule:
        node = self._parse(text)
        place = text.content
        nothing = Rule(place, "lengths")
        if node is None:
            return nothing
        if isinstance(node, ast.Name):
            if node.id == "kernel":
                return Rule(place, "kernel")
            return self._attribute(place, node.id, ("int[]", "shape", "axes"), "a shape") or nothing
        if isinstance(node, ast.List):
            return Rule(place, "lengths", lengths=self._lengths(place, node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "same":
                return self._same(place, node) or nothing
            return self._call(place, node, node.func.id, SHAPE_FUNCTIONS, "shape") or nothing
        self.reader.error(
            place, f"'{text.value}' is not a shape: a function, an attribute or a list"
        )
        return nothing

    def dtype(self, text: Text) -> Rule:
        node = self._parse(text)
        rule = self._dtype(text.content, node) if node is not None else None
        return rule or Rule(text.content, "dtype", "float32")

    def _dtype(self, place: Place, node: ast.expr) -> Rule | None:
        if isinstance(node, ast.Name):
            if node.id in DTYPES and node.id not in self.attrs:
                return Rule(place, "dtype", node.id)
            return self._attribute(place, node.id, ("dtype",), "a dtype")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "same":
                return self._same(place, node)
            if node.func.id == "dtype":
                return self._dtype_of_value(place, node)
            return self._call(place, node, node.func.id, DTYPE_FUNCTIONS, "dtype")
        self.reader.error(
            place, f"'{ast.unparse(node)}' is not a dtype: a function, a name of a dtype"
        )
        return None

    def _parse(self, text: Text) -> ast.expr | None:
        try:
            return ast.parse(text.value.strip(), mode="eval").body
        except SyntaxError as error:
            place = text.content.right(max((error.offset or 1) - 1, 0))
            self.reader.error(place, f"'{text.value}' cannot be read: {error.msg}")
            return None

    def _lengths(self, place: Place, node: ast.List) -> tuple[int, ...]:
        lengths = []
        for item in node.elts:
            if isinstance(item, ast.Constant) and type(item.value) is int and item.value >= 0:
                lengths.append(item.value)
            else:
                self.reader.error(place, f"a fixed shape holds lengths, not '{ast.unparse(item)}'")
        return tuple(lengths)

    def _attribute(self, place: Place, name: str, types: tuple[str, ...], what: str) -> Rule | None:
        attr = self.attrs.get(name)
        if attr is None:
            known = [*(a.name for a in self.attrs.values() if a.type in types), *DTYPES]
            hint = did_you_mean(name, known)
            self.reader.error(place, f"unknown attribute '{name}' as {what}{hint}")
            return None
        if attr.type not in types or (attr.optional and attr.type != "dtype"):
            self.reader.error(place, f"attribute '{name}' of type {attr.type} is not {what}")
            return None
        return Rule(place, "attribute", name)

    def _same(self, place: Place, node: ast.Call) -> Rule | None:
        if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.Name):
            self.reader.error(place, "same() takes one input")
            return None
        return self._input(place, node.args[0].id, "same")

    def _input(self, place: Place, name: str, function: str) -> Rule | None:
        if name not in self.inputs:
            hint = did_you_mean(name, self.inputs)
            self.reader.error(place, f"{function}(): unknown input '{name}'{hint}")
            return None
        if function == "same" and self.inputs[name].is_list:
            self.reader.error(place, f"same(): '{name}' is a list")
            return None
        return Rule(place, "same", name)

    def _dtype_of_value(self, place: Place, node: ast.Call) -> Rule | None:
        if len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            name = node.args[0].id
            if name in self.attrs and self.attrs[name].type == "scalar":
                return Rule(place, "value", name)
            if name in self.inputs:
                return self._input(place, name, "dtype")
        self.reader.error(place, "dtype() takes an input or a scalar attribute")
        return None

    def _call(
        self,
        place: Place,
        node: ast.Call,
        name: str,
        functions: Mapping[str, InferFunction],
        what: str,
    ) -> Rule | None:
        if name not in functions:
            hint = did_you_mean(name, functions)
            self.reader.error(place, f"unknown {what} function '{name}'{hint}")
            return None
        wanted = functions[name].args
        endless = wanted[-1].endswith("...")
        if (
            node.keywords
            or len(node.args) < len(wanted) - endless
            or (len(node.args) > len(wanted) and not endless)
        ):
            count = f"{len(wanted) - 1} or more" if endless else str(len(wanted))
            self.reader.error(place, f"{name}() takes {count} arguments, not {len(node.args)}")
            return None
        args = []
        for i, arg in enumerate(node.args):
            rule = self._argument(place, name, wanted[min(i, len(wanted) - 1)], arg)
            if rule is None:
                return None
            args.append(rule)
        return Rule(place, "infer", name, tuple(args))

    def _argument(self, place: Place, function: str, wanted: str, node: ast.expr) -> Rule | None:
        if wanted == "dtype rule":
            rule = self._dtype(place, node)
            return rule and replace(rule, as_dtype=True)
        if isinstance(node, ast.Constant) and type(node.value) is bool and wanted == "bool":
            return Rule(place, "constant", "true" if node.value else "false")
        if isinstance(node, ast.Constant) and type(node.value) is int and wanted == "int":
            return Rule(place, "constant", str(node.value))
        if not isinstance(node, ast.Name):
            self.reader.error(place, f"{function}(): '{ast.unparse(node)}' must be a name")
            return None
        if wanted.startswith("tensor"):
            attr = self.attrs.get(node.id)
            if function in QUICK_JOINS and attr is not None and attr.type == "scalar":
                return Rule(place, "value", node.id)
            rule = self._input(place, node.id, function)
            lists = ("tensors",) if function != "promoted" else ("tensors", "tensor", "tensor...")
            if rule and self.inputs[node.id].is_list and wanted not in lists:
                self.reader.error(place, f"{function}(): '{node.id}' is a list, expected a tensor")
            elif rule and wanted == "tensors" and not self.inputs[node.id].is_list:
                self.reader.error(place, f"{function}(): '{node.id}' must be a tensor[]")
            return rule
        types = {
            "int": ("int", "axis"), "int[]": ("int[]", "axes", "shape"), "dtype?": ("dtype",),
        }.get(wanted, (wanted,))  # fmt: skip
        return self._attribute(place, node.id, types, f"{wanted} in {function}()")
