"""Breaks long lines of C++ at 100 columns, as a person would: at the outermost comma or operator."""

from __future__ import annotations

WIDTH = 100
OPEN, CLOSE = "([{", ")]}"


def fit(text: str, indent: int = 0) -> str:
    """One statement, with its own leading blanks, broken into lines of at most WIDTH columns."""
    own = len(text) - len(text.lstrip())
    if text.lstrip().startswith("//"):
        return _fit_comment(text, indent)
    lines = _broken(text, indent, own)
    blanks = " " * indent
    return "\n".join(blanks + line if line.strip() else "" for line in lines)


def _broken(text: str, indent: int, own: int) -> list[str]:
    if indent + len(text) <= WIDTH:
        return [text]
    body_of_if = _if_body(text, own)
    if body_of_if is not None:
        head, body = body_of_if
        inner = _broken(" " * (own + 2) + body, indent, own + 2)
        return [*_broken(head + " {", indent, own), *inner, " " * own + "}"]
    hang = own + 4
    lines = []
    while indent + len(text) > WIDTH:
        at = _break_position(text, WIDTH - indent)
        if at is None:
            break
        lines.append(text[:at].rstrip())
        text = " " * hang + text[at:].lstrip()
    return [*lines, text]


def _if_body(text: str, own: int) -> tuple[str, str] | None:
    """The head and the body of `if (test) statement;`."""
    if not text[own:].startswith("if ("):
        return None
    depth = 0
    for i, c in enumerate(text):
        depth += (c in OPEN) - (c in CLOSE)
        if c == ")" and depth == 0:
            body = text[i + 1 :].strip()
            return None if body in ("", "{") else (text[: i + 1], body)
    return None


def _break_position(text: str, limit: int) -> int | None:
    """Where to break: after a comma or before ?, :, ||, &&, behind = or an open bracket; the
    outermost place first, of these the last one that fits."""
    found: list[tuple[int, int, int]] = []
    depth, quoted = 0, False
    start = len(text) - len(text.lstrip())
    for i, c in enumerate(text):
        if i >= limit:
            break
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (c in OPEN) - (c in CLOSE)
        if i <= start + 4:
            continue
        rest = text[i:]
        if c == "," and text[i + 1 : i + 2] == " ":
            found.append((depth, 0, i + 1))
        elif rest.startswith((" ? ", " : ", " || ", " && ", " + ")):
            found.append((depth, 0, i + 1))
        elif rest.startswith(" = ") and depth == 0:
            found.append((depth, 0, i + 2))
        elif c in "(" and text[i + 1 : i + 2] not in (")", "("):
            found.append((depth, 1, i + 1))
    if not found:
        return None
    # A comma or operator at the same depth is nicer than behind a bracket; later is nicer than earlier.
    usable = [f for f in found if f[2] < limit]
    outermost = min((f[0], f[1]) for f in usable) if usable else None
    if outermost is None:
        return None
    best = [f for f in usable if (f[0], f[1]) == outermost]
    return max(f[2] for f in best)


def _fit_comment(text: str, indent: int) -> str:
    own = len(text) - len(text.lstrip())
    opener = "/// " if text.lstrip().startswith("///") else "// "
    words = text.lstrip().lstrip("/").split()
    blanks = " " * (indent + own)
    lines, line = [], blanks + opener.rstrip()
    for word in words:
        if len(line) + 1 + len(word) > WIDTH and line.strip() != opener.strip():
            lines.append(line)
            line = blanks + opener.rstrip()
        line += " " + word
    return "\n".join([*lines, line])


def wrap_words(text: str, width: int) -> list[str]:
    lines: list[str] = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def rule(title: str, place: str) -> str:
    """// --- title ------------------------------------------------ ops/activation.yaml:12"""
    head, tail = f"// --- {title} ", f" {place}"
    return head + "-" * max(WIDTH - len(head) - len(tail), 3) + tail
