"""Functions that are written by hand: signatures of kernels and checks."""

from __future__ import annotations

from dataclasses import dataclass

from generator.model import Declaration, Input
from generator.spelling import Parameter, attr_type


@dataclass(frozen=True)
class KernelSignature:
    result: str
    name: str
    parameters: tuple[Parameter, ...]

    @property
    def text(self) -> str:
        return f"{self.result} {self.name}({', '.join(p.text for p in self.parameters)})"


def kernel_inputs(op: Declaration) -> tuple[Input, ...]:
    """Inputs that the kernel reads; a view's kernel reads the input's strides."""
    if op.view is not None:
        return op.inputs
    return tuple(i for i in op.inputs if not i.reads_shape)


def makes_results(op: Declaration) -> bool:
    """Whether the kernel makes its results, whose shapes only it knows."""
    return any(output.shape.kind == "kernel" for output in op.outputs)


def kernel_signature(op: Declaration) -> KernelSignature:
    assert op.kernel is not None
    parameters = [
        Parameter("TensorList" if i.is_list else "const Tensor&", i.name) for i in kernel_inputs(op)
    ]
    parameters += [Parameter(attr_type(a), a.name) for a in op.attrs]
    if op.view is not None:
        result = "std::optional<ViewMap>" if op.view.unless_layout else "ViewMap"
    elif makes_results(op):
        several = len(op.outputs) > 1
        result = f"std::array<Tensor, {len(op.outputs)}>" if several else "Tensor"
    else:
        result = "void"
        parameters += [
            Parameter("std::span<Tensor>" if o.is_list else "Tensor&", o.name) for o in op.outputs
        ]
    return KernelSignature(result, op.kernel, tuple(parameters))


def check_signature(op: Declaration) -> KernelSignature:
    """A check sees every input, read or not."""
    assert op.check is not None
    parameters = [Parameter("std::string_view", "op")]
    parameters += [
        Parameter("TensorList" if i.is_list else "const Tensor&", i.name) for i in op.inputs
    ]
    parameters += [Parameter(attr_type(a), a.name) for a in op.attrs]
    return KernelSignature("void", f"check_{op.check}", tuple(parameters))


def result_signature(op: Declaration) -> KernelSignature:
    """What a kernel that makes its result knows of it beforehand, for programs."""
    parameters = [
        Parameter("const MetaList&" if i.is_list else "const Meta&", i.name) for i in op.inputs
    ]
    parameters += [Parameter(attr_type(a), a.name) for a in op.attrs]
    return KernelSignature("KernelResult", f"result_{op.kernel}", tuple(parameters))
