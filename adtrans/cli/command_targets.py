"""What a TARGET on the command line means: a function in a module or in a file.

>>> load("json:dumps").__name__, load("json:JSONEncoder.encode").__qualname__
('dumps', 'JSONEncoder.encode')
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from adtrans.cli.exit_codes import UsageError

_OWN = "adtrans."


def load(target: str) -> Callable[..., Any]:
    """The function that `target` names, without the wrapping that `differentiable` gives it.

    Raises `UsageError` where the module cannot be imported or has no such function.
    """
    place, colon, path = target.rpartition(":")
    if not colon or not place or not path:
        raise UsageError(_misnamed(target))
    value: Any = load_module(place)
    for k, name in enumerate(path.split(".")):
        try:
            value = inspect.getattr_static(value, name) if k else getattr(value, name)
        except AttributeError:
            raise UsageError(f"`{place}` has no `{path}`") from None
    value = raw(value)
    if not callable(value):
        raise UsageError(f"`{target}` is not a function but {type(value).__name__}")
    return value  # type: ignore[no-any-return]  # callable() tells only that it can be called


def _misnamed(target: str) -> str:
    """What is wrong with a target that names no function."""
    path = Path(target)
    if path.is_file():
        return f"`{target}` names no function; write `{target}:NAME`"
    if target.endswith(".py") or "/" in target or "\\" in target:
        return f"there is no file `{target}`"
    return f"`{target}` is not of the form module:function or file.py:function"


def load_module(place: str) -> ModuleType:
    """The module with this dotted name, or that of the file with this path, imported."""
    try:
        if place.endswith(".py") or "/" in place or "\\" in place:
            return _from_file(Path(place))
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(place)
    except UsageError:
        raise
    except (Exception, SystemExit) as error:  # whatever the user's module does at its import
        what = f"{type(error).__name__}: {error}"
        raise UsageError(f"`{place}` cannot be imported: {what}") from error


def functions(path: Path, *, everything: bool = False) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The `differentiable` functions of a file, or of each file below a directory, and their names.

    With `everything`, all functions that are defined there. Files that do not mention adtrans are
    not imported unless `everything` asks for it or the file was named itself.
    """
    if not path.exists():
        raise UsageError(f"there is no `{path}`")
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        if path.is_dir() and not everything and "adtrans" not in text:
            continue
        module = load_module(str(file))
        for name, value in _members(module):
            fn = raw(value)
            defined_here = getattr(fn, "__module__", None) == module.__name__
            if defined_here and inspect.isfunction(fn) and (everything or is_wrapped(value)):
                yield f"{file}:{name}", fn


def is_wrapped(value: object) -> bool:
    """Whether `value` is what `differentiable` returned.

    >>> is_wrapped(load), is_wrapped(3)
    (False, False)
    """
    return type(value).__module__.startswith(_OWN) and hasattr(value, "__wrapped__")


def raw(value: Any) -> Any:
    """The user's own function below decorators, methods and partial applications."""
    while True:
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        elif isinstance(value, functools.partial):
            value = value.func
        elif hasattr(value, "__wrapped__"):
            value = value.__wrapped__
        else:
            return value


def _members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(module).items()):
        yield name, value
        if inspect.isclass(value) and value.__module__ == module.__name__:
            yield from ((f"{name}.{k}", v) for k, v in list(vars(value).items()))


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"there is no file `{path}`")
    path = path.resolve()
    known = next((m for m in list(sys.modules.values()) if _file_of(m) == path), None)
    if known is not None:
        return known
    if (path.parent / "__init__.py").is_file():
        return _of_package(path)
    name = path.stem if path.stem not in sys.modules else f"_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"`{path}` is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))  # as when Python runs the file
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(path.parent))
    return module


def _of_package(path: Path) -> ModuleType:
    """A file that belongs to a package, under its dotted name: it may import its neighbours."""
    parts, root = [] if path.stem == "__init__" else [path.stem], path.parent
    while (root / "__init__.py").is_file() and root.parent != root:
        parts.insert(0, root.name)
        root = root.parent
    sys.path.insert(0, str(root))
    try:
        module = importlib.import_module(".".join(parts))
    finally:
        sys.path.remove(str(root))
    if _file_of(module) != path:
        raise UsageError(f"`{path}` is hidden by `{module.__file__}`, which has the same name")
    return module


def _file_of(module: object) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if isinstance(file, str) else None
