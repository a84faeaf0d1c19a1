"""python -m generator generate | check | list | explain OP"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from generator import output
from generator.explain import explain, listing
from generator.loader import load
from generator.model import Registry
from generator.problems import RegistryError, did_you_mean
from generator.render import Renderer, render

ROOT = Path(__file__).resolve().parent.parent


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        registry = load(arguments.registry)
    except RegistryError as error:
        print(error, file=sys.stderr)
        return 1
    folder: Path = getattr(arguments, "out", None) or arguments.registry.parent / "generated"
    match arguments.command:
        case "generate":
            return _generate(folder, registry)
        case "check":
            return _check(folder, registry)
        case "list":
            print(listing(registry))
            return 0
    return _explain(registry, arguments.op)


def _generate(folder: Path, registry: Registry) -> int:
    changes = output.write(folder, render(registry))
    for name in changes.written:
        print(f"wrote {folder.name}/{name}")
    for name in changes.removed:
        print(f"removed {folder.name}/{name}")
    return 0


def _check(folder: Path, registry: Registry) -> int:
    files = render(registry)
    changes = output.compare(folder, files)
    if not changes:
        return 0
    sys.stdout.write(output.difference(folder, files, changes))
    stale = ", ".join((*changes.written, *changes.removed))
    print(f"stale: {stale}; run `make generate`", file=sys.stderr)
    return 1


def _explain(registry: Registry, name: str) -> int:
    text = explain(Renderer(registry), name)
    if text is not None:
        print(text)
        return 0
    names = [op.decl.name for op in registry.ops]
    names += [alias.name for op in registry.ops for alias in op.decl.aliases]
    print(f"no op is called '{name}'{did_you_mean(name, names)}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m generator", description="Everything that follows from the op registry."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("generate", "write the files that changed"),
        ("check", "exit status 1 and a diff where generated files are stale"),
        ("list", "one line for each op"),
        ("explain", "everything that is generated for one op, and what its backward keeps"),
    ):
        command = commands.add_parser(name, help=what, description=what)
        command.add_argument(
            "--registry", type=Path, default=ROOT / "ops.yaml", metavar="FILE",
            help="default: ops.yaml beside the package",
        )  # fmt: skip
        if name == "generate":
            command.add_argument(
                "--out", type=Path, metavar="DIR", help="default: generated/ beside the registry"
            )
        if name == "explain":
            command.add_argument("op", metavar="OP")
    return parser
