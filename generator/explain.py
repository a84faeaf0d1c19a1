"""`list` and `explain`: the registry and what is generated from it, to read."""

from __future__ import annotations

from generator.describe import gradient_fact
from generator.model import Op, Registry
from generator.render import Renderer


def find(registry: Registry, name: str) -> Op | None:
    """The op of that name, alias, or in-place form."""
    for wanted in (name, name.removesuffix("_")):
        for op in registry.ops:
            if wanted == op.decl.name or wanted in (a.name for a in op.decl.aliases):
                return op
    return None


def listing(registry: Registry) -> str:
    """One line for each op: name, forms, place, what it does."""
    rows = []
    for op in sorted(registry.ops, key=lambda o: o.decl.name):
        decl = op.decl
        forms = [decl.name] if decl.has_plain else []
        forms += [decl.inplace_name] if decl.inplace_name else []
        place = f"{decl.source}:{decl.place.line}"
        doc = decl.doc.split(". ")[0].rstrip(".")
        rows.append((" ".join(forms), place, f"(internal) {doc}" if decl.internal else doc))
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    return "\n".join(f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c in rows)


def explain(renderer: Renderer, name: str) -> str | None:
    """Everything that is generated for one op; None where there is no such op."""
    op = find(renderer.registry, name)
    if op is None:
        return None
    decl = op.decl
    parts = [f"{decl.name}  ({decl.source}:{decl.place.line})", decl.doc]
    fact = gradient_fact(op, renderer.plans_of(op))
    if fact:
        parts.append(fact)
    for title, lines in renderer.pieces(op):
        parts += ["", f"==== {title}", "", *lines]
    return "\n".join(parts)
