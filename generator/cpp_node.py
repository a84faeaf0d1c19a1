"""The gradient node of an op as C++: members, what it verifies, what it lets go of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.conditions import Condition, all_of, any_of, negated
from generator.emit_eager import EagerEmitter
from generator.expressions import Ref, Source, Type
from generator.plan import Guard, LikePlan, NodePlan
from generator.spelling import member_type

METADATA_MEMBER = {
    "shape": "Dims", "dtype": "DType", "numel": "std::int64_t", "ndim": "int",
    "sizes": "std::vector<std::int64_t>",
}  # fmt: skip


@dataclass(frozen=True)
class NodeText:
    class_name: str
    base: str
    constructor: str
    members: list[str]
    verify: list[str]
    release: list[str]


@dataclass(frozen=True)
class NodeNames:
    """Names inside the node: members, and locals of backward()."""

    plan: NodePlan
    locals: dict[str, str] = field(default_factory=dict)  # of saved values read twice
    grads: dict[str, str] = field(default_factory=dict)  # of output gradients under other names

    def value(self, ref: Ref) -> str:
        if ref.source is Source.GRAD:
            return self.grads.get(ref.name, f"{ref.name}_grad")
        if ref.source in (Source.ATTR, Source.LET):
            return ref.name
        return self.locals.get(ref.name, f"{ref.name}.get(*this)")

    def metadata(self, function: str, ref: Ref) -> str:
        if ref.source is Source.GRAD:
            member = {"ndim": "rank"}.get(function, function)
            return f"{self.value(ref)}.{member}()"
        return f"{ref.name}_{'rank' if function == 'ndim' else function}"

    def present(self, ref: Ref) -> str:
        return f"{ref.name}.has_value()" if ref.source is Source.ATTR else f"{ref.name}_present"

    def needs(self, name: str, decided: bool) -> str:
        return edge_test(self.plan, name, "connected" if decided else "needs")


def node_text(plan: NodePlan) -> NodeText:
    slots = max(len(plan.slots), 1)
    name = plan.class_name
    info = f"op_info::{plan.op.name}"
    if plan.list_edge is not None:
        base = f"ListNodeOf<{name}{f', {slots}' if slots > 1 else ''}>"
        constructor = f"explicit {name}(std::size_t inputs) : ListNodeOf({info}, inputs) {{}}"
    else:
        base = f"NodeOf<{name}, {len(plan.edges)}{f', {slots}' if slots > 1 else ''}>"
        constructor = f"{name}() : NodeOf({info}) {{}}"
    return NodeText(
        class_name=name,
        base=base,
        constructor=constructor,
        members=_members(plan),
        verify=_verify(plan),
        release=[f"{kept.ref.name}.release();" for kept in plan.values],
    )


def _members(plan: NodePlan) -> list[str]:
    members = []
    for kind, wanted in (("Saved", Type.TENSOR), ("SavedList", Type.TENSORS)):
        names = [kept.ref.name for kept in plan.values if kept.ref.type is wanted]
        if names:
            members.append(f"{kind} {', '.join(names)};")
    for kind, lists in (("Like", False), ("LikeList", True)):
        likes = [like_member(like) for like in plan.likes if like.input.is_list is lists]
        if likes:
            members.append(f"{kind} {', '.join(likes)};")
    members += [f"{METADATA_MEMBER[m.function]} {m.member};" for m in plan.metadata]
    members += [f"bool {name}_present;" for name in plan.present]
    members += [f"{member_type(plan.op.attr(name))} {name};" for name in plan.attrs]
    return members


def _verify(plan: NodePlan) -> list[str]:
    emitter = EagerEmitter(NodeNames(plan))
    return [
        f"if ({guards_hold(plan, kept.guards, emitter, 'needs').text}) "
        f"{kept.ref.name}.verify(*this);"
        for kept in plan.values
    ]


def like_member(like: LikePlan) -> str:
    return f"{like.input.name}_like"


# --- Conditions.


def edge_test(plan: NodePlan, name: str, function: str) -> str:
    """needs(i) or connected(i); for a list, whether any of it."""
    is_list = plan.list_edge is not None and plan.list_edge.name == name
    return f"{function}{'_from' if is_list else ''}({plan.edge(name)})"


def edges_wanted(plan: NodePlan, names: Iterable[str], ask: str) -> Condition:
    """Whether one of these inputs' gradients is wanted; ask: needs, connected, node->connected."""
    wanted = set(names)
    return any_of(Condition(edge_test(plan, i.name, ask)) for i in plan.edges if i.name in wanted)


def tests_hold(guard: Guard, emitter: EagerEmitter) -> list[Condition]:
    return [emitter.test(t) if holds else negated(emitter.test(t)) for t, holds in guard.tests]


def guards_hold(
    plan: NodePlan, guards: tuple[Guard, ...], emitter: EagerEmitter, ask: str
) -> Condition:
    """The condition under which a value is read."""
    ways = []
    for guard in guards:
        parts = tests_hold(guard, emitter)
        # One of the edges is there whenever a node is made.
        every = {i.name for i in plan.edges} <= guard.inputs
        if not (parts and every and ask != "needs"):
            parts.insert(0, edges_wanted(plan, guard.inputs, ask))
        ways.append(all_of(parts))
    return any_of(ways)
