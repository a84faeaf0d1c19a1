"""Programs as files and as pictures: what they keep, and that broken files are refused."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import array, check, leaf

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def rich() -> tuple[ol.Program, Any, list[Any]]:
    """A program with a parameter that it writes, in-place ops, a branch, a loop and an array."""
    w = leaf([1.0, 2.0])
    w.name = "w"
    program = ol.Program()
    with program:
        x = program.input("x", [None], "float64", stop_gradient=False)
        y = x * 2
        y[:1] = 7.0
        y.add_(w)
        entries = ol.TensorArray()

        def body(i: Any, s: Any) -> Any:
            entries.write(i, s)
            return i + 1, s * y.sum()

        start = [ol.zeros([], dtype="int64"), ol.ones([], dtype="float64")]
        _, s = ol.while_loop(lambda i, s: i < 3, body, start)
        z = ol.cond(s > 0, lambda: ol.tanh(y), lambda: y * s)
        grads: list[Any] = ol.grad(z, [x, w])
        total = entries.stack().sum(axis=0)
        with ol.no_grad():
            w.subtract_(0.1 * grads[1])
    return program, w, [z, s, total, *grads]


def outcome(program: ol.Program, fetch: list[Any]) -> list[bytes]:
    return [array(x).tobytes() for x in program.run({"x": np.array([0.5, -2.0])}, fetch)]


# --- Files.


@pytest.mark.parametrize("passes", [[], ["functionalize"], ["apply_inplace", "clean_up"]])
def test_a_file_keeps_everything(passes: list[str], tmp_path: Path) -> None:
    program, w, values = rich()
    for name in passes:
        getattr(program, name)(*([values] if name == "apply_inplace" else []))
    path = tmp_path / "program.yaml"
    program.save(path)
    loaded = ol.Program.load(str(path))
    assert str(loaded) == str(program)
    assert loaded.is_inplace_net() == program.is_inplace_net()
    (parameter,) = loaded.parameters()
    assert parameter is not w
    assert (parameter.name, parameter.stop_gradient) == ("w", False)
    check(parameter, [1.0, 2.0])
    names = [x.name for x in values]
    for _ in range(2):
        assert outcome(loaded, names) == outcome(program, values)
        assert array(parameter).tobytes() == array(w).tobytes()
        assert parameter.inplace_version == w.inplace_version
    again = tmp_path / "again.yaml"
    program.save(again)
    loaded.save(path)
    assert path.read_text() == again.read_text()


def test_parameters_that_nobody_named_keep_the_files_names(tmp_path: Path) -> None:
    w = ol.to_tensor([2.0, 3.0])
    with ol.Program() as program:
        y = program.input("x", [2]) * w
    program.save(tmp_path / "a.yaml")
    loaded = ol.Program.load(tmp_path / "a.yaml")
    (parameter,) = loaded.parameters()
    assert parameter.name == w.name
    assert repr(loaded.value(parameter.name)) == repr(program.value(w.name))
    check(loaded.run({"x": [1.0, 1.0]}, [w.name, y.name])[0], [2.0, 3.0])
    assert str(loaded) == str(program)


def test_a_loaded_program_is_recorded_on_and_differentiated(tmp_path: Path) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        y = x * x
    program.save(tmp_path / "a.yaml")
    loaded = ol.Program.load(tmp_path / "a.yaml")
    with loaded:
        z = loaded.value(y.name) * 3
        g: Any = ol.grad(z, [loaded.value("x")])[0]
    found = loaded.run({"x": [1.0, 2.0]}, [z, g])
    check(found[0], [3.0, 12.0])
    check(found[1], [6.0, 12.0])
    assert loaded.inputs()[0].name == "x"


def test_a_draw_is_the_same_after_loading(tmp_path: Path) -> None:
    program = ol.Program()
    with program:
        ol.rand([2])
        x = ol.rand([4])
    program.save(tmp_path / "a.yaml")
    loaded = ol.Program.load(tmp_path / "a.yaml")
    ol.seed(5)
    expected = array(program.run(fetch=x)[0])
    ol.seed(5)
    np.testing.assert_array_equal(array(loaded.run(fetch=x.name)[0]), expected)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64", "float32", "float64"])
def test_parameters_and_constants_of_every_dtype(dtype: str, tmp_path: Path) -> None:
    data = (np.arange(6).reshape(2, 3) % 4).astype(dtype)
    w = ol.to_tensor(data)
    odd = ol.to_tensor(np.array([np.nan, np.inf, -0.0, 5e-324]))
    program = ol.Program()
    with program:
        values = [w.clone(), ol.to_tensor(data).clone(), odd.clone(), ol.full([], float("inf"))]
    program.save(tmp_path / "a.yaml")
    loaded = ol.Program.load(tmp_path / "a.yaml")
    found = loaded.run(fetch=[x.name for x in values])
    for a, b in zip(found, program.run(fetch=values), strict=True):
        assert a.dtype == b.dtype
        assert array(a).tobytes() == array(b).tobytes()


def test_the_gradient_of_a_masked_write_is_saved(tmp_path: Path) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [3], "float64", stop_gradient=False)
        y = x + 1
        y[x > 0] = 2.0
        g: Any = ol.grad(y, [x])[0]
    program.save(tmp_path / "a.yaml")
    (found,) = ol.Program.load(tmp_path / "a.yaml").run({"x": [1.0, -1.0, 2.0]}, g.name)
    check(found, [0.0, 1.0, 0.0])


def test_the_gradient_of_a_stack_in_a_branch_is_loaded(tmp_path: Path) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [3], "float64", stop_gradient=False)
        entries = ol.TensorArray()
        entries.write(0, x)
        y = ol.cond(x[0] > 0, lambda: ol.sum(entries.stack(), axis=0), lambda: x * 1)
        g: Any = ol.grad(y, [x])[0]
    program.save(tmp_path / "a.yaml")
    (found,) = ol.Program.load(tmp_path / "a.yaml").run({"x": [1.0, -1.0, 2.0]}, g.name)
    check(found, [1.0, 1.0, 1.0])


def test_what_a_file_says_of_later_lengths_is_tested_by_a_run(
    tmp_path: Path,
) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [3], "float64", stop_gradient=False)
        entries = ol.TensorArray()
        entries.write(0, x)
        y = ol.cond(x[0] > 0, lambda: ol.sum(entries.stack(), axis=0), lambda: x * 1)
        g: Any = ol.grad(y, [x])[0]
    program.save(tmp_path / "a.yaml")
    lines = (tmp_path / "a.yaml").read_text().splitlines()
    at = [i for i, line in enumerate(lines) if "shape: [-1, 3]}, metadata" in line]
    assert len(at) == 2

    def told(shape: str) -> Any:
        new = list(lines)
        for i in at:
            new[i] = lines[i].replace("shape: [-1, 3]", f"shape: {shape}")
            new[i] = new[i].replace("float64[?, 3]", f"float64{shape}")
        (tmp_path / "b.yaml").write_text("\n".join(new))
        return ol.Program.load(tmp_path / "b.yaml")

    check(told("[1, 3]").run({"x": [1.0, -1.0, 2.0]}, g.name)[0], [1.0, 1.0, 1.0])
    check(told("[7, 3]").run({"x": [-1.0, -1.0, 2.0]}, g.name)[0], [1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="expand") as caught:
        told("[7, 3]").run({"x": [1.0, -1.0, 2.0]}, g.name)
    assert "[expand] shape: expected [7, 3] (-1: any)" in str(caught.value)
    with pytest.raises(ValueError, match="expand"):
        told("[7, 5]")


# --- Broken files.


def saved(tmp_path: Path) -> str:
    program, _, _ = rich()
    program.save(tmp_path / "good.yaml")
    return (tmp_path / "good.yaml").read_text()


def refuse(tmp_path: Path, text: str) -> str:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises((ValueError, TypeError)) as caught:
        ol.Program.load(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"oploom_program: 1", "oploom_program: 99"),
        (r"oploom_program: 1\n", ""),
        (r'op: "tanh"', 'op: "tanhh"'),
        (r'op: "multiply", inputs: \[0, ', 'op: "multiply", inputs: [999, '),
        (r'op: "multiply", inputs: \[0, ', 'op: "multiply", inputs: [0, 0, '),
        (r"needs_grad: true", "needs_grad: perhaps"),
        (r"float64\[\?\]", "float65[?]"),
        (r"float64\[\?\]", "float64[?, -3]"),
        (r'data: "\w+', 'data: "A'),
        (r"results: \[\{value: (\d+)", "results: [{value: 0"),
        (r"keepdim: false", "keepdim: 3"),
        (r"yields: \[", "yields: [999, "),
        (r"ops:", "opps:"),
        (r"role: input", "role: output"),
        (r"role: input", "role: input, colour: red"),
        (r'name: "x"', r'name: "x\\0y"'),
    ],
)
def test_a_broken_file_is_refused_with_its_place(
    pattern: str, replacement: str, tmp_path: Path
) -> None:
    good = saved(tmp_path)
    bad = re.sub(pattern, replacement, good, count=1)
    assert bad != good
    text = refuse(tmp_path, bad)
    assert "[load]" in text
    assert re.search(r"bad\.yaml:\d+:\d+: ", text), text


@pytest.mark.parametrize("text", ["", "[", "a: b: c", "- 1", "oploom_program: [", "\t", "{}", "~"])
def test_what_is_no_program_is_refused_with_its_place(text: str, tmp_path: Path) -> None:
    assert re.search(r"bad\.yaml:\d+:\d+: ", refuse(tmp_path, text))


def test_a_cut_file_is_refused_wherever_it_was_cut(tmp_path: Path) -> None:
    good = saved(tmp_path)
    for end in range(0, len(good) - 1, 97):
        path = tmp_path / "bad.yaml"
        path.write_text(good[:end])
        try:
            ol.Program.load(path)  # what is left may be a smaller program
        except (ValueError, TypeError) as error:
            assert re.search(r"bad\.yaml:\d+:\d+: ", str(error))  # noqa: PT017


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises((ValueError, RuntimeError, OSError)) as caught:
        ol.Program.load(tmp_path / "none.yaml")
    assert str(tmp_path / "none.yaml") in str(caught.value)
    with pytest.raises((ValueError, RuntimeError, OSError)) as caught:
        ol.Program().save(tmp_path / "no folder" / "a.yaml")
    assert "no folder" in str(caught.value)
    with pytest.raises(TypeError):
        ol.Program().save(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="without NUL"):
        ol.Program().save(str(tmp_path / "a\0.yaml"))
    with pytest.raises(TypeError, match="bytes"):
        ol.Program().save(b"a.yaml")  # type: ignore[arg-type]


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    with pytest.raises((ValueError, RuntimeError, OSError)) as caught:
        ol.Program.load(tmp_path)
    assert str(tmp_path) in str(caught.value)


# --- Pictures.


def test_the_picture_has_ops_regions_and_writes_in_another_colour() -> None:
    program, _, _ = rich()
    text = program.dot()
    assert text.startswith("digraph")
    assert "subgraph cluster" in text
    lines = text.splitlines()
    labels = {label: line for line in lines for label in re.findall(r'\[label="(\w+)', line)}
    assert "fillcolor" in labels["add_"]
    assert "fillcolor" not in labels["multiply"]
    assert text.count("{") == text.count("}")
    program.functionalize()
    assert labels["add_"].split("tooltip")[0].split("fillcolor")[1] not in program.dot()


def test_draw_writes_text_without_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, _, _ = rich()
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("a.dot", "a.gv", "A.DOT"):
        program.draw(tmp_path / name)
        assert (tmp_path / name).read_text() == program.dot()
    with pytest.raises(RuntimeError, match=r"install graphviz, or draw to a \.dot file"):
        program.draw(tmp_path / "a.svg")
    with pytest.raises(ValueError, match=r"ends in \.svg, \.png, \.pdf or \.dot"):
        program.draw(str(tmp_path / "a"))


def test_a_picture_may_be_called_like_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dot").write_text('#!/bin/sh\n/bin/cat > "$3"\n')
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    program, _, _ = rich()
    program.draw("-net.svg")
    assert (tmp_path / "-net.svg").read_text() == program.dot()


@needs_graphviz
def test_draw_writes_pictures(tmp_path: Path) -> None:
    program, _, _ = rich()
    program.draw(tmp_path / "a.svg")
    picture = (tmp_path / "a.svg").read_text()
    assert "<svg" in picture
    assert "tanh" in picture
    program.draw(str(tmp_path / "a.png"))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"\[draw\] path: Graphviz cannot draw"):
        program.draw(tmp_path / "a.nothing")
    ol.Program().draw(tmp_path / "empty.svg")


@needs_graphviz
def test_names_and_values_are_quoted(tmp_path: Path) -> None:
    program = ol.Program()
    program.input('a"b\\c\n<d>', [2])
    with program:
        program.inputs()[0] * 2
    program.draw(tmp_path / "a.svg")
    assert "&lt;d&gt;" in (tmp_path / "a.svg").read_text()
