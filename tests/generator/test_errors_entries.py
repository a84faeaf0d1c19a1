"""One test for each way in which a key of an entry can be wrong: place, message, way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generator.registries import ADD, entry, problems


def test_the_good_entry_is_good(tmp_path: Path) -> None:
    assert problems(tmp_path, ADD + entry()) == []


# What is wrong -> an entry (or a file), and the errors with their places.
ENTRIES: dict[str, tuple[dict[str, str | None], str]] = {
    "unknown key": (
        {"kernel": "kernal: dull"},
        "4:3: op 'dull': unknown key 'kernal' (did you mean 'kernel'?)",
    ),
    "no doc": (
        {"doc": None},
        "1:3: op 'dull': doc is missing: one sentence that says what the op gives",
    ),
    "cut flow map": (
        {"backward": "backward: {x: where(c, g, 0)}"},
        "5:26: op 'dull': backward: 'g' has no value; a flow map {...} is cut at every comma: "
        "quote it",
    ),
    "missing value": (
        {"kernel": "attrs:\n    n:\n    m: int"},
        "5:5: op 'dull': attrs: 'n' has no value; write it or leave the key out",
    ),
    "map expected": (
        {"inputs": "inputs: [x]"},
        "3:11: op 'dull': inputs must be a map, not a list",
    ),
    "list expected": (
        {"kernel": "aliases: dim"},
        "4:12: op 'dull': aliases must be a list, not 'dim'",
    ),
    "text expected": (
        {"doc": "doc: [a]"},
        "2:8: op 'dull': doc must be a text, not a list",
    ),
    "expression expected": (
        {"backward": "backward: {x: [out_grad]}"},
        "5:17: op 'dull': backward of 'x' must be an expression, not a list; quote it",
    ),
    "true or false": (
        {"kernel": "kernel: dull\n  elementwise: yes"},
        "5:16: op 'dull': elementwise must be true or false, not 'yes'",
    ),
    "quoted true": (
        {"kernel": "kernel: dull\n  elementwise: 'true'"},
        "5:16: op 'dull': elementwise must be true or false, not 'true'",
    ),
    "choice of a key": (
        {"kernel": "kernel: dull\n  kernel_in_place: sure"},
        "5:20: op 'dull': kernel_in_place: unknown 'sure' (there are: safe)",
    ),
    "not a name": (
        {"kernel": "kernel: dull-kernel"},
        "4:11: op 'dull': kernel 'dull-kernel' is not a name (letters, digits, _)",
    ),
    "underscore": (
        {"kernel": "kernel: dull__er"},
        "4:11: op 'dull': kernel 'dull__er' may not begin with _ or hold __",
    ),
    "keyword": (
        {"kernel": "attrs: {double: int}"},
        "4:11: op 'dull': attribute 'double' is a keyword of C++ or Python: choose another name",
    ),
    "reserved name": (
        {"kernel": "attrs: {trace: int}"},
        "4:11: op 'dull': attribute 'trace' is a name that generated code uses: choose another",
    ),
    "name of a node's member": (
        {"kernel": "kernel: dull\n  attrs: {needs: int}"},
        "5:11: op 'dull': 'needs' is a name that gradient nodes use: choose another",
    ),
    "input type": (
        {"inputs": "inputs: {x: tenser}"},
        "3:15: op 'dull': input 'x': unknown 'tenser' (did you mean 'tensor'?)",
    ),
    "input without type": (
        {"inputs": "inputs: {x: {grad: false}}"},
        "3:15: op 'dull': input 'x': type is missing",
    ),
    "input category": (
        {"inputs": "inputs: {x: {type: tensor, dtype: real}}"},
        "3:37: op 'dull': dtype of input 'x': unknown 'real' "
        "(there are: bool, float, integer, number)",
    ),
    "input reads": (
        {"inputs": "inputs: {x: {type: tensor, reads: all}}"},
        "3:37: op 'dull': reads of input 'x': unknown 'all' (there are: shape)",
    ),
    "unknown key of an input": (
        {"inputs": "inputs: {x: {type: tensor, gard: false}}"},
        "3:30: op 'dull': unknown key 'gard' of input 'x' (did you mean 'grad'?)",
    ),
    "input and attribute": (
        {"kernel": "kernel: dull\n  attrs: {x: int}"},
        "5:11: op 'dull': 'x' is both an input and an attribute",
    ),
    "attribute type": (
        {"kernel": "kernel: dull\n  attrs: {n: integer}"},
        "5:14: op 'dull': attribute 'n': unknown 'integer' (did you mean 'int'?)",
    ),
    "attribute without type": (
        {"kernel": "kernel: dull\n  attrs: {n: {default: 1}}"},
        "5:11: op 'dull': attribute 'n': type is missing",
    ),
    "choices of a number": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: int, choices: [a]}}"},
        "5:11: op 'dull': attribute 'n': choices are for type str, not int",
    ),
    "null default": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: int, default: null}}"},
        "5:35: op 'dull': attribute 'n': null needs an optional type, 'int?'",
    ),
    "default of an optional": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: 'int?', default: 1}}"},
        "5:38: op 'dull': attribute 'n': the default of an optional type is null",
    ),
    "default outside of choices": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: str, choices: [a], default: b}}"},
        "5:49: op 'dull': attribute 'n': default is none of its choices",
    ),
    "default type": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: int, default: 1.5}}"},
        "5:35: op 'dull': attribute 'n': default must be a int, not '1.5'",
    ),
    "default list": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: 'int[]', default: [a]}}"},
        "5:39: op 'dull': attribute 'n': default must be a list of integers",
    ),
    "default of a map": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: int, default: {}}}"},
        "5:35: op 'dull': attribute 'n': default must be a int, not a map",
    ),
    "default dtype": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: dtype, default: float16}}"},
        "5:37: op 'dull': attribute 'n': unknown dtype 'float16' (did you mean 'float64'?)",
    ),
    "no default behind one": (
        {"kernel": "kernel: dull\n  attrs: {n: {type: int, default: 1}, m: int}"},
        "5:39: op 'dull': attribute 'm' without a default stands behind 'n', which has one",
    ),
    "shape without of": (
        {"kernel": "kernel: dull\n  attrs: {s: shape}"},
        "5:11: op 'dull': attribute 's' of type shape must say of which input: 'of: x'",
    ),
    "of unknown input": (
        {"kernel": "kernel: dull\n  attrs: {s: {type: axis, of: y}}"},
        "5:31: op 'dull': attribute 's': unknown input 'y' (there are: x)",
    ),
    "of of a number": (
        {"kernel": "kernel: dull\n  attrs: {s: {type: int, of: x}}"},
        "5:30: op 'dull': attribute 's': 'of' is for axis, axes, shape and index",
    ),
    "within of a number": (
        {"kernel": "kernel: dull\n  attrs: {s: 'int[]', i: {type: int, within: s}}"},
        "5:46: op 'dull': attribute 'i': 'within' is for index",
    ),
    "within no lengths": (
        {"kernel": "kernel: dull\n  attrs: {s: 'int[]', i: {type: index, within: t}}"},
        "5:48: op 'dull': attribute 'i': no int[] attribute 't' before it (there are: s)",
    ),
    "outputs of no inputs": (
        {"inputs": "inputs: {}", "backward": "backward: {none: no inputs}"},
        "1:3: op 'dull': outputs must be declared where there is no tensor input to be like",
    ),
    "output without shape": (
        {
            "inputs": "inputs: {}\n  outputs: {y: {dtype: bool}}",
            "backward": "backward: {none: no inputs}",
        },
        "4:13: op 'dull': output 'y': shape is missing, and there is no input to be like",
    ),
    "output and input": (
        {"inputs": "inputs: {x: tensor}\n  outputs: {x: same(x)}", "backward": None},
        "4:13: op 'dull': 'x' is both an output and an input",
    ),
    "output type": (
        {"kernel": "kernel: dull\n  outputs: {out: {type: tensors}}"},
        "5:25: op 'dull': output 'out': unknown 'tensors' (did you mean 'tensor'?)",
    ),
    "list output of a kernel": (
        {
            "kernel": "kernel: dull\n  outputs: {out: {type: 'tensor[]'}}",
            "backward": "backward: {x: 0}",
        },
        "5:13: op 'dull': output 'out': a list output needs a composite",
    ),
    "clash with a gradient": (
        {"inputs": "inputs: {x: tensor, out_grad: tensor}"},
        "3:23: op 'dull': 'out_grad' would also be the gradient of output 'out'",
    ),
    "shape function": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: squeezd(x)}}"},
        "5:26: op 'dull': unknown shape function 'squeezd' (did you mean 'squeezed'?)",
    ),
    "shape of unknown input": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: same(y)}}"},
        "5:26: op 'dull': same(): unknown input 'y' (there are: x)",
    ),
    "same of two": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: 'same(x, x)'}}"},
        "5:27: op 'dull': same() takes one input",
    ),
    "number of arguments of a shape": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: 'squeezed(x)'}}"},
        "5:27: op 'dull': squeezed() takes 2 arguments, not 1",
    ),
    "too few for a list of arguments": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: 'broadcast()'}}"},
        "5:27: op 'dull': broadcast() takes 1 or more arguments, not 0",
    ),
    "argument of a shape": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: 'squeezed(x, [1])'}}"},
        "5:27: op 'dull': squeezed(): '[1]' must be a name",
    ),
    "list needed in a shape": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: 'concat_shape(x, 0)'}}"},
        "5:27: op 'dull': concat_shape(): 'x' must be a tensor[]",
    ),
    "list not wanted in a shape": (
        {
            "inputs": "inputs: {x: 'tensor[]'}\n  attrs: {n: int}",
            "kernel": "kernel: dull\n  outputs: {out: {shape: 'taken(x, x, n)', dtype: bool}}",
        },
        "6:27: op 'dull': taken(): 'x' is a list, expected a tensor",
    ),
    "same of a list": (
        {
            "inputs": "inputs: {x: 'tensor[]'}",
            "kernel": "kernel: dull\n  outputs: {out: same(x)}",
        },
        "5:18: op 'dull': same(): 'x' is a list",
    ),
    "attribute as a shape": (
        {"kernel": "kernel: dull\n  attrs: {n: int}\n  outputs: {out: {shape: n}}"},
        "6:26: op 'dull': attribute 'n' of type int is not a shape",
    ),
    "unknown attribute as a shape": (
        {"kernel": "kernel: dull\n  attrs: {lengths: 'int[]'}\n  outputs: {out: {shape: length}}"},
        "6:26: op 'dull': unknown attribute 'length' as a shape (did you mean 'lengths'?)",
    ),
    "fixed shape": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: '[2, -1]'}}"},
        "5:27: op 'dull': a fixed shape holds lengths, not '-1'",
    ),
    "no shape at all": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: 3 + 4}}"},
        "5:26: op 'dull': '3 + 4' is not a shape: a function, an attribute or a list",
    ),
    "no dtype at all": (
        {"kernel": "kernel: dull\n  outputs: {out: {dtype: 3}}"},
        "5:26: op 'dull': '3' is not a dtype: a function, a name of a dtype",
    ),
    "dtype of a word": (
        {"kernel": "kernel: dull\n  attrs: {n: int}\n  outputs: {out: {dtype: dtype(n)}}"},
        "6:26: op 'dull': dtype() takes an input or a scalar attribute",
    ),
    "unreadable shape": (
        {"kernel": "kernel: dull\n  outputs: {out: {shape: 'same(x'}}"},
        "5:31: op 'dull': 'same(x' cannot be read: '(' was never closed",
    ),
    "in-place input": (
        {"kernel": "kernel: dull\n  inplace: {y: out}"},
        "5:13: op 'dull': inplace: unknown input 'y' (there are: x)",
    ),
    "in-place output": (
        {"kernel": "kernel: dull\n  inplace: {x: ouch}"},
        "5:16: op 'dull': inplace: unknown output 'ouch' (there are: out)",
    ),
    "in-place output twice": (
        {
            "inputs": "inputs: {x: tensor, y: tensor}",
            "kernel": "kernel: dull\n  inplace: {x: out, y: out}",
            "backward": "backward: {zero: flat}",
        },
        "5:24: op 'dull': inplace: output 'out' is in two pairs",
    ),
    "in-place hidden output": (
        {
            "kernel": "kernel: dull\n  outputs: {out: same(x), h: {hidden: true}}"
            "\n  inplace: {x: h}",
        },
        "6:13: op 'dull': inplace: output 'h' is hidden",
    ),
    "in-place list": (
        {
            "inputs": "inputs: {x: 'tensor[]'}",
            "kernel": "kernel: dull\n  outputs: {out: {shape: '[]', dtype: promoted(x)}}"
            "\n  inplace: {x: out}\n  update: true",
            "backward": None,
        },
        "6:13: op 'dull': inplace: 'x' is a list, and 'out' is not",
    ),
    "in-place list of no update": (
        {
            "inputs": "inputs: {x: 'tensor[]'}",
            "kernel": "composite: {function: dull}\n  outputs: {out: {type: 'tensor[]'}}"
            "\n  inplace: {x: out}",
            "backward": None,
        },
        "6:13: op 'dull': inplace: a list such as 'x' needs update: true",
    ),
    "several pairs": (
        {
            "inputs": "inputs: {x: tensor, y: tensor}",
            "kernel": "kernel: dull\n  outputs: {a: same(x), b: same(y)}\n  inplace: {x: a, y: b}",
            "backward": "backward: {zero: flat}",
        },
        "6:19: op 'dull': several in-place pairs need update: true",
    ),
    "another dtype and two outputs": (
        {
            "kernel": "kernel: dull\n  outputs: {a: {dtype: bool}, b: same(x)}\n  inplace: {x: a}",
            "backward": "backward: {zero: flat}",
        },
        "6:13: op 'dull': inplace with another dtype or element count allows one output",
    ),
    "paired output behind another": (
        {
            "kernel": "kernel: dull\n  outputs: {a: same(x), b: same(x)}\n  inplace: {x: b}",
            "backward": "backward: {x: a_grad + b_grad}",
        },
        "6:13: op 'dull': inplace: 'b' must be the first output that can have a gradient",
    ),
    "update without in-place": (
        {"kernel": "kernel: dull\n  update: true", "backward": None},
        "1:3: op 'dull': update: true without inplace: what does it update?",
    ),
    "none of a float": (
        {"kernel": "kernel: dull\n  inplace: {x: out}", "backward": "backward: {none: no way}"},
        "6:14: op 'dull': none, but the in-place form gives a float 'out': say zero or missing",
    ),
    "view without write": (
        {"kernel": "kernel: dull\n  view: {x: out}"},
        "5:10: op 'dull': a view needs write: the new input from the input and a new output",
    ),
    "write without view": (
        {"kernel": "kernel: dull\n  write: {x: out}"},
        "5:11: op 'dull': write is for views: declare view",
    ),
    "write of another": (
        {"kernel": "kernel: dull\n  view: {x: out}\n  write: {y: out}"},
        "6:11: op 'dull': write: 'y' is not the view's input (there are: x)",
    ),
    "write of two": (
        {"kernel": "kernel: dull\n  view: {x: out}\n  write: {x: out, y: out}"},
        "6:10: op 'dull': write names one input: {x: expression}",
    ),
    "write of a number": (
        {"kernel": "kernel: dull\n  view: {x: out}\n  write: {x: 1}"},
        "6:14: op 'dull': write must be a tensor, not an integer",
    ),
    "view of two": (
        {"kernel": "kernel: dull\n  view: {x: out, y: out}\n  write: {x: out}"},
        "5:18: op 'dull': view: unknown input 'y' (there are: x)",
    ),
    "two views": (
        {
            "inputs": "inputs: {x: tensor, y: tensor}",
            "kernel": "kernel: dull\n  view: {x: out, y: out}\n  write: {x: out}",
            "backward": "backward: {x: out_grad, y: 0}",
        },
        "5:18: op 'dull': view names one input and one output",
    ),
    "view with two outputs": (
        {
            "kernel": "kernel: dull\n  outputs: {a: same(x), b: same(x)}\n  view: {x: a}"
            "\n  write: {x: a}",
            "backward": "backward: {x: a_grad}",
        },
        "6:10: op 'dull': a view has one input and one output",
    ),
    "view of a composite": (
        {
            "kernel": "composite: x + x\n  view: {x: out}\n  write: {x: out}",
            "backward": None,
        },
        "5:10: op 'dull': a view needs a kernel that answers its map",
    ),
    "writes of no view": (
        {"kernel": "kernel: dull\n  inplace: {x: out}\n  writes: plus(x, x)"},
        "6:11: op 'dull': writes must be a call of a view op on 'x', such as a slice",
    ),
    "writes without in-place": (
        {"kernel": "kernel: dull\n  writes: plus(x, x)"},
        "5:11: op 'dull': writes is for ops with one in-place pair",
    ),
}


@pytest.mark.parametrize("case", ENTRIES)
def test_entry(tmp_path: Path, case: str) -> None:
    keys, expected = ENTRIES[case]
    # The op that expressions call comes behind, so that lines are those of the entry.
    assert f"ops.yaml:{expected}" in problems(tmp_path, entry(keys) + ADD)
