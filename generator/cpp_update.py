"""The form of optimizer steps: several targets, never recorded (rules C9, C11)."""

from __future__ import annotations

from dataclasses import dataclass

from generator.cpp_forms import VERSION, Form, FormText
from generator.kernels import kernel_inputs
from generator.model import Declaration, Input
from generator.spelling import inplace_result, quoted


def update_form(form: Form) -> FormText:
    return UpdateForm(form).text()


@dataclass(frozen=True)
class UpdateForm:
    form: Form

    @property
    def decl(self) -> Declaration:
        return self.form.decl

    def text(self) -> FormText:
        form, decl = self.form, self.decl
        written = [(o.name, form.outputs.get(o.name, o.name)) for o in decl.visible_outputs]
        pairs = ", ".join(f"{p.input} -> {p.output}" for p in decl.pairs)
        fresh = [o for o in decl.outputs if o.name not in form.outputs]
        steps = {
            "normal_forms": form.normal_forms(),
            "tests": [*form.tests(), *form.check()],
            "target": [self._targets()],
            "fits": self._fits(),
            "read": [*self._reads(), *self._results(), *(form.fresh(o) for o in fresh)],
            "prepare": ["targets.prepare();"],
            "compute": [self._kernel()],
            "commit": [f"targets.commit();  {VERSION}"],
            "trace": [form.trace(written, pairs)],
            "give_back": self._give_back([value for _, value in written]),
        }
        result = inplace_result(decl)
        return FormText("update", form.name, form.name, result, form.parameters(), steps)

    def _targets(self) -> str:
        named = ", ".join(f"{{{quoted(p.input)}, {p.input}}}" for p in self.decl.pairs)
        return f"UpdateTargets targets(op_info::{self.form.name}, {{{named}}});"

    def _fits(self) -> list[str]:
        """Results whose shape or dtype is not their target's for sure."""
        form, decl = self.form, self.decl
        lines = []
        for pair in decl.pairs:
            output = decl.output(pair.output)
            shape, dtype = output.shape, output.dtype
            own = shape.kind == dtype.kind == "same" and shape.name == dtype.name == pair.input
            if not own and not output.is_list:
                fits = f"{pair.input}, {form.shape(shape)}, {form.dtype(dtype)}"
                lines.append(f"targets.fits({fits});")
        return lines

    def _reads(self) -> list[str]:
        """Inputs as they were before the call, and as the kernel wants them."""
        form, decl = self.form, self.decl
        elementwise = "true" if decl.elementwise else "false"
        lines = []
        for item in kernel_inputs(decl):
            is_target = item.name in decl.targets
            before = item.name if is_target else f"targets.before({item.name}, {elementwise})"
            text = form.kernel_input(item, before)
            if text != item.name:
                kind = "std::vector<Tensor>" if item.is_list else "Tensor"
                lines.append(f"const {kind} {item.name}_read = {text};")
        return lines

    def _results(self) -> list[str]:
        """Where the kernel writes: the targets, or buffers for them."""
        decl = self.decl
        if decl.elementwise:
            return []
        place = "contiguous_target" if decl.safe_in_place else "buffer"
        return [
            f"{'std::vector<Tensor>' if decl.input(p.input).is_list else 'Tensor'} "
            f"{p.input}_result = targets.{place}({p.input});"
            for p in decl.pairs
        ]

    def _kernel(self) -> str:
        form, decl = self.form, self.decl
        args = [self._read_name(item) for item in kernel_inputs(decl)]
        args += form.kernel_attrs()
        for output in decl.outputs:
            target = form.outputs.get(output.name)
            in_place = target is not None and not decl.elementwise
            args.append(f"{target}_result" if in_place else target or output.name)
        return f"kernels::{decl.kernel}({', '.join(args)});"

    def _read_name(self, item: Input) -> str:
        as_it_is = self.form.kernel_input(item, item.name) == item.name
        return item.name if as_it_is and item.name in self.decl.targets else f"{item.name}_read"

    def _give_back(self, values: list[str]) -> list[str]:
        result = inplace_result(self.decl)
        if result == "void":
            return []
        return [f"return {{{', '.join(values)}}};" if len(values) > 1 else f"return {values[0]};"]
