"""Which headers a generated source needs, by the names that stand in it."""

from __future__ import annotations

import re

SYSTEM = {
    "<array>": r"std::array",
    "<limits>": r"std::numeric_limits",
    "<optional>": r"std::optional|std::nullopt",
    "<span>": r"std::span",
    "<string>": r"std::string\b",
    "<tuple>": r"std::tuple",
    "<utility>": r"std::move",
    "<vector>": r"std::vector",
}
OWN = {
    '"generated/kernels.h"': r"kernels::",
    '"generated/op_table.h"': r"op_info::",
    '"generated/ops.h"': r"imperative_",
    '"generated/roles.h"': r"roles::",
    '"runtime/autograd/inplace.h"': r"InplaceTarget",
    '"runtime/autograd/node.h"': r"NodeOf<",
    '"runtime/autograd/record.h"': r"recording\(|make_view|view_or_copy|has_history",
    '"runtime/autograd/update.h"': r"UpdateTargets",
    '"runtime/autograd/saved.h"': r"\b(Saved|SavedList|Like|LikeList) ",
    '"runtime/core/joined.h"': r"infer::keeps|empty_(float_)?promoted",
    '"runtime/core/error.h"': r"\braise\(",
    '"runtime/core/infer.h"': r"infer::",
    '"runtime/core/prepare.h"': r"\b(contiguous|prepared|sizes)\(",
    '"runtime/tracer/attributes.h"': r"attributes_text",
    '"runtime/tracer/tracer.h"': r"TraceCall",
}


def includes_of(body: str, family: str) -> list[list[str]]:
    """Headers in blocks, each sorted."""
    own = OWN | {f'"runtime/rules/{family}.h"': r"rules::"}
    blocks = [
        [header for header in sorted(block) if re.search(block[header], body)]
        for block in (SYSTEM, own)
    ]
    return [block for block in blocks if block]


PROGRAM = {
    '"generated/kernels.h"': r"kernels::",
    '"generated/program.h"': r"",
    '"runtime/core/joined.h"': r"infer::keeps",
}


def program_includes_of(body: str, family: str) -> list[list[str]]:
    """The same for a family of program mode."""
    own = PROGRAM | {f'"runtime/rules/{family}.h"': r"rules::"}
    blocks = [
        [header for header in sorted(block) if re.search(block[header], body)]
        for block in (SYSTEM, own)
    ]
    return [block for block in blocks if block]
