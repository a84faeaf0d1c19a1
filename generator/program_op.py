"""What programs know of an op: normal forms, types, and how it runs, function by function."""

from __future__ import annotations

from dataclasses import dataclass

from generator.cpp_forms import Form
from generator.emit_program import OPTIONAL, PLAIN
from generator.kernels import kernel_inputs, makes_results
from generator.model import Attr, Declaration, Input, InputType, Op, Output, Rule
from generator.results import by_definition
from generator.spelling import quoted
from generator.vocabulary import KEEPS_LENGTH_BY_MINUS_ONE, RANK_BY_LENGTHS


@dataclass(frozen=True)
class RunForm(Form):
    """Names inside `run`: tensors and attributes as locals."""

    @property
    def name(self) -> str:
        return self.decl.name

    @property
    def tests_itself(self) -> bool:
        """A file can name any op."""
        return True

    def alike(self) -> list[str]:
        """The test of what the rules give an elementwise kernel that broadcasts nothing."""
        inputs = self.decl.input_names()
        shape = self.decl.outputs[0].shape
        if not (self.decl.internal and self.decl.elementwise and shape.kind == "same"):
            return []
        return [f"infer::expect_alike({self.quoted_name}, {{{', '.join(inputs)}}});"]

    def lengths(self) -> list[str]:
        """The test of attributes that are a result's shape: a file may leave a length at -1."""
        names = [o.shape.name for o in self.decl.outputs if o.shape.kind == "attribute"]
        return [f"infer::expect_lengths({self.quoted_name}, {quoted(n)}, {n});" for n in names]

    def attr(self, attr: Attr) -> str:
        return attr.name


@dataclass(frozen=True)
class InferForm(RunForm):
    """Names inside `infer`: what is known of the inputs, as Meta."""

    def shape(self, rule: Rule) -> str:
        if rule.kind == "same":
            return f"{rule.name}.shape"
        text = super().shape(rule)
        if rule.kind == "infer" and rule.name in KEEPS_LENGTH_BY_MINUS_ONE:
            names = [a.name for a in self.decl.attrs]
            later = f"emitted::is_later(op, {names.index(rule.args[1].name)})"
            return f"{text.removesuffix(')')}, {later})"
        return text

    def dtype(self, rule: Rule) -> str:
        return f"{rule.name}.dtype" if rule.kind == "same" else super().dtype(rule)


# --- Normal forms.


def normalise_lines(decl: Declaration) -> list[str]:
    inputs, attrs = decl.input_names(), [a.name for a in decl.attrs]
    lines = []
    for i, attr in enumerate(decl.attrs):
        if attr.of is not None:
            lines.append(f"emitted::normalise_{attr.type}(op, {i}, {inputs.index(attr.of)});")
        if attr.within is not None:
            lines.append(f"emitted::normalise_within(op, {i}, {attrs.index(attr.within)});")
    return lines


# --- Types.


def test_lines(op: Op) -> list[str]:
    """What `infer` refuses: dtypes that are not accepted, and choices; with the locals it reads."""
    decl = op.decl
    tested = [i for i in decl.inputs if i.accepts is not None]
    chosen = [a for a in decl.attrs if a.choices]
    lines = [_meta_local(decl, item) for item in tested]
    lines += [_attribute_local(decl, attr) for attr in chosen]
    return [*lines, *InferForm(op, inplace=False).tests()]


def infer_lines(op: Op) -> list[str]:
    decl = op.decl
    form = InferForm(op, inplace=False)
    tests = [*form.tests(), *form.alike()]
    results = [line for output in decl.outputs for line in _result(form, output)]
    attribute_check = _early_check(decl)
    text = "\n".join([*tests, *results, *attribute_check])
    lines = [_meta_local(decl, i) for i in decl.inputs if _reads(text, i.name)]
    lines += [_attribute_local(decl, a) for a in decl.attrs if _reads(text, a.name)]
    lines += [*tests, *attribute_check, *results]
    return lines if _reads("\n".join(lines), "op") else ["static_cast<void>(op);", *lines]


def _early_check(decl: Declaration) -> list[str]:
    """A check of attributes alone, made as soon as they are known."""
    if decl.check is None or decl.inputs:
        return []
    args = ", ".join([quoted(decl.name), *(a.name for a in decl.attrs)])
    return [f"if (emitted::all_known(op)) kernels::check_{decl.check}({args});"]


def _result(form: InferForm, output: Output) -> list[str]:
    decl, shape, dtype = form.decl, output.shape, output.dtype
    if shape.kind == "kernel":
        metas = [i.name for i in decl.inputs]
        args = ", ".join([*metas, *(a.name for a in decl.attrs)])
        known = "emitted::all_known(op)"
        first = f"const KernelResult {output.name} = kernels::result_{decl.kernel}({args});"
        lengths = f"{output.name}.shape"
        if decl.attrs:
            lengths = (
                f"{known} ? {output.name}.shape : Dims::filled({output.name}.shape.rank(), -1)"
            )
        return [first, f"results.push_back(tensor_type({output.name}.dtype, {lengths}));"]
    pair = next((p for p in decl.pairs if p.output == output.name), None)
    if output.is_list:
        source = pair.input if pair else decl.inputs[0].name
        return [f"for (const Meta& x : {source}) results.push_back(emitted::like(x));"]
    if shape.kind == dtype.kind == "same" and shape.name == dtype.name:
        return [f"results.push_back(emitted::like({shape.name}));"]
    lines = []
    if decl.only_inplace and pair is not None:
        target = f"{quoted(pair.input)}, {pair.input}"
        fits = f"{form.shape(shape)}, {form.dtype(dtype)}"
        lines.append(f"emitted::expect_fits(op, {target}, {fits});")
    return [*lines, f"results.push_back(tensor_type({form.dtype(dtype)}, {form.shape(shape)}));"]


def _meta_local(decl: Declaration, item: Input) -> str:
    index = decl.input_names().index(item.name)
    if item.is_list:
        return f"const std::vector<Meta> {item.name} = emitted::metas(op, {index});"
    return f"const Meta {item.name} = emitted::meta(op, {index});"


def _attribute_local(decl: Declaration, attr: Attr) -> str:
    index = [a.name for a in decl.attrs].index(attr.name)
    kind, local = PLAIN[attr.type]
    if attr.optional:
        text = f"emitted::given<{OPTIONAL[attr.type]}>(op.attributes[{index}])"
        return f"const auto {attr.name} = {text};"
    if kind == "Lengths":
        kind = "emitted::Lengths"
    return f"{local} {attr.name} = emitted::attribute<{kind}>(op, {index});"


def _reads(text: str, name: str) -> bool:
    """Whether a name stands in text, outside of strings."""
    word, quote = "", False
    for c in text + " ":
        if c == '"':
            quote = not quote
        if not quote and (c.isalnum() or c == "_"):
            word += c
            continue
        if word == name:
            return True
        word = ""
    return False


# --- Running.


def run_lines(op: Op) -> list[str]:
    return RunText(RunForm(op, inplace=False)).lines()


def check_lines(op: Op) -> list[str]:
    """What `run` refuses, apart: for ops that may run late, in the memory of what they update."""
    decl = op.decl
    late = decl.pairs and (decl.update or decl.elementwise) and not decl.composite
    return RunText(RunForm(op, inplace=False)).check_lines() if late and decl.check else []


@dataclass(frozen=True)
class RunText:
    form: RunForm

    @property
    def decl(self) -> Declaration:
        return self.form.decl

    def lines(self) -> list[str]:
        compute = self._view() if self.decl.view is not None else self._kernel()
        form = self.form
        tests = [*form.lengths(), *form.alike(), *form.check()]
        return self._with_locals([*tests, *compute])

    def check_lines(self) -> list[str]:
        return self._with_locals(self.form.check())

    def _with_locals(self, body: list[str]) -> list[str]:
        decl = self.decl
        text = "\n".join(body)
        lists = [i for i in decl.inputs if i.is_list and _reads(text, i.name)]
        lines = []
        plain = all(i.type in (InputType.TENSOR, InputType.OPERAND) for i in decl.inputs)
        get_one = "frame.plain_input" if plain else "frame.input"
        for i, item in enumerate(decl.inputs):
            if not _reads(text, item.name):
                continue
            if not item.is_list:
                lines.append(f"const Tensor& {item.name} = {get_one}({i});")
            elif len(lists) == 1:
                lines.append(f"const TensorList {item.name} = frame.list({i});")
            else:
                get = f"emitted::list(frame, {i})"
                lines.append(f"const std::vector<Tensor> {item.name} = {get};")
        attrs = enumerate(decl.attrs)
        lines += [self._attr_local(i, a) for i, a in attrs if _reads(text, a.name)]
        return lines + body

    def _attr_local(self, index: int, attr: Attr) -> str:
        kind, local = PLAIN[attr.type]
        if attr.optional:
            text = f"emitted::given<{kind}>(frame.attributes[{index}])"
            return f"const auto {attr.name} = {text};"
        if attr.within is not None:
            lengths = [a.name for a in self.decl.attrs].index(attr.within)
            return f"const Index {attr.name} = emitted::index_within(frame, {index}, {lengths});"
        if attr.of is not None and attr.type in ("axes", "shape", "index"):
            group = self.decl.input_names().index(attr.of)
            if not self.decl.input(attr.of).is_list:
                kept = {"index": "Index"}.get(attr.type, "Dims")
                now = f"emitted::{attr.type}_now(frame, {index}, {group})"
                return f"const {kept} {attr.name} = {now};"
        kind = "emitted::Lengths" if kind == "Lengths" else kind
        return f"{local} {attr.name} = frame.attribute<{kind}>({index});"

    def _view(self) -> list[str]:
        form, decl = self.form, self.decl
        assert decl.view is not None
        output = decl.output(decl.view.output)
        args = [*decl.input_names(), *form.kernel_attrs()]
        call = f"kernels::{decl.kernel}({', '.join(args)})"
        x = decl.view.input
        if not decl.view.unless_layout:
            return [
                *form.refusals(output.shape),
                f"frame.output(0) = emitted::view({x}, {call});",
                *self._rank_test(output.shape),
            ]
        shape = f"const Dims out_shape = {form.shape(output.shape)};"
        return [shape, f"frame.output(0) = emitted::view_or_copy({x}, {call}, out_shape);"]

    def _rank_test(self, shape: Rule) -> list[str]:
        """Lengths that were not known may give another rank than what was recorded."""
        if shape.kind != "infer" or shape.name not in RANK_BY_LENGTHS:
            return []
        return [f"emitted::expect_rank(frame, {quoted(shape.args[1].name)}, {shape.args[1].name});"]

    def _kernel(self) -> list[str]:
        form, decl = self.form, self.decl
        args = [self._kernel_input(i) for i in kernel_inputs(decl)] + form.kernel_attrs()
        call = f"kernels::{decl.kernel}({', '.join(args)})"
        if makes_results(decl):
            if len(decl.outputs) == 1:
                return [f"frame.output(0) = {call};"]
            lines = [f"auto made = {call};"]
            outputs = range(len(decl.outputs))
            return [*lines, *(f"frame.output({i}) = std::move(made[{i}]);" for i in outputs)]
        lines = []
        for i, output in enumerate(decl.outputs):
            lines += self._result(i, output)
        args += [f"{o.name}_result" for o in decl.outputs]
        lines.append(f"kernels::{decl.kernel}({', '.join(args)});")
        for i, output in enumerate(decl.outputs):
            lines += self._give_back(i, output)
        return lines

    def _kernel_input(self, item: Input) -> str:
        if item.cast is None and not self.form.takes_any_strides and item.is_list:
            return f"contiguous({item.name})"
        return self.form.kernel_input(item, item.name)

    def _result(self, index: int, output: Output) -> list[str]:
        form, decl = self.form, self.decl
        pair = next((p for p in decl.pairs if p.output == output.name), None)
        name = f"{output.name}_result"
        if output.is_list:
            source = pair.input if pair else decl.inputs[0].name
            return [f"std::vector<Tensor> {name} = emitted::results_like({source});"]
        shape, dtype = form.shape(output.shape), form.dtype(output.dtype)
        make = self._made(index, output, pair is not None)
        if pair is not None and decl.input(pair.input).optional:
            place = f"Tensor& {name} = frame.output({self._at(index)});"
            return [place, f"if ({pair.input}.defined()) {make};"]
        fits = []
        if pair is not None and not self._surely_fits(pair.input, output):
            target = f"{quoted(pair.input)}, {pair.input}, {shape}, {dtype}"
            # The test of what only a user's own in-place call promises; not worked out for others.
            fits = [f"if (frame.must_fit) emitted::expect_fits(frame.op, {target});"]
        if form.joins_two(output):
            keep = f"{form.keeps_first(output)}"
            x = output.shape.args[0].name
            kept = self._like(index, x, f"{x}.dtype()", pair is not None)
            lines = [f"if ({keep}) {{", f"  {kept};", "} else {"]
            lines += [*(f"  {line}" for line in fits), f"  {make};", "}"]
            return [*lines, f"Tensor& {name} = frame.output({self._at(index)});"]
        return [*fits, f"Tensor& {name} = {make};"]

    def _made(self, index: int, output: Output, paired: bool) -> str:
        """How a result is made: in its input's buffer where the kernel may run so."""
        shape, dtype = self.form.shape(output.shape), self.form.dtype(output.dtype)
        if output.shape.kind == "same":
            return self._like(index, output.shape.name, dtype, paired)
        at = self._at(index)
        if not self._in_buffer(paired):
            return f"frame.put({at}, empty({shape}, {dtype}))"
        if self.decl.elementwise:
            return f"frame.result({at}, {shape}, {dtype})"
        return f"frame.put({at}, emitted::result_apart(frame, {at}, {shape}, {dtype}))"

    def _like(self, index: int, x: str, dtype: str, paired: bool) -> str:
        """The same for a result of x's shape, which is quicker to make."""
        at = self._at(index)
        if not self._in_buffer(paired):
            return f"frame.put({at}, empty_like({x}, {dtype}))"
        if self.decl.elementwise:
            return f"frame.result_like({at}, {x}, {dtype})"
        return f"frame.put({at}, emitted::result_apart(frame, {at}, {x}.shape(), {dtype}))"

    def _in_buffer(self, paired: bool) -> bool:
        return paired and (self.decl.elementwise or self.decl.safe_in_place)

    def _surely_fits(self, target: str, output: Output) -> bool:
        shape, dtype = output.shape, output.dtype
        same = shape.kind == dtype.kind == "same" and shape.name == dtype.name == target
        pair = next(p for p in self.decl.pairs if p.output == output.name)
        return same or by_definition(self.decl, pair)

    def _give_back(self, index: int, output: Output) -> list[str]:
        """Of what was not made in its place."""
        name = f"{output.name}_result"
        if output.is_list:
            count = f"for (std::size_t i = 0; i < {name}.size(); ++i)"
            place = f"frame.output({index} + i)" if index else "frame.output(i)"
            return [f"{count} {place} = std::move({name}[i]);"]
        pair = next((p for p in self.decl.pairs if p.output == output.name), None)
        if pair is None or not self.decl.input(pair.input).optional:
            return []
        return [f"emitted::fill_absent({name});"]

    def _at(self, index: int) -> str:
        """Which of the frame's outputs it is: those behind a list are counted from the end."""
        outputs = self.decl.outputs
        behind = len(outputs) - index
        return f"frame.outputs.size() - {behind}" if _list_before(outputs, index) else str(index)


def _list_before(outputs: tuple[Output, ...], index: int) -> bool:
    return any(o.is_list for o in outputs[:index])


def reads_kind(item: Input) -> str:
    return {
        InputType.TENSOR: "kTensor",
        InputType.OPERAND: "kOperand",
        InputType.OPTIONAL: "kOptional",
        InputType.LIST: "kList",
    }[item.type]
