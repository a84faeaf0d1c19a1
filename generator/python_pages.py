"""The Python side of generated/: bindings of each family, their tables, the stub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import jinja2

from generator import layout
from generator.model import Op, Registry
from generator.plan import NodePlans
from generator.python_text import PythonForm, python_forms
from generator.stubs import function_stub, method_stub, operator_stubs

STUB = "oploom_stubs/_ops.pyi"


def python_files(
    env: jinja2.Environment, registry: Registry, plans: dict[str, NodePlans], source: str
) -> dict[str, str]:
    forms = {op.decl.name: python_forms(op, plans[op.decl.name]) for op in registry.ops}
    public = {
        family: ops
        for family, ops in registry.families().items()
        if any(forms[op.decl.name] for op in ops)
    }
    files = {}
    for family, ops in public.items():
        page = env.get_template("python_family.cpp.j2")
        files[f"python/{family}.cpp"] = page.render(family_page(family, ops, forms))
    tables = env.get_template("python_tables.h.j2")
    files["python/tables.h"] = tables.render(source=source, families=list(public))
    stub = env.get_template("stub.pyi.j2")
    every = [form for ops in public.values() for op in ops for form in forms[op.decl.name]]
    files[STUB] = stub.render(source=source, **stub_page(every))
    return files


def python_pieces(op: Op, plans: NodePlans) -> Iterator[tuple[str, list[str]]]:
    """What is generated for one op on the Python side, by file."""
    forms = python_forms(op, plans)
    if not forms:
        return
    code: list[str] = []
    for form in forms:
        code.append(layout.fit(form.signature()))
        head = f"PyObject* call_{form.name}(const Arguments<{form.name}_signature>& in)"
        code += [f"{head} {{", *(layout.fit(line, 2) for line in form.body()), "}"]
    for form in forms:
        code += [*form.function_rows(), *form.method_rows(), *form.operator_rows()]
    yield f"python/{op.decl.family}.cpp", code
    stub: list[str] = []
    for form in forms:
        for name in form.names():
            stub += function_stub(form, name)
    for form in forms:
        for name in form.names() if form.is_method else ():
            stub += method_stub(form, name)
        for operator in op.decl.operators:
            stub += operator_stubs(form, operator)
    yield STUB, stub


def family_page(
    family: str, ops: Iterable[Op], forms: dict[str, list[PythonForm]]
) -> dict[str, object]:
    ops = list(ops)
    public = [op for op in ops if forms[op.decl.name]]
    every = [form for op in public for form in forms[op.decl.name]]
    rows = {
        "functions": ("EntryRow", [r for form in every for r in form.function_rows()]),
        "methods": ("EntryRow", [r for form in every for r in form.method_rows()]),
        "operators": ("OperatorRow", [r for form in every for r in form.operator_rows()]),
    }
    fields = [f'"{family}"', *(name if found else "{}" for name, (_, found) in rows.items())]
    return {
        "source": ops[0].decl.source,
        "family": family,
        "ops": [op_entry(op, forms[op.decl.name]) for op in public],
        "tables": [
            {"name": name, "type": kind, "rows": sorted(found)}
            for name, (kind, found) in rows.items()
            if found
        ],
        "table_fields": ", ".join(fields),
    }


def op_entry(op: Op, forms: list[PythonForm]) -> dict[str, object]:
    place = f"{op.decl.source}:{op.decl.place.line}"
    return {
        "heading": layout.rule(op.decl.name, place),
        "forms": [{"name": f.name, "signature": f.signature(), "body": f.body()} for f in forms],
    }


def stub_page(forms: list[PythonForm]) -> dict[str, object]:
    functions = {name: function_stub(form, name) for form in forms for name in form.names()}
    methods = {
        name: method_stub(form, name) for form in forms if form.is_method for name in form.names()
    }
    operators = [
        operator_stubs(form, operator) for form in forms for operator in form.decl.operators
    ]
    return {
        "names": sorted(functions),
        "functions": [functions[name] for name in sorted(functions)],
        "methods": [
            *(methods[name] for name in sorted(methods)),
            *sorted(lines for lines in operators if lines),
        ],
    }
