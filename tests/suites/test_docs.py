"""The pages: every program runs and prints what the page says; every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adtrans.diagnostics.codes import CODES
from tests.documents import PAGES, ROOT, blocks, printed

EVERY = [pytest.param(path, id=path.name) for path in PAGES]


@pytest.mark.parametrize("path", EVERY)
def test_a_page_prints_what_it_says(path: Path) -> None:
    for block, now in printed(path.read_text(encoding="utf-8")):
        assert now == block.text, f"{path.name}:{block.line}: `python -m tests.documents` refreshes"


@pytest.mark.parametrize("path", EVERY)
def test_every_fence_is_executed_or_marked(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert page.count("\n```") == 2 * len(blocks(page)), "a fence that is not closed"
    assert {b.language for b in blocks(page)} <= {"python", "text", "py", "console", "sh", "json"}


@pytest.mark.parametrize("path", EVERY)
def test_links(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_the_index_of_errors_is_the_table_of_codes() -> None:
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(AD\d{3})\]\((.*?)\) \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    assert [r[0] for r in rows] == list(CODES)
    for code, link, title, summary in rows:
        assert (title, summary) == (CODES[code].title, CODES[code].summary)
        assert link.endswith(f"diagnostics/pages/{CODES[code].page}")


def test_codes_in_the_pages_exist() -> None:
    for path in PAGES:
        for code in re.findall(r"\bAD\d{3}\b", path.read_text(encoding="utf-8")):
            assert code in CODES, f"{path.name}: {code}"


def test_the_commands_of_the_readme_name_what_is_there() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    shell = "".join(b.text for b in blocks(page) if b.language == "sh")
    named = re.findall(r"(?:\.ci/|examples/|benchmarks/)[\w./]+", shell)
    assert {".ci/run", "examples/heat_inverse.py"} <= set(named)
    for place in named:
        assert (ROOT / place).exists(), place
