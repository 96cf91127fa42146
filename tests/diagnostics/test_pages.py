"""The examples on the pages do what their first line says."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import linecache
import re

import pytest

import adtrans
from adtrans.diagnostics.codes import CODES
from adtrans.diagnostics.errors import CallError
from adtrans.diagnostics.explain import explain

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"^error\[(AD\d{3})\]", re.MULTILINE)
_EXPECT = re.compile(r"# expect: (ok|AD\d{3})(?: without (\w+))?\n")


def _examples() -> list[tuple[str, int, str]]:
    return [(c, i, b) for c in CODES for i, b in enumerate(_BLOCK.findall(explain(c)))]


def _expectation(text: str) -> tuple[str, str | None]:
    match = _EXPECT.match(text)
    assert match is not None, "an example says in its first line what to expect"
    return match[1], match[2]


@pytest.mark.parametrize("code", CODES)
def test_the_first_example_shows_the_code(code: str) -> None:
    examples = _BLOCK.findall(explain(code))
    if code in ("AD208", "AD901"):  # neither a long analysis nor a failure is had in a few lines
        assert examples == []
        return
    assert _expectation(examples[0])[0] == code
    assert {_expectation(example)[0] for example in examples[1:]} <= {"ok"}


@pytest.mark.skipif(not hasattr(adtrans, "grad"), reason="the interface is not there")
@pytest.mark.parametrize(
    ("code", "number", "text"), [pytest.param(*e, id=f"{e[0]}-{e[1]}") for e in _examples()]
)
def test_example(code: str, number: int, text: str) -> None:
    expected, without = _expectation(text)
    if without is not None and importlib.util.find_spec(without) is not None:
        pytest.skip(f"{without} is installed")
    name = f"<page {code} {number}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    run = compile(text, name, "exec")
    if CODES.get(expected) is not None and CODES[expected].severity == "note":
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(run, {"__name__": name})
        assert f"note {expected}" in out.getvalue()
        return
    if expected == "ok":
        with contextlib.redirect_stdout(io.StringIO()):
            exec(run, {"__name__": name})
        return
    with pytest.raises((Exception,)) as caught:
        exec(run, {"__name__": name})
    found = set(_SHOWN.findall(str(caught.value)))
    if isinstance(caught.value, CallError):
        assert found or str(caught.value).endswith(f"[{expected}]")
        found = {caught.value.code}
        assert [d.code for d in caught.value.diagnostics] == [expected]
    assert found == {expected}
