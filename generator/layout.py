"""Lays out C++ at 100 columns as a person would, so that no formatter need run.

A statement that is too long is broken at its outermost commas or operators. Arguments stand behind
their bracket, or, where that saves lines, on lines of their own with four more blanks.
"""

from __future__ import annotations

import json

WIDTH = 100
OPEN, CLOSE = "([{", ")]}"


def fit(text: str, indent: int = 0) -> str:
    """A statement, a declaration or a comment of one line, as lines of at most WIDTH columns."""
    own = len(text) - len(text.lstrip())
    column, text = indent + own, text.lstrip()
    if not text:
        return ""
    lines = _comment(text, column) if text.startswith("//") else statement(text, column)
    return "\n".join([" " * column + lines[0], *lines[1:]])


def statement(text: str, column: int) -> list[str]:
    """The first line without its blanks, the others with theirs."""
    if column + len(text) <= WIDTH:
        return [text]
    head, body = _split_if(text)
    if body:
        inner = statement(body, column + 2)
        blanks = " " * (column + 2)
        return [*statement(f"{head} {{", column), blanks + inner[0], *inner[1:], " " * column + "}"]
    return expression(text, column, column + 4)


def expression(text: str, column: int, hang: int) -> list[str]:
    """text from column on; lines that follow begin at hang or further in."""
    if column + len(text) <= WIDTH:
        return [text]
    infix = _infix(text, column, hang)
    if infix:
        return infix
    ways = _brackets(text, column, hang)
    assignment = _assignment(text, column, hang)
    if assignment and len(_split(text, (" ? ", " || ", " && "))) > 1:
        return assignment
    if assignment:
        ways.insert(0, assignment)
    return min(ways, key=lambda lines: _cost(lines, column)) if ways else [text]


def _cost(lines: list[str], column: int) -> tuple[int, int]:
    """Columns over the margin, then lines."""
    first = column + len(lines[0]) - WIDTH
    over = max(first, 0) + sum(max(len(line) - WIDTH, 0) for line in lines[1:])
    return over, len(lines)


def _assignment(text: str, column: int, hang: int) -> list[str] | None:
    at = _find(text, (" = ",))
    if at is None:
        return None
    head, tail = text[: at + 2], text[at + 3 :]
    behind = expression(tail, column + len(head) + 1, column + len(head) + 1 + 4)
    below = expression(tail, hang, hang + 4)
    one_line = [f"{head} {behind[0]}", *behind[1:]]
    two_lines = [head, " " * hang + below[0], *below[1:]]
    if (*_cost(two_lines, column), len(below)) < (*_cost(one_line, column), 2):
        return two_lines
    # The arguments of what stands behind = hang from the statement, as clang-format has it.
    hanging = expression(tail, column + len(head) + 1, hang)
    hanging = [f"{head} {hanging[0]}", *hanging[1:]]
    return hanging if _cost(hanging, column) < _cost(one_line, column) else one_line


def _infix(text: str, column: int, hang: int) -> list[str] | None:
    """Broken before ? and :, or behind || and &&, outside of brackets."""
    if _find(text, (" = ",)) is not None or text.startswith("return "):
        return None
    choice = _split(text, (" ? ", " : "))
    if len(choice) > 1:
        lines = expression(choice[0], column, hang)
        for part in choice[1:]:
            inner = expression(part, hang, hang + 4)
            lines = [*lines, " " * hang + inner[0], *inner[1:]]
        return lines
    for word in (" || ", " && "):
        parts = _split(text, (word,))
        if len(parts) > 1:
            # _split leaves the operator with the part behind it.
            operator = word.strip()
            parts = [part.removeprefix(f"{operator} ") for part in parts]
            return _joined_lines([f"{part} {operator}" for part in parts[:-1]] + parts[-1:], column)
    return None


def _joined_lines(parts: list[str], column: int) -> list[str]:
    """Parts of a condition, one below the other, as many on a line as fit."""
    lines = expression(parts[0], column, column)
    for part in parts[1:]:
        if len(lines) == 1 and column + len(lines[0]) + 1 + len(part) <= WIDTH:
            lines[0] += f" {part}"
            continue
        inner = expression(part, column, column)
        lines = [*lines, " " * column + inner[0], *inner[1:]]
    return lines


def _brackets(text: str, column: int, hang: int) -> list[list[str]]:
    """Broken inside the last pair of outer brackets that holds something."""
    span = _last_group(text)
    if span is None:
        return []
    start, end = span
    head, inside, tail = text[: start + 1], text[start + 1 : end], text[end:]
    items = _split(inside, (", ",))
    items = [item + ("," if i + 1 < len(items) else "") for i, item in enumerate(items)]
    ways = []
    behind = column + len(head)
    if behind < WIDTH - 20:
        lines = _fill(items, behind, tail)
        ways.append([head + lines[0], *lines[1:]])
    lines = _fill(items, hang, tail)
    ways.append([head, " " * hang + lines[0], *lines[1:]])
    return ways


def _fill(items: list[str], column: int, tail: str) -> list[str]:
    """Items one behind the other from column on, as many on a line as fit."""
    blanks = " " * column
    lines = [""]
    here = column
    for i, item in enumerate(items):
        last = i + 1 == len(items)
        room = len(tail) if last else 0
        space = 1 if lines[-1].strip() else 0
        if here + space + len(item) + room <= WIDTH:
            lines[-1] += " " * space + item
            here += space + len(item)
            continue
        if space:
            lines.append(blanks)
            here = column
        inner = expression(item + tail if last else item, here, here + 4)
        lines[-1] += inner[0]
        lines += inner[1:]
        # Behind an item of several lines nothing is easily seen.
        here = WIDTH if len(inner) > 1 else here + len(inner[0])
        if last:
            return lines
    lines[-1] += tail
    return lines


def function(head: str, body: list[str], indent: int = 0) -> list[str]:
    """A function definition: on one line where it has one statement and fits."""
    if len(body) == 1 and not body[0].startswith(("if ", "//")):
        line = f"{' ' * indent}{head} {{ {body[0]} }}"
        if len(line) <= WIDTH:
            return [line]
    lines = fit(f"{' ' * indent}{head} {{").split("\n")
    return [*lines, *(fit(line, indent + 2) for line in body), " " * indent + "}"]


# --- Finding places in text, outside of strings and brackets.


def _depths(text: str) -> list[int]:
    """The depth of brackets before each character; inside of strings a large number."""
    depths, depth, quoted = [], 0, False
    for i, c in enumerate(text):
        closing = not quoted and (c in CLOSE or (c == ">" and _closes_template(text, i)))
        if closing:
            depth -= 1
        if c == '"' and (i == 0 or text[i - 1] != "\\"):
            quoted = not quoted
        depths.append(1000 if quoted else depth)
        if not quoted and (c in OPEN or (c == "<" and _opens_template(text, i))):
            depth += 1
    return depths


def _opens_template(text: str, i: int) -> bool:
    """Comparisons are written with blanks, template arguments without."""
    return i > 0 and (text[i - 1].isalnum() or text[i - 1] == "_") and text[i + 1 : i + 2] != " "


def _closes_template(text: str, i: int) -> bool:
    return text[i - 1] not in " -" and text[i - 1 : i + 1] != "->"


def _find(text: str, wanted: tuple[str, ...]) -> int | None:
    depths = _depths(text)
    for i, depth in enumerate(depths):
        if depth == 0 and text.startswith(wanted, i):
            return i
    return None


def _split(text: str, separators: tuple[str, ...]) -> list[str]:
    """Parts between separators at depth 0; an operator stays with the part behind it."""
    depths = _depths(text)
    parts, start, i = [], 0, 0
    while i < len(text):
        found = next((s for s in separators if depths[i] == 0 and text.startswith(s, i)), None)
        if found is None:
            i += 1
            continue
        parts.append(text[start:i])
        start = i + (len(found) if found == ", " else 1)
        i += len(found)
    return [*parts, text[start:]]


def _last_group(text: str) -> tuple[int, int] | None:
    """The last ( or { at depth 0 whose contents are worth a break, and its end."""
    depths = _depths(text)
    best = None
    for i, c in enumerate(text):
        if depths[i] == 0 and c in "({":
            end = next((j for j in range(i + 1, len(text)) if depths[j] == 0), None)
            if end is not None and end > i + 1:
                best = (i, end)
    return best


def _split_if(text: str) -> tuple[str, str]:
    """`if (test)` and the statement behind it, where it is one."""
    if not text.startswith("if ("):
        return text, ""
    depths = _depths(text)
    end = next((i for i in range(4, len(text)) if depths[i] == 0 and text[i] == ")"), None)
    if end is None or text[end + 1 :].strip() in ("", "{"):
        return text, ""
    return text[: end + 1], text[end + 1 :].strip()


def literal(before: str, text: str, column: int) -> list[str]:
    """before and a string literal in as many pieces as it needs; the first line without blanks."""
    room = WIDTH - column - len(before) - 4
    pieces, piece = [], ""
    for word in text.split(" "):
        if piece and len(json.dumps(piece + word, ensure_ascii=False)) > room:
            pieces.append(piece)
            piece = ""
        piece += word + " "
    pieces.append(piece[:-1])
    lines = [json.dumps(part, ensure_ascii=False) for part in pieces]
    return [before + lines[0], *(" " * len(before) + line for line in lines[1:])]


# --- Words.


def _comment(text: str, column: int) -> list[str]:
    lines = wrap_words(text.lstrip("/"), WIDTH - column - 3)
    return [f"// {lines[0]}", *(f"{' ' * column}// {line}" for line in lines[1:])]


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
