"""The parts of an entry: inputs, attributes, outputs, pairs, view, operators, backward."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from generator.declare_rules import RuleReader
from generator.model import (
    Attr,
    BackwardText,
    Default,
    GradientText,
    Input,
    InputType,
    Named,
    Operator,
    Output,
    Pair,
    Rule,
    View,
)
from generator.problems import Place, did_you_mean
from generator.reading import Reader, kind_of
from generator.vocabulary import (
    ATTR_KEYS,
    ATTR_TYPES,
    BACKWARD_KINDS,
    BINARY_OPERATORS,
    COMPARISONS,
    DTYPES,
    INPUT_CATEGORIES,
    INPUT_KEYS,
    OPTIONAL_ATTR_TYPES,
    OUTPUT_KEYS,
    UNARY_OPERATORS,
)
from generator.yaml_tree import Items, Table, Text, Tree

OUTPUT_TYPES = ("tensor", "tensor[]")


def read_inputs(reader: Reader, tree: Tree | None) -> tuple[tuple[Input, ...], dict[str, Text]]:
    """The inputs, and the texts of their `as:`."""
    if tree is None:
        return (), {}
    inputs: list[Input] = []
    casts: dict[str, Text] = {}
    for key, value in reader.table(tree, "inputs"):
        if not reader.check_name(key.place, key.name, "input"):
            continue
        what = f"input '{key.name}'"
        if isinstance(value, Text):
            found: Mapping[str, Tree] = {"type": value}
        else:
            found = {k: v for k, (_, v) in reader.keys(value, what, INPUT_KEYS).items()}
        if "type" not in found:
            reader.error(value.place, f"{what}: type is missing")
            continue
        type_name = reader.choice(found["type"], what, [t.value for t in InputType])
        accepts = None
        if "dtype" in found:
            accepts = reader.choice(found["dtype"], f"dtype of {what}", INPUT_CATEGORIES) or None
        if "as" in found and (text := reader.expression(found["as"], f"as of {what}")):
            casts[key.name] = text
        grad = accepts not in ("bool", "integer")
        if "grad" in found and not reader.boolean(found["grad"], f"grad of {what}"):
            grad = False
        inputs.append(
            Input(
                place=key.place,
                name=key.name,
                type=InputType(type_name or "tensor"),
                accepts=accepts,
                grad=grad,
                reads_shape="reads" in found
                and reader.choice(found["reads"], f"reads of {what}", ("shape",)) == "shape",
                cast=None,
                doc=reader.string(found["doc"], "doc") if "doc" in found else "",
            )
        )
    return tuple(inputs), casts


def read_attrs(reader: Reader, tree: Tree | None, inputs: Mapping[str, Input]) -> tuple[Attr, ...]:
    if tree is None:
        return ()
    attrs: list[Attr] = []
    for key, value in reader.table(tree, "attrs"):
        if not reader.check_name(key.place, key.name, "attribute"):
            continue
        if key.name in inputs:
            reader.error(key.place, f"'{key.name}' is both an input and an attribute")
            continue
        attr = _read_attr(reader, key.place, key.name, value, inputs, attrs)
        if attr is not None:
            attrs.append(attr)
    with_default = None
    for attr in attrs:
        if attr.default is not None:
            with_default = with_default or attr.name
        elif with_default:
            reader.error(
                attr.place,
                f"attribute '{attr.name}' without a default stands behind '{with_default}', "
                "which has one",
            )
    return tuple(attrs)


def _read_attr(
    reader: Reader,
    place: Place,
    name: str,
    value: Tree,
    inputs: Mapping[str, Input],
    before: Sequence[Attr],
) -> Attr | None:
    what = f"attribute '{name}'"
    null_default = None
    if isinstance(value, Text):
        value = Table(value.place, (), flow=False) if value.null else value
    if isinstance(value, Text):
        found: dict[str, Tree] = {"type": value}
    else:
        if isinstance(value, Table):
            # `default: null` is Python's None, the one null that means something.
            null_default = next(
                (v for k, v in value if k.name == "default" and isinstance(v, Text) and v.null),
                None,
            )
            kept = tuple((k, v) for k, v in value if v is not null_default)
            value = Table(value.place, kept, value.flow)
        found = {k: v for k, (_, v) in reader.keys(value, what, ATTR_KEYS).items()}
    if "type" not in found:
        reader.error(place, f"{what}: type is missing")
        return None
    types = [*ATTR_TYPES, *(f"{t}?" for t in OPTIONAL_ATTR_TYPES)]
    type_name = reader.choice(found["type"], what, types) or "int"
    optional = type_name.endswith("?")
    type_name = type_name.removesuffix("?")
    choices = tuple(
        reader.string(item, f"a choice of {what}")
        for item in (reader.items(found["choices"], "choices") if "choices" in found else ())
    )
    if choices and type_name != "str":
        reader.error(place, f"{what}: choices are for type str, not {type_name}")
    default = Default(None) if optional else None
    if null_default is not None and not optional:
        reader.error(null_default.place, f"{what}: null needs an optional type, '{type_name}?'")
    if "default" in found and optional:
        place_of = found["default"].place
        reader.error(place_of, f"{what}: the default of an optional type is null")
    elif "default" in found:
        default = _read_default(reader, found["default"], type_name, what)
        if choices and default is not None and default.value not in choices:
            reader.error(found["default"].place, f"{what}: default is none of its choices")
    return Attr(
        place=place,
        name=name,
        type=type_name,
        optional=optional,
        of=_read_of(reader, place, found.get("of"), type_name, what, inputs),
        default=default,
        choices=choices,
        doc=reader.string(found["doc"], "doc") if "doc" in found else "",
        within=_read_within(reader, found.get("within"), type_name, what, before),
    )


def _read_within(
    reader: Reader, tree: Tree | None, type_name: str, what: str, before: Sequence[Attr]
) -> str | None:
    if tree is None:
        return None
    if type_name != "index":
        reader.error(tree.place, f"{what}: 'within' is for index")
        return None
    name = reader.string(tree, f"within of {what}")
    lengths = [a.name for a in before if a.type == "int[]" and not a.optional]
    if name not in lengths:
        hint = did_you_mean(name, lengths)
        reader.error(tree.place, f"{what}: no int[] attribute '{name}' before it{hint}")
        return None
    return name


def _read_of(
    reader: Reader,
    place: Place,
    tree: Tree | None,
    type_name: str,
    what: str,
    inputs: Mapping[str, Input],
) -> str | None:
    needed = type_name in ("axis", "axes", "shape", "index")
    if tree is None:
        if type_name == "shape":
            reader.error(place, f"{what} of type shape must say of which input: 'of: x'")
        return None
    if not needed:
        reader.error(tree.place, f"{what}: 'of' is for axis, axes, shape and index")
        return None
    name = reader.string(tree, f"of of {what}")
    if name not in inputs:
        reader.error(tree.place, f"{what}: unknown input '{name}'{did_you_mean(name, inputs)}")
        return None
    return name


def _read_default(reader: Reader, tree: Tree, type_name: str, what: str) -> Default | None:
    if type_name in ("int[]", "axes", "shape"):
        items = [tree] if isinstance(tree, Text) else list(reader.items(tree, f"default of {what}"))
        numbers = [_number(item) for item in items]
        if all(type(n) is int for n in numbers):
            return Default(tuple(int(n) for n in numbers if n is not None))
        reader.error(tree.place, f"{what}: default must be a list of integers")
        return None
    if not isinstance(tree, Text):
        reader.error(tree.place, f"{what}: default must be a {type_name}, not {kind_of(tree)}")
        return None
    if type_name in ("str", "dtype"):
        if type_name == "dtype" and tree.value not in DTYPES:
            hint = did_you_mean(tree.value, DTYPES)
            reader.error(tree.place, f"{what}: unknown dtype '{tree.value}'{hint}")
        return Default(tree.value)
    if type_name == "bool":
        return Default(reader.boolean(tree, f"default of {what}"))
    number = _number(tree)
    if type_name == "scalar" and not tree.quoted and tree.value in ("true", "false"):
        return Default(tree.value == "true")
    if number is not None and type_name in ("float", "scalar"):
        return Default(float(number) if type_name == "float" else number)
    if type(number) is int and type_name in ("int", "axis"):
        return Default(number)
    reader.error(tree.place, f"{what}: default must be a {type_name}, not {kind_of(tree)}")
    return None


def _number(tree: Tree) -> int | float | None:
    """YAML 1.1 reads 1e-8 as text; here a number is what Python calls one, and inf and nan."""
    if not isinstance(tree, Text) or tree.quoted:
        return None
    for read in (int, float):
        try:
            return (
                read(tree.value.lstrip(".")) if tree.value in (".inf", ".nan") else read(tree.value)
            )
        except ValueError:
            continue
    return None


def read_outputs(
    reader: Reader, tree: Tree | None, place: Place, rules: RuleReader, like: Rule | None
) -> tuple[Output, ...]:
    if tree is None:
        if like is None:
            reader.error(
                place, "outputs must be declared where there is no tensor input to be like"
            )
            like = Rule(place, "lengths")
        return (Output(place, "out", False, like, like, False, True, ""),)
    outputs = []
    for key, value in reader.table(tree, "outputs"):
        if not reader.check_name(key.place, key.name, "output"):
            continue
        if key.name in rules.attrs or key.name in rules.inputs:
            taken = "an input" if key.name in rules.inputs else "an attribute"
            reader.error(key.place, f"'{key.name}' is both an output and {taken}")
            continue
        outputs.append(_read_output(reader, key.place, key.name, value, rules, like))
    return tuple(outputs)


def _read_output(
    reader: Reader, place: Place, name: str, value: Tree, rules: RuleReader, like: Rule | None
) -> Output:
    what = f"output '{name}'"
    found: dict[str, Tree]
    if isinstance(value, Text):
        found = {"shape": value, "dtype": value}
    else:
        found = {k: v for k, (_, v) in reader.keys(value, what, OUTPUT_KEYS).items()}
    shape_text = reader.expression(found["shape"], f"shape of {what}") if "shape" in found else None
    dtype_text = reader.expression(found["dtype"], f"dtype of {what}") if "dtype" in found else None
    shape = rules.shape(shape_text) if shape_text else like
    dtype = rules.dtype(dtype_text) if dtype_text else like
    is_list = "type" in found and reader.choice(found["type"], what, OUTPUT_TYPES) == "tensor[]"
    if is_list:
        # Of a composite, or of an update that writes a list: both know it themselves.
        shape = dtype = Rule(place, "composite")
    of_kernel = shape is not None and shape.kind == "kernel"
    if shape is None or (dtype is None and not of_kernel):
        missing = "shape" if shape is None else "dtype"
        reader.error(place, f"{what}: {missing} is missing, and there is no input to be like")
    nothing = Rule(place, "lengths")
    return Output(
        place=place,
        name=name,
        is_list=is_list,
        shape=shape or nothing,
        dtype=dtype or nothing,
        hidden="hidden" in found and reader.boolean(found["hidden"], f"hidden of {what}"),
        grad="grad" not in found or reader.boolean(found["grad"], f"grad of {what}"),
        doc=reader.string(found["doc"], "doc") if "doc" in found else "",
    )


def read_pairs(
    reader: Reader, tree: Tree | None, inputs: tuple[Input, ...], outputs: tuple[Output, ...]
) -> tuple[Pair, ...]:
    if tree is None:
        return ()
    pairs: list[Pair] = []
    for key, value in reader.table(tree, "inplace"):
        output = reader.string(value, f"inplace of '{key.name}'")
        ok = _known(reader, key.place, "inplace", "input", key.name, [i.name for i in inputs])
        ok &= _known(reader, value.place, "inplace", "output", output, [o.name for o in outputs])
        if any(p.output == output for p in pairs):
            reader.error(value.place, f"inplace: output '{output}' is in two pairs")
            ok = False
        if ok:
            pairs.append(Pair(key.place, key.name, output))
    return tuple(pairs)


def _known(
    reader: Reader, place: Place, key: str, what: str, name: str, known: Iterable[str]
) -> bool:
    names = list(known)
    if name in names:
        return True
    reader.error(place, f"{key}: unknown {what} '{name}'{did_you_mean(name, names)}")
    return False


def read_view(
    reader: Reader, tree: Tree | None, inputs: tuple[Input, ...], outputs: tuple[Output, ...]
) -> View | None:
    if tree is None:
        return None
    unless = False
    pair: tuple[Place, str, str] | None = None
    for key, value in reader.table(tree, "view"):
        if key.name == "unless":
            unless = reader.choice(value, "view: unless", ("layout",)) == "layout"
            continue
        output = reader.string(value, "view")
        ok = _known(reader, key.place, "view", "input", key.name, [i.name for i in inputs])
        ok &= _known(reader, value.place, "view", "output", output, [o.name for o in outputs])
        if pair is not None:
            reader.error(key.place, "view names one input and one output")
        elif ok:
            pair = (key.place, key.name, output)
    return View(pair[0], pair[1], pair[2], unless) if pair else None


def read_operators(
    reader: Reader, tree: Tree | None, inputs: tuple[Input, ...]
) -> tuple[Operator, ...]:
    if tree is None:
        return ()
    operators: tuple[Operator, ...]
    if isinstance(tree, Items):
        return tuple(o for item in tree.items for o in read_operators(reader, item, inputs))
    if isinstance(tree, Text):
        known = [*BINARY_OPERATORS, *COMPARISONS, *UNARY_OPERATORS]
        symbol = reader.choice(tree, "operator", known)
        kind = (
            "binary"
            if symbol in BINARY_OPERATORS
            else "comparison"
            if symbol in COMPARISONS
            else "unary"
        )
        reflected = kind == "binary" and bool(inputs) and inputs[0].type is InputType.OPERAND
        operators = (Operator(tree.place, symbol, kind, reflected),) if symbol else ()
    else:
        operators = _operators_of_map(reader, tree)
    for operator in operators:
        count = 1 if operator.kind == "unary" else 2
        required = [i for i in inputs if not i.optional]
        if len(required) != count:
            reader.error(
                operator.place,
                f"operator '{operator.symbol}' takes {count} inputs, not {len(required)}",
            )
    return operators


def _operators_of_map(reader: Reader, tree: Tree) -> tuple[Operator, ...]:
    found = reader.keys(tree, "operator", ("binary", "unary", "comparison", "reflected"))
    reflected = "reflected" in found and reader.boolean(found["reflected"][1], "reflected")
    kinds = {"binary": BINARY_OPERATORS, "unary": UNARY_OPERATORS, "comparison": COMPARISONS}
    operators = []
    for kind, symbols in kinds.items():
        if kind in found:
            place = found[kind][1].place
            symbol = reader.choice(found[kind][1], "operator", symbols)
            if symbol:
                operators.append(Operator(place, symbol, kind, reflected and kind == "binary"))
    return tuple(operators)


def read_backward(reader: Reader, tree: Tree, what: str) -> BackwardText | None:
    found = list(reader.table(tree, what))
    kinds = [(k, v) for k, v in found if k.name in BACKWARD_KINDS]
    if kinds:
        key, value = kinds[0]
        if len(found) > 1:
            reader.error(key.place, f"{what}: '{key.name}' stands alone, without other keys")
        if key.name == "custom":
            text = reader.expression(value, "custom")
            gradient = GradientText((Named(key.place, "custom"),), text) if text else None
            return BackwardText(key.place, "custom", gradients=(gradient,) if gradient else ())
        return BackwardText(key.place, key.name, reason=reader.string(value, key.name))
    gradients, lets, when = [], [], None
    for key, value in found:
        if key.name == "let":
            for let, body in reader.table(value, "let"):
                text = reader.expression(body, f"let '{let.name}'")
                if text and reader.check_name(let.place, let.name, "let"):
                    lets.append((Named(let.place, let.name), text))
        elif key.name == "when":
            when = reader.expression(value, "when")
        else:
            text = reader.expression(value, f"{what} of '{key.name}'")
            if text:
                gradients.append(GradientText(_split_names(key.place, key.name), text))
    return BackwardText(
        tree.place, "expressions", gradients=tuple(gradients), lets=tuple(lets), when=when
    )


def _split_names(place: Place, names: str) -> tuple[Named, ...]:
    found, column = [], 0
    for part in names.split(","):
        indent = len(part) - len(part.lstrip())
        found.append(Named(place.right(column + indent), part.strip()))
        column += len(part) + 1
    return tuple(found)
