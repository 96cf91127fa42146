"""Making source text into functions that tracebacks, pdb and `inspect` can show.

>>> import inspect
>>> f = load("def double(x):\\n    return 2.0 * x\\n", "double", {})["double"]
>>> f(3.0)
6.0
>>> f.__code__.co_filename
'<adtrans double 3ddd196119a5>'
>>> print(inspect.getsource(f), end="")
def double(x):
    return 2.0 * x
"""

from __future__ import annotations

import hashlib
import linecache
import os
import re
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

_LOCK = threading.Lock()
_COMPILED: dict[str, CodeType] = {}  # by file name, which holds a hash of the text
_DIGITS = 12


def load(
    source: str,
    name: str,
    globals: Mapping[str, object],
    *,
    cache_dir: str | os.PathLike[str] | None = None,
) -> dict[str, FunctionType]:
    """The functions that `source` defines, in the order of their definitions.

    `globals` gives what their free names mean; it is copied, so the functions have a namespace of
    their own. The same `source` and `name` give the same file name in every process. With
    `cache_dir` the text is a real file there, and its module is in `sys.modules`: coverage, line
    profilers and compilers with a cache on disk need that.

    Raises:
        SyntaxError: if `source` is not Python.
        OSError: if the file cannot be written.
    """
    digest = hashlib.sha256(f"{name}\0{source}".encode()).hexdigest()[:_DIGITS]
    if cache_dir is None:
        filename = f"<adtrans {name} {digest}>"
        module_name = filename
    else:
        module_name = f"adtrans_{re.sub(r'[^0-9A-Za-z_]', '_', name)}_{digest}"
        filename = str(Path(cache_dir).absolute() / f"{module_name}.py")
        _write(Path(filename), source)
    module = ModuleType(module_name)
    module.__file__ = filename
    namespace = vars(module)
    namespace.update(globals)
    with _LOCK:
        code = _COMPILED.get(filename)
        if code is None:
            code = compile(source, filename, "exec", dont_inherit=True)
            _COMPILED[filename] = code
        if cache_dir is None:
            # no modification time: `linecache.checkcache` then keeps the entry
            linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        else:
            sys.modules.setdefault(module_name, module)
    exec(code, namespace)
    return {
        key: value
        for key, value in namespace.items()
        if isinstance(value, FunctionType) and value.__code__.co_filename == filename
    }


def is_generated(fn: object) -> bool:
    """Whether `fn` came out of `load`.

    >>> is_generated(load), is_generated(load("def f(): pass\\n", "f", {})["f"])
    (False, True)
    """
    return isinstance(fn, FunctionType) and fn.__code__.co_filename in _COMPILED


def _write(path: Path, source: str) -> None:
    """Writes the file unless it is there already; other processes see all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = source.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
