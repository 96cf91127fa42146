"""The table of codes, the pages, and the codes that the package uses."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

import adtrans
from adtrans.diagnostics.codes import CODES, info
from adtrans.diagnostics.explain import explain

PACKAGE = Path(adtrans.__file__).parent


def test_every_code_is_named_by_its_key() -> None:
    assert all(row.code == code for code, row in CODES.items())
    assert all(re.fullmatch(r"AD[1-9]\d\d", code) for code in CODES)


def test_titles_are_distinct() -> None:
    titles = [row.title for row in CODES.values()]
    assert len(set(titles)) == len(titles)


def test_the_package_uses_no_code_that_is_not_in_the_table() -> None:
    used = {
        (code, path.name)
        for path in PACKAGE.rglob("*.py")
        for code in re.findall(r"\bAD\d{3}\b", path.read_text(encoding="utf-8"))
    }
    assert [(code, name) for code, name in sorted(used) if code not in CODES] == []


def test_an_unknown_code_is_an_error() -> None:
    with pytest.raises(KeyError, match="AD999"):
        info("AD999")
    with pytest.raises(KeyError, match="NONSENSE"):
        explain("nonsense")


@pytest.mark.parametrize("code", CODES)
def test_each_code_has_a_page_with_its_title(code: str) -> None:
    page = explain(code)
    assert page.splitlines()[0] == f"# {code}: {CODES[code].title}"
    assert page.endswith("\n")


def test_there_is_no_page_without_a_code() -> None:
    pages = {p.name for p in (resources.files("adtrans.diagnostics") / "pages").iterdir()}
    assert {p for p in pages if p.endswith(".md")} == {row.page for row in CODES.values()}
