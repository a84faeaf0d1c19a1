"""The in-place forms: write, replace (another dtype by definition), remap, compose, update."""

from __future__ import annotations

from dataclasses import dataclass

from generator.cpp_forms import VERSION, Form, FormText, always_kept, saved_type
from generator.cpp_plain import keep_fresh
from generator.cpp_update import update_form
from generator.emit_eager import EagerEmitter
from generator.expressions import Call, Source
from generator.kernels import kernel_inputs
from generator.model import Op, Pair
from generator.plan import NodePlan
from generator.results import always_float, by_definition
from generator.spelling import inplace_result, quoted


def inplace_form(op: Op, plan: NodePlan | None) -> FormText:
    decl = op.decl
    outputs = {pair.output: pair.input for pair in decl.pairs}
    form = Form(op, inplace=True, outputs=outputs)
    if decl.update:
        return update_form(form)
    pair = decl.pairs[0]
    if decl.composite:
        return ComposedForm(form, plan, pair).text()
    if decl.view is not None:
        return RemapForm(Form(op, inplace=True), plan, pair).text()
    if by_definition(decl, pair):
        return ReplaceForm(Form(op, inplace=True), plan, pair).text()
    return WriteForm(form, plan, pair).text()


@dataclass(frozen=True)
class InplaceForm:
    form: Form
    plan: NodePlan | None
    pair: Pair

    @property
    def x(self) -> str:
        return self.pair.input

    def function(self, kind: str, **steps: list[str]) -> FormText:
        form = self.form
        written = [(o.name, self._written(o.name)) for o in form.decl.visible_outputs]
        pairs = f"{self.pair.input} -> {self.pair.output}"
        several = len(written) > 1
        back = (
            f"return {{{', '.join(value for _, value in written)}}};"
            if several
            else f"return {self.x};"
        )
        common = {
            "normal_forms": form.normal_forms(),
            "tests": [*form.tests(), *form.check()],
            "target": [f"InplaceTarget target(op_info::{form.name}, {quoted(self.x)}, {self.x});"],
            "trace": [form.trace(written, pairs)],
            "give_back": [back],
        }
        return FormText(
            kind,
            form.name,
            form.name,
            inplace_result(form.decl),
            form.parameters(),
            common | steps,
        )

    def _written(self, output: str) -> str:
        return self.x if output == self.pair.output else output

    def node(self, test: str, saves: list[str]) -> list[str]:
        """The node of a recorded call, empty where nothing is recorded."""
        if self.plan is None:
            return []
        body = [
            f"node = Ref<{self.plan.class_name}>::adopt({self.form.new_node(self.plan)});",
            *self.form.connect(self.plan),
            *self.form.remember(self.plan),
            *saves,
        ]
        return [
            f"Ref<{self.plan.class_name}> node;",
            f"if ({test}) {{",
            *(f"  {line}" for line in body),
            "}",
        ]

    @property
    def moved_node(self) -> str:
        return "nullptr" if self.plan is None else "std::move(node)"


class WriteForm(InplaceForm):
    """The kernel writes into x, or into a buffer that is copied over it."""

    def text(self) -> FormText:
        form, decl = self.form, self.form.decl
        output = decl.output(self.pair.output)
        fits = f"target.fits({form.shape(output.shape)}, {form.dtype(output.dtype)});"
        if form.joins_two(output) and output.shape.args[0].name == self.x:
            fits = f"if (!{form.keeps_first(output)}) {fits}"
        same = output.shape.kind == "same" == output.dtype.kind
        others = [o for o in decl.outputs if o.name != self.pair.output]
        fresh = [form.fresh(o) for o in others]
        return self.function(
            "write",
            fits=[] if same and output.shape.name == self.x else [fits],
            part=self._part(),
            read=[*self._reads(), *fresh],
            record=self._record(),
            prepare=[f"target.prepare({self.moved_node});"],
            compute=self._compute(),
            commit=[f"target.commit();  {VERSION}"],
        )

    def _part(self) -> list[str]:
        writes = self.form.op.writes
        if not isinstance(writes, Call):
            return []
        emitter = EagerEmitter(self.form)
        args = [emitter.text(arg) for arg in writes.args if arg is not None]
        return [f"target.part(kernels::{writes.op.kernel}({', '.join(args)}));"]

    def _reads(self) -> list[str]:
        """What the kernel reads, as it was before the call, and where it writes."""
        form, decl = self.form, self.form.decl
        elementwise = "true" if decl.elementwise else "false"
        lines = []
        for item in kernel_inputs(decl):
            is_target = item.name == self.x
            before = self.x if is_target else f"target.before({item.name}, {elementwise})"
            text = form.kernel_input(item, before)
            if text == self.x:
                continue
            kind = "std::vector<Tensor>" if item.is_list else "Tensor"
            kind = f"{kind}&" if text == before and not item.is_list else kind
            lines.append(f"const {kind} {item.name}_read = {text};")
        if not decl.elementwise:
            where = f"contiguous_target({self.x})" if decl.safe_in_place else "buffer()"
            lines.append(f"Tensor& result = target.{where};")
        return lines

    def _record(self) -> list[str]:
        plan, form = self.plan, self.form
        saves = []
        for kept in plan.values if plan else ():
            assert plan is not None
            name = kept.ref.name
            if kept.ref.source is Source.INPUT:
                statement = f"target.keep(node->{name}, {name});"
            elif name == self.pair.output:
                statement = f"target.keep_result(node->{name});"
            else:
                statement = keep_fresh(plan, form.decl.output(name))
            saves.append(form.save(plan, kept, statement))
        test = f"recording({', '.join(form.differentiable())})"
        if not always_float(form.decl, form.decl.output(self.pair.output)):
            test = f"is_float({self.x}.dtype()) && {test}"
        return self.node(test, saves)

    def _compute(self) -> list[str]:
        form, decl = self.form, self.form.decl
        in_place = form.takes_any_strides
        target = self.x if decl.elementwise else "result"
        args = [
            i.name if i.name == self.x and i.cast is None and in_place else f"{i.name}_read"
            for i in kernel_inputs(decl)
        ]
        args += form.kernel_attrs()
        args += [target if o.name == self.pair.output else o.name for o in decl.outputs]
        return [f"kernels::{decl.kernel}({', '.join(args)});"]


class ReplaceForm(InplaceForm):
    """Another dtype or element count by definition: x takes a new storage (rule C6)."""

    def text(self) -> FormText:
        form, decl = self.form, self.form.decl
        output = decl.output(self.pair.output)
        args = [form.kernel_input(i, i.name) for i in kernel_inputs(decl)] + form.kernel_attrs()
        out = output.name
        keeps_shape = output.shape.kind == "infer" and output.shape.name == "broadcast"
        shape = f"{self.x}.shape()" if keeps_shape else form.shape(output.shape)
        compute = [
            f"Tensor {out} = empty({shape}, {form.dtype(output.dtype)});",
            f"kernels::{decl.kernel}({', '.join([*args, out])});",
        ]
        fits = []
        if keeps_shape:
            fits = [f"target.fits_shape({form.shape(output.shape)});"]
        return self.function(
            "replace",
            fits=fits,
            compute=compute,
            record=self._record(out),
            commit=[f"target.replace(std::move({out}), {self.moved_node});  {VERSION}"],
        )

    def _record(self, out: str) -> list[str]:
        plan, form = self.plan, self.form
        if plan is None:
            return []
        saves = []
        for kept in plan.values:
            name = kept.ref.name
            source_is_input = kept.ref.source is Source.INPUT
            statement = (
                f"node->{name}.{saved_type(kept)}({name});"
                if source_is_input
                else f"node->{name}.output({name});"
            )
            saves.append(form.save(plan, kept, statement))
        # Under no_grad, too: the old value's history would not fit the new dtype.
        test = f"has_history({self.x})"
        others = [name for name in form.differentiable() if name != self.x]
        if others:
            test = f"({test} || recording({', '.join(others)}))"
        if not always_float(form.decl, form.decl.output(self.pair.output)):
            test = f"is_float({out}.dtype()) && {test}"
        return self.node(test, saves)


class RemapForm(InplaceForm):
    """A view op in place: the target gets another map of its own bytes (rule E1a)."""

    def text(self) -> FormText:
        form, decl, plan = self.form, self.form.decl, self.plan
        output = decl.output(self.pair.output)
        saves = []
        for kept in plan.values if plan else ():
            assert plan is not None
            statement = f"node->{kept.ref.name}.input({kept.ref.name});"
            saves.append(statement if always_kept(plan, kept) else form.save(plan, kept, statement))
        args = ", ".join([*decl.input_names(), *form.kernel_attrs()])
        call = f"kernels::{decl.kernel}({args})"
        if decl.view is not None and decl.view.unless_layout:
            known = form.known_shape(output.shape)
            first = f"const Dims out_shape = {form.shape(output.shape)};"
            shape = form.refusals(output.shape) if known else [first]
            remap = f"target.remap({call}, {known or 'out_shape'}, {self.moved_node});"
        else:
            shape = [*form.refusals(output.shape), f"const ViewMap map = {call};"]
            remap = f"target.remap(map, map.shape, {self.moved_node});"
        return self.function(
            "remap",
            fits=shape,
            record=self.node(f"has_history({self.x})", saves),
            commit=[f"{remap}  {VERSION}"],
        )


class ComposedForm(InplaceForm):
    """A composed op in place: its parts in plain form, then one write."""

    def text(self) -> FormText:
        form, decl = self.form, self.form.decl
        names = [f"{self.x}_before" if n == self.x else n for n in decl.input_names()]
        args = [*names, *form.kernel_attrs()]
        if decl.uses_options:
            args = [*names, "options"]
        call = f"imperative_{decl.name}({', '.join(args)})"
        return self.function(
            "composed",
            compute=[f"const Tensor {self.x}_before = target.snapshot({self.x});"],
            commit=[f"target.assign({call});  {VERSION}"],
        )
