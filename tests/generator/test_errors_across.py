"""One test for each way in which the keys of an entry can contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generator.registries import ADD, entry, problems

# The same for what must hold across the keys of an entry.
ACROSS: dict[str, tuple[dict[str, str | None], str]] = {
    "no kernel": (
        {"kernel": None},
        "1:3: op 'dull': needs a kernel or a composite",
    ),
    "kernel and composite": (
        {"kernel": "kernel: dull\n  composite: x + x", "backward": None},
        "1:3: op 'dull': has both a kernel and a composite: choose one",
    ),
    "elementwise composite": (
        {"kernel": "composite: x + x\n  elementwise: true", "backward": None},
        "1:3: op 'dull': elementwise, kernel_in_place, strides and update are facts about a kernel",
    ),
    "elementwise and safe": (
        {"kernel": "kernel: dull\n  elementwise: true\n  strides: any"},
        "1:3: op 'dull': elementwise already says kernel_in_place: safe and strides: any",
    ),
    "elementwise list": (
        {
            "inputs": "inputs: {x: 'tensor[]'}",
            "kernel": "kernel: dull\n  elementwise: true\n"
            "  outputs: {out: {shape: '[]', dtype: promoted(x)}}",
            "backward": "backward: {zero: flat}",
        },
        "1:3: op 'dull': an elementwise op has no list input",
    ),
    "all hidden": (
        {"kernel": "kernel: dull\n  outputs: {out: {hidden: true}}"},
        "1:3: op 'dull': every output is hidden",
    ),
    "two lists": (
        {
            "inputs": "inputs: {x: 'tensor[]', y: 'tensor[]'}",
            "kernel": "kernel: dull\n  outputs: {out: {shape: '[]', dtype: bool}}",
            "backward": "backward: {none: flags}",
        },
        "3:27: op 'dull': 'y' is a second list input: say grad: false",
    ),
    "required behind optional": (
        {"inputs": "inputs: {x: 'tensor?', y: tensor}", "backward": "backward: {x: 0, y: 0}"},
        "3:26: op 'dull': input 'y' stands behind the optional 'x'",
    ),
    "composite function": (
        {"kernel": "composite: {name: dull}", "backward": None},
        "4:15: op 'dull': unknown key 'name' of composite (there are: function)",
    ),
    "composite without function": (
        {"kernel": "composite: {}", "backward": None},
        "4:14: op 'dull': composite must be an expression or {function: NAME}",
    ),
    "composite of no call": (
        {"kernel": "composite: x", "backward": None},
        "4:14: op 'dull': composite must be a call of an op, for plain forms give new tensors",
    ),
    "composite of a number": (
        {"kernel": "composite: 1 + 2", "backward": None},
        "4:14: op 'dull': composite must be a tensor, not an integer",
    ),
    "needs in a composite": (
        {"kernel": "composite: plus(x, x) if needs(x) else x + x", "backward": None},
        "4:14: op 'dull': needs() is for backward",
    ),
    "backward of a composite": (
        {"kernel": "composite: x + x"},
        "5:13: op 'dull': backward of composite op: it has none, leave it out",
    ),
    "no backward": (
        {"backward": None},
        "1:3: op 'dull': backward is missing: give expressions, or zero, none or missing with "
        "the reason",
    ),
    "backward of unknown": (
        {"backward": "backward: {y: out_grad, x: 0}"},
        "5:14: op 'dull': backward: unknown input 'y' (there are: x)",
    ),
    "backward of grad: false": (
        {"inputs": "inputs: {x: {type: tensor, grad: false}}"},
        "5:14: op 'dull': backward: 'x' can have no gradient (grad: false)",
    ),
    "two gradients": (
        {"backward": "backward: {x: out_grad, 'x ': out_grad}"},
        "5:27: op 'dull': backward: 'x' has two gradients",
    ),
    "forgotten input": (
        {"inputs": "inputs: {x: tensor, y: tensor}"},
        "5:13: op 'dull': backward: no gradient for input 'y' (or say grad: false there)",
    ),
    "kind beside others": (
        {"backward": "backward: {zero: flat, x: 0}"},
        "5:14: op 'dull': backward: 'zero' stands alone, without other keys",
    ),
    "when in backward": (
        {"backward": "backward: {x: out_grad, when: ndim(x) > 0}"},
        "5:13: op 'dull': when is for backward_inplace",
    ),
    "number as a gradient": (
        {"backward": "backward: {x: 2}"},
        "5:17: op 'dull': the gradient of 'x' must be a tensor, not an integer",
    ),
    "several by one result": (
        {
            "inputs": "inputs: {x: tensor, y: tensor}",
            "backward": "backward: {'x, y': out_grad + x}",
        },
        "5:22: op 'dull': the gradient of 'x, y' must be 2 results, not a tensor",
    ),
    "let of a list": (
        {"backward": "backward: {let: {g: shape(x)}, x: out_grad}"},
        "5:20: op 'dull': let 'g' must be a tensor or a number, not a list of integers",
    ),
    "let that hides": (
        {"backward": "backward: {let: {x: out_grad}, x: out_grad}"},
        "5:20: op 'dull': let 'x' hides another name",
    ),
    "backward_inplace without inplace": (
        {"backward": "backward: {x: out_grad}\n  backward_inplace: {x: out_grad}"},
        "6:21: op 'dull': backward_inplace without inplace",
    ),
    "backward_inplace of a kind": (
        {
            "kernel": "kernel: dull\n  inplace: {x: out}",
            "backward": "backward: {x: out_grad}\n  backward_inplace: {zero: flat}",
        },
        "7:22: op 'dull': backward_inplace holds expressions, beside those of backward",
    ),
    "backward_inplace of another": (
        {
            "kernel": "kernel: dull\n  inplace: {x: out}",
            "backward": "backward: {x: out_grad}\n  backward_inplace: {y: out_grad}",
        },
        "7:22: op 'dull': backward_inplace: no gradient 'y' in backward (there are: x)",
    ),
    "backward_inplace reads the input": (
        {
            "kernel": "kernel: dull\n  inplace: {x: out}",
            "backward": "backward: {x: out_grad + x}\n  backward_inplace: {x: out_grad + x}",
        },
        "7:25: op 'dull': backward_inplace reads 'x', which is overwritten: use the output",
    ),
    "when of a number": (
        {
            "kernel": "kernel: dull\n  inplace: {x: out}",
            "backward": "backward: {x: out_grad}\n  backward_inplace: {x: out_grad, when: 1}",
        },
        "7:41: op 'dull': when must be a truth value",
    ),
    "unreadable custom": (
        {"backward": "backward: {custom: 'rule('}"},
        "5:27: op 'dull': 'rule(' cannot be read: '(' was never closed",
    ),
    "custom": (
        {"backward": "backward: {custom: 1}"},
        "5:22: op 'dull': custom must be the name of a rule or a call of one: rule(x, out_grad)",
    ),
    "operator": (
        {"kernel": "kernel: dull\n  operator: '+-'"},
        "5:13: op 'dull': operator: unknown '+-' (did you mean '-'?)",
    ),
    "operator in a map": (
        {"kernel": "kernel: dull\n  operator: {binary: neg}"},
        "5:22: op 'dull': operator: unknown 'neg' "
        "(there are: +, -, *, /, //, %, **, @, &, |, ^, <<, >>)",
    ),
    "operator of one input": (
        {"kernel": "kernel: dull\n  operator: '-'"},
        "5:13: op 'dull': operator '-' takes 2 inputs, not 1",
    ),
    "operator of another": (
        {
            "inputs": "inputs: {x: tensor, y: tensor}",
            "kernel": "kernel: dull\n  operator: '+'",
            "backward": "backward: {x: out_grad, y: out_grad}",
        },
        "11:13: op 'plus': operator '+' is that of 'dull'",
    ),
    "method": (
        {"kernel": "kernel: dull\n  method: y"},
        "5:11: op 'dull': method: unknown 'y' (there are: none, x)",
    ),
    "alias with an underscore": (
        {"kernel": "kernel: dull\n  aliases: [dim_]"},
        "5:13: op 'dull': alias 'dim_': must end in _ just where the op's name does",
    ),
    "alias that is taken": (
        {"kernel": "kernel: dull\n  aliases: [plus]"},
        "7:3: op 'plus': op 'plus' is taken; first in ops.yaml:5",
    ),
    "unlisted role": (
        {"kernel": "kernel: dull\n  role: accumulate"},
        "5:9: op 'dull': role 'accumulate' is not listed in roles",
    ),
    "kernel of two signatures": (
        {"kernel": "kernel: plus"},
        "6:3: op 'plus': kernel 'plus' would be 'void plus(const Tensor& x, const Tensor& y, "
        "Tensor& out)', but for 'dull' (ops.yaml:1) it is "
        "'void plus(const Tensor& x, Tensor& out)'",
    ),
}


@pytest.mark.parametrize("case", ACROSS)
def test_entry(tmp_path: Path, case: str) -> None:
    keys, expected = ACROSS[case]
    # The op that expressions call comes behind, so that lines are those of the entry.
    assert f"ops.yaml:{expected}" in problems(tmp_path, entry(keys) + ADD)
