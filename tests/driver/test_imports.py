"""Data flows one way: each room of the package imports only from the rooms before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOMS = (
    "diagnostics",
    "ir",
    "tree",
    "source",
    "rules",
    "lower",
    "analyses",
    "transforms",
    "emit",
    "backends",
    "annotations",
    "driver",
    "pipeline",
    "guards",
    "arguments",
    "recorder",
    "dispatch",
    "api",
    "handed",
    "testing",
    "cli",
)
LEAF = "runtime"  # imports nothing of the compiler; every room may import it
USES_GAST = {"source", "rules", "lower", "emit"}
PACKAGE = Path(__file__).resolve().parents[2] / "adtrans"
FILES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
    """`adtrans/ir/expr.py` and `adtrans/ir.py` are both in the room `ir`."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that a file imports, also inside functions."""
    package = ["adtrans", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def violations(path: Path) -> list[str]:
    """Each import of `path` that goes the wrong way."""
    here = room_of(path)
    found = []
    for line, name in imports(path):
        parts = name.split(".")
        place = f"{path.relative_to(PACKAGE.parent)}:{line}: {name}"
        if parts[0] == "gast" and here not in USES_GAST:
            found.append(f"{place} (gast belongs to {', '.join(sorted(USES_GAST))})")
        if parts[0] != "adtrans" or len(parts) < 2:
            continue
        there = parts[1]
        if there in (here, LEAF) or there.startswith("__"):
            continue
        if here == LEAF or there not in ROOMS or ROOMS.index(there) > ROOMS.index(here):
            found.append(place)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    assert room_of(path) in {*ROOMS, LEAF, "__main__"}, "a new room needs its place in ROOMS"
    if room_of(path) != "__main__":
        assert violations(path) == []


def test_the_test_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    bad = tmp_path / "ir" / "bad.py"
    bad.parent.mkdir()
    bad.write_text("import gast\nfrom adtrans.emit import x\ndef f():\n    from ..lower import y\n")
    assert len(violations(bad)) == 3
