"""The plain forms: a kernel into fresh results, a view, a composition."""

from __future__ import annotations

from dataclasses import dataclass

from generator.cpp_forms import Form, FormText, output_slot, saved_type
from generator.emit_eager import EagerEmitter
from generator.expressions import Source
from generator.kernels import kernel_inputs, makes_results
from generator.model import Op, Output
from generator.plan import NodePlan
from generator.results import always_float


def plain_form(op: Op, plan: NodePlan | None) -> FormText:
    return PlainForm(Form(op, inplace=False), plan).text()


@dataclass(frozen=True)
class PlainForm:
    form: Form
    plan: NodePlan | None

    def text(self) -> FormText:
        form, decl = self.form, self.form.decl
        if decl.composite:
            kind, compute = "composite", self._compose()
        elif decl.view is not None:
            kind, compute = "view", self._view()
        else:
            kind, compute = "kernel", self._kernel()
        visible = decl.visible_outputs
        steps = {
            "normal_forms": form.normal_forms(),
            "tests": [*form.tests(), *form.check()],
            "compute": compute,
            "record": self._record(),
            "trace": [form.trace([(o.name, o.name) for o in visible])],
            "give_back": [self._give_back(visible)],
        }
        return FormText(kind, decl.name, decl.name, result_type(visible), form.parameters(), steps)

    def _kernel(self) -> list[str]:
        form, decl = self.form, self.form.decl
        args = [form.kernel_input(i, i.name) for i in kernel_inputs(decl)] + form.kernel_attrs()
        if makes_results(decl):
            call = f"kernels::{decl.kernel}({', '.join(args)})"
            if len(decl.outputs) == 1:
                return [f"Tensor {decl.outputs[0].name} = {call};"]
            return [f"auto [{', '.join(o.name for o in decl.outputs)}] = {call};"]
        lines = [form.fresh(o) for o in decl.outputs]
        args += [o.name for o in decl.outputs]
        return [*lines, f"kernels::{decl.kernel}({', '.join(args)});"]

    def _view(self) -> list[str]:
        form, decl = self.form, self.form.decl
        assert decl.view is not None
        output = decl.output(decl.view.output)
        args = [*decl.input_names(), *form.kernel_attrs()]
        call = f"kernels::{decl.kernel}({', '.join(args)})"
        if decl.view.unless_layout:
            known = form.known_shape(output.shape)
            first = f"const Dims out_shape = {form.shape(output.shape)};"
            shape = form.refusals(output.shape) if known else [first]
            make = f"view_or_copy({decl.view.input}, {call}, {known or 'out_shape'})"
            return [*shape, f"Tensor {output.name} = {make};"]
        make = f"Tensor {output.name} = make_view({decl.view.input}, {call});"
        return [*form.refusals(output.shape), make]

    def _compose(self) -> list[str]:
        form, decl = self.form, self.form.decl
        visible = decl.visible_outputs
        if decl.composite_function is not None:
            args = ", ".join([*decl.input_names(), *form.kernel_attrs()])
            call = f"rules::{decl.composite_function}({args})"
        else:
            assert form.op.composite is not None
            call = EagerEmitter(form).text(form.op.composite)
        if len(visible) > 1:
            return [f"auto [{', '.join(o.name for o in visible)}] = {call};"]
        kind = "std::vector<Tensor>" if visible[0].is_list else "Tensor"
        return [f"{kind} {visible[0].name} = {call};"]

    def _record(self) -> list[str]:
        form, decl, plan = self.form, self.form.decl, self.plan
        if plan is None:
            return []
        test = f"recording({', '.join(form.differentiable())})"
        if not any(always_float(decl, slot) for slot in plan.slots):
            test = f"is_float({plan.slots[0].name}.dtype()) && {test}"
        lines = [f"auto* node = {form.new_node(plan)};"]
        for nr, slot in enumerate(plan.slots):
            take = "adopt" if nr == 0 else "share"
            number = f", {nr}" if nr else ""
            lines.append(f"set_history({slot.name}, Ref<Node>::{take}(node){number});")
        lines += form.connect(plan) + form.remember(plan)
        for kept in plan.values:
            name = kept.ref.name
            if kept.ref.source is Source.INPUT:
                statement = f"node->{name}.{saved_type(kept)}({name});"
            else:
                statement = keep_fresh(plan, decl.output(name))
            lines.append(form.save(plan, kept, statement))
        return [f"if ({test}) {{", *(f"  {line}" for line in lines), "}"]

    def _give_back(self, visible: tuple[Output, ...]) -> str:
        if len(visible) == 1:
            return f"return {visible[0].name};"
        return f"return {{{', '.join(f'std::move({o.name})' for o in visible)}}};"


def keep_fresh(plan: NodePlan, output: Output) -> str:
    """Saves a fresh result: one that has a history as the node's own output, without an edge."""
    slot = output_slot(plan, output)
    if slot is None:
        return f"node->{output.name}.input({output.name});"
    return f"node->{output.name}.output({output.name}{f', {slot}' if slot else ''});"


def result_type(visible: tuple[Output, ...]) -> str:
    kinds = ["std::vector<Tensor>" if o.is_list else "Tensor" for o in visible]
    return kinds[0] if len(kinds) == 1 else f"std::tuple<{', '.join(kinds)}>"
