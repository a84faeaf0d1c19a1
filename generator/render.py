"""The registry as files: relative path -> text. Deterministic; knows no time and no machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jinja2

from generator import layout
from generator.cpp_backward import backward_lines
from generator.cpp_forms import FormText
from generator.cpp_headers import (
    call_lines,
    definition_signature,
    functions,
    info_lines,
    ops_h_entry,
    role_entries,
    table_row,
)
from generator.cpp_inplace import inplace_form
from generator.cpp_node import NodeText, node_text
from generator.cpp_plain import plain_form
from generator.emit_defs import (
    call_usings,
    constant,
    declaration,
    family_entry,
    names_in_order,
    role_lines,
)
from generator.includes import includes_of, program_includes_of
from generator.kernels import (
    check_signature,
    kernel_signature,
    makes_results,
    result_signature,
)
from generator.model import Op, Registry
from generator.plan import NodePlans, plan_nodes
from generator.python_pages import python_files, python_pieces
from generator.reference import section
from generator.spelling import quoted


def environment() -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    env.filters["fit"] = layout.fit
    return env


def render(registry: Registry) -> dict[str, str]:
    return Renderer(registry).files()


class Renderer:
    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.env = environment()
        self.plans = {op.decl.name: plan_nodes(op) for op in registry.ops}
        self.root = registry.files[0] if len(registry.files) == 1 else "ops.yaml"

    def files(self) -> dict[str, str]:
        files = self._headers()
        files |= self._program_files()
        files |= python_files(self.env, self.registry, self.plans, self.root)
        for family, ops in self.registry.families().items():
            files[f"ops/{family}.cpp"] = self._family(family, ops)
            files[f"program/{family}.cpp"] = self._program_family(family, ops)
            files[f"reference/{family}.md"] = self._reference(family, ops)
        return files

    def _page(self, template: str, **context: object) -> str:
        return self.env.get_template(template).render(**context)

    def _headers(self) -> dict[str, str]:
        registry, source = self.registry, self.root
        families = registry.families()
        entries = [
            {"name": name, "ops": [ops_h_entry(op, self.plans[op.decl.name]) for op in ops]}
            for name, ops in families.items()
        ]
        by_name = sorted(registry.ops, key=lambda op: op.decl.name)
        rows = [table_row(op) for op in by_name]
        return {
            "ops.h": self._page("ops.h.j2", source=source, families=entries),
            "kernels.h": self._page(
                "kernels.h.j2", source=source, families=self._hand_written(families)
            ),
            "op_table.h": self._page("op_table.h.j2", source=source, infos=info_lines(registry)),
            "op_table.cpp": self._page("op_table.cpp.j2", source=source, rows=rows),
            "roles.h": self._page("roles.h.j2", source=source, roles=role_entries(registry)),
            "calls.h": self._page(
                "calls.h.j2",
                source=source,
                calls=call_lines(registry),
                usings=call_usings(registry),
            ),
        }

    def _hand_written(self, families: dict[str, tuple[Op, ...]]) -> list[dict[str, object]]:
        """Kernels and checks, each once: in the family that comes first."""
        seen: set[str] = set()
        found: list[dict[str, object]] = []
        for name, ops in families.items():
            signatures = []
            for op in ops:
                decl = op.decl
                both = [kernel_signature(decl)] if decl.kernel else []
                both += [check_signature(decl)] if decl.check else []
                both += [result_signature(decl)] if makes_results(decl) else []
                for signature in both:
                    if signature.text not in seen:
                        seen.add(signature.text)
                        signatures.append(f"{signature.text};")
            if signatures:
                found.append({"name": name, "signatures": signatures})
        return found

    def _family(self, family: str, ops: tuple[Op, ...]) -> str:
        body = self._page("family_body.cpp.j2", ops=[self.op_page(op) for op in ops])
        return self._page(
            "family.cpp.j2",
            source=ops[0].decl.source,
            includes=includes_of(body, family),
            body=body,
        )

    def _program_files(self) -> dict[str, str]:
        """The header and the table of program mode."""
        registry, source = self.registry, self.root
        by_name = sorted(registry.ops, key=lambda op: op.decl.name)
        of_name = {op.decl.name: op for op in registry.ops}
        constants = [constant(op) for op in by_name]
        families = [
            {"name": name, "declarations": [declaration(op) for op in ops]}
            for name, ops in registry.families().items()
        ]
        roles = [
            {
                "name": name,
                "op": decl.name,
                "place": f"{decl.source}:{decl.place.line}",
                "functions": role_lines(of_name[decl.name], name),
            }
            for name, decl in registry.roles.items()
        ]
        names = [f"{{{quoted(n)}, &defs::{constant(op)}}}" for n, op in names_in_order(registry)]
        header = self._page(
            "program.h.j2", source=source, constants=constants, families=families, roles=roles
        )
        table = self._page("program_table.cpp.j2", source=source, constants=constants, names=names)
        return {"program.h": header, "program/table.cpp": table}

    def _program_family(self, family: str, ops: tuple[Op, ...]) -> str:
        body = self._page("program_body.cpp.j2", ops=[family_entry(op) for op in ops])
        return self._page(
            "program_family.cpp.j2",
            source=ops[0].decl.source,
            includes=program_includes_of(body, family),
            body=body,
        )

    def _reference(self, family: str, ops: tuple[Op, ...]) -> str:
        public = [op for op in ops if not op.decl.internal]
        index = [f"- [{op.decl.name}](#{op.decl.name})" for op in public]
        return self._page(
            "reference.md.j2",
            source=ops[0].decl.source,
            family=family,
            index=index,
            sections=[section(op, self.plans[op.decl.name])[:-1] for op in ops],
        )

    def pieces(self, op: Op) -> Iterator[tuple[str, list[str]]]:
        """All text that is generated for one op, by file."""
        decl, plans = op.decl, self.plans[op.decl.name]
        alone = self._page("explain.txt.j2", header=ops_h_entry(op, plans), op=self.op_page(op))
        header, code = alone.split("\f\n")
        yield "ops.h", header.strip("\n").split("\n")
        yield f"ops/{decl.family}.cpp", code.strip("\n").split("\n")
        written = [kernel_signature(decl)] if decl.kernel else []
        written += [check_signature(decl)] if decl.check else []
        written += [result_signature(decl)] if makes_results(decl) else []
        if written:
            title = f"kernels.h, to be written in runtime/kernels/{decl.family}.cpp"
            yield title, [layout.fit(f"{signature.text};") for signature in written]
        yield "op_table.cpp", table_row(op)
        yield "calls.h", functions(decl)[0].forward(decl.name) if decl.has_plain else []
        for role in role_entries(self.registry):
            if role["op"] == decl.name:
                yield f"roles.h, role {role['name']}", list(role["functions"])
        yield from python_pieces(op, plans)
        yield f"reference/{decl.family}.md", section(op, plans)[:-1]

    def op_page(self, op: Op) -> dict[str, object]:
        """What the template of a family needs of one op."""
        decl, plans = op.decl, self.plans[op.decl.name]
        nodes = [node_entry(node_text(p), backward_lines(p)) for p in plans.distinct()]
        forms = [plain_form(op, plans.plain)] if decl.has_plain else []
        forms += [inplace_form(op, plans.inplace)] if decl.pairs else []
        return {
            "heading": layout.rule(decl.name, f"{decl.source}:{decl.place.line}"),
            "node_groups": [nodes] if nodes else [],
            "forms": [form_entry(form) for form in forms],
        }

    def plans_of(self, op: Op) -> NodePlans:
        return self.plans[op.decl.name]


def form_entry(form: FormText) -> dict[str, object]:
    return {
        "kind": form.kind,
        "op_info": form.op_info,
        "signature": definition_signature(form),
        "steps": form.steps,
    }


def node_entry(node: NodeText, backward: list[str]) -> dict[str, object]:
    methods = []
    for head, body in (
        ("void verify() const override", node.verify),
        ("void backward() override", backward),
        ("void release() noexcept override", node.release),
    ):
        if body:
            methods += layout.function(head, body, indent=2)
    return {
        "class_name": node.class_name,
        "base": node.base,
        "constructor": node.constructor,
        "members": node.members,
        "methods": methods,
    }
