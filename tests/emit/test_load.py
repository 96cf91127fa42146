"""Loaded functions are visible to the tools of Python."""

from __future__ import annotations

import inspect
import linecache
import sys
import threading
import traceback
from pathlib import Path

import pytest

from adtrans.emit.load import is_generated, load

TEXT = "def f(x):\n    return x / K\n\n\ndef g(x):\n    return f(x) + 1\n"


def test_functions_in_order_with_their_globals() -> None:
    functions = load(TEXT, "f", {"K": 2.0})
    assert list(functions) == ["f", "g"]
    assert functions["g"](3.0) == 2.5


def test_each_load_has_a_namespace_of_its_own() -> None:
    one, two = load(TEXT, "f", {"K": 2.0}), load(TEXT, "f", {"K": 4.0})
    assert (one["f"](4.0), two["f"](4.0)) == (2.0, 1.0)
    given = {"K": 2.0}
    load(TEXT, "f", given)
    assert given == {"K": 2.0}


def test_the_file_name_follows_from_the_content() -> None:
    one, two = load(TEXT, "f", {})["f"], load(TEXT, "f", {})["g"]
    other = load(TEXT + "\n", "f", {})["f"]
    assert one.__code__.co_filename == two.__code__.co_filename
    assert one.__code__.co_filename != other.__code__.co_filename
    assert one.__code__.co_filename.startswith("<adtrans f ")


def test_source_and_traceback() -> None:
    f = load(TEXT, "f", {"K": 0.0})["f"]
    linecache.checkcache()
    assert inspect.getsource(f) == "def f(x):\n    return x / K\n"
    with pytest.raises(ZeroDivisionError) as caught:
        f(1.0)
    assert "return x / K" in "".join(traceback.format_tb(caught.value.__traceback__))


def test_imported_functions_are_not_counted() -> None:
    functions = load(
        "from os.path import join\n\ndef f():\n    pass\n", "f", {"helper": inspect.getsource}
    )
    assert list(functions) == ["f"]
    assert is_generated(functions["f"])
    assert not is_generated(inspect.getsource)


def test_a_real_file(tmp_path: Path) -> None:
    f = load(TEXT, "mod.f", {"K": 2.0}, cache_dir=tmp_path / "cache")["f"]
    path = Path(f.__code__.co_filename)
    assert path.parent == tmp_path / "cache"
    assert path.read_text() == TEXT
    assert f.__module__ in sys.modules
    del sys.modules[f.__module__]
    stamp = path.stat().st_mtime_ns
    load(TEXT, "mod.f", {"K": 2.0}, cache_dir=tmp_path / "cache")
    assert path.stat().st_mtime_ns == stamp
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    del sys.modules[f.__module__]


def test_many_threads() -> None:
    results: list[float] = []

    def work(i: int) -> None:
        text = TEXT + f"# {i % 4}\n"
        results.append(load(text, "f", {"K": 2.0})["f"](4.0))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [2.0] * 16


def test_what_is_not_python_is_an_error() -> None:
    with pytest.raises(SyntaxError):
        load("def f(:\n", "f", {})
