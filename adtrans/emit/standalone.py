"""Generated functions as one file that needs NumPy only.

>>> import numpy as np
>>> from adtrans.ir.code import Def, Result
>>> from adtrans.ir.expr import Call, Name, Ref
>>> from adtrans.ir.stmt import Param
>>> body = (Result(Call(Ref("np.cos", np.cos), (Name("x"),))),)
>>> m = Module((Def("slope", (Param("x"),), body),), {"np": np, "K": 2.0})
>>> print(standalone(m, doc="The slope of a sine."), end="")
\"\"\"The slope of a sine.\"\"\"
<BLANKLINE>
import numpy as np
<BLANKLINE>
<BLANKLINE>
def slope(x):
    return np.cos(x)

What the functions need comes first: imports, then the helpers of `adtrans.runtime` that they call
(with what those call), then generated functions of other modules, then constants.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Iterable, Mapping
from types import FunctionType, ModuleType

import gast

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import InputError
from adtrans.diagnostics.span import Span
from adtrans.emit.load import is_generated
from adtrans.emit.module import print_module
from adtrans.emit.nodes import constant
from adtrans.emit.printer import print_tree
from adtrans.ir.code import Module

_RUNTIME = "adtrans.runtime"
_PLAIN = int | float | complex | str | bytes


def standalone(
    module: Module, *, doc: str = "", home: str | None = None, span: Span | None = None
) -> str:
    """The source of `module` with everything it uses, in an order that depends on nothing else.

    `home` names the module that the user's function lives in: data that it holds under the same
    name is imported from there. `span` is where an error points (the user's function).

    Raises:
        InputError: AD410, for a global that neither has a literal nor can be imported.
    """
    text = print_module(module)
    defined = {d.name for d in module.defs}
    parts = _Parts(home, span or Span("<generated>", 1, 0, 1, 0))
    for name in _free_names(text):
        if name in module.globals and name not in defined:
            parts.provide(name, module.globals[name])
    parts.reject_clashes(defined)
    sections = [
        [print_tree(gast.Module([gast.Expr(constant(doc))], [])).rstrip()] if doc else [],
        ["from __future__ import annotations"] if parts.sources else [],
        sorted(parts.imports.values()),
        list(parts.constants.values()),
    ]
    head = "\n\n".join("\n".join(lines) for lines in sections if any(lines))
    bodies = [source.strip("\n") for source in (*parts.sources.values(), text)]
    return "\n\n\n".join(part for part in (head, *bodies) if part) + "\n"


class _Parts:
    """What a file has to contain, found by following free names."""

    def __init__(self, home: str | None, span: Span) -> None:
        self.imports: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        self.sources: dict[str, str] = {}  # definitions, each after those it uses
        self._home = home
        self._span = span
        self._objects: dict[str, object] = {}

    def provide(self, name: str, value: object) -> None:
        """Makes `name` mean `value` in the file."""
        if name in self._objects:
            if not _same(self._objects[name], value):
                raise self._error(f"`{name}` means two different things in the file")
            return
        self._objects[name] = value
        statement = self._import_of(name, value)
        if getattr(builtins, name, self) is value:
            return
        if _is_inlined(value):
            self._inline(name, value)
        elif statement is not None:
            self.imports[name] = statement
        else:
            self.constants[name] = f"{name} = {self._literal(name, value)}"

    def reject_clashes(self, defined: Iterable[str]) -> None:
        """Refuses a helper that has the name of a generated function."""
        for name in sorted(set(defined) & set(self._objects)):
            raise self._error(f"`{name}` means two different things in the file")

    def _inline(self, name: str, value: object) -> None:
        value = inspect.unwrap(value) if callable(value) else value
        assert isinstance(value, FunctionType | type)
        own = value.__name__
        if own != name:
            self.provide(own, value)
            self.sources[name] = f"{name} = {own}"
            return
        source = textwrap.dedent(inspect.getsource(value))
        namespace = _namespace(value)
        for free in _free_names(source):
            if free in namespace and free != own:
                self.provide(free, namespace[free])
        self.sources[name] = source

    def _import_of(self, name: str, value: object) -> str | None:
        """The import statement that binds `name` to `value`, if there is one."""
        if isinstance(value, ModuleType):
            path = value.__name__
            if path == name:
                return f"import {path}"
            parent, _, last = path.rpartition(".")
            return f"from {parent} import {last}" if last == name else f"import {path} as {name}"
        own = getattr(value, "__name__", None)
        places = [(getattr(value, "__module__", None), own), ("numpy", own), (self._home, name)]
        for place, known in places:
            found = sys.modules.get(place) if isinstance(place, str) else None
            if found is None or place == "__main__" or not isinstance(known, str):
                continue
            if getattr(found, known, self) is value and place != "builtins":
                alias = "" if known == name else f" as {name}"
                return f"from {place} import {known}{alias}"
        return None

    def _literal(self, name: str, value: object) -> str:
        if getattr(builtins, getattr(value, "__name__", ""), self) is value:
            return str(getattr(value, "__name__", ""))
        if isinstance(value, tuple) and type(value) is tuple:
            items = ", ".join(self._literal(name, v) for v in value)
            return f"({items},)" if len(value) == 1 else f"({items})"
        kind = type(value)
        try:
            number = str(gast.unparse(constant(value)))
        except TypeError:
            raise self._error(
                f"the value of `{name}` ({kind.__name__}) cannot be written into a file",
                Fix(f"pass `{name}` as an argument"),
                Fix(f"define `{name}` at the top of an importable module"),
            ) from None
        if kind.__module__ == "numpy":
            self.provide("np", sys.modules["numpy"])
            return f"np.{kind.__name__}({number})"
        return number

    def _error(self, title: str, *fixes: Fix) -> InputError:
        return InputError(Diagnostic("AD410", title, self._span, fixes=fixes))


def _same(a: object, b: object) -> bool:
    """Whether two objects are one, or equal literals."""
    return a is b or (type(a) is type(b) and isinstance(a, _PLAIN) and a == b)


def _is_inlined(value: object) -> bool:
    value = inspect.unwrap(value) if callable(value) else value  # a cached helper, say
    if not isinstance(value, FunctionType | type):
        return False
    place = getattr(value, "__module__", None) or ""
    return place == _RUNTIME or place.startswith(f"{_RUNTIME}.") or is_generated(value)


def _namespace(value: FunctionType | type) -> Mapping[str, object]:
    if isinstance(value, FunctionType):
        return value.__globals__
    return vars(sys.modules[value.__module__])


def _free_names(source: str) -> list[str]:
    """The names that `source` reads when it runs, in alphabetical order: annotations do not count.

    >>> _free_names("def f(x: Any) -> int:\\n    return np.sin(x)\\n")
    ['np', 'x']
    """
    tree = ast.parse(source)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        notes: list[ast.expr | None] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            notes.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            notes.append(node.annotation)
        skipped.update(id(inner) for note in notes if note for inner in ast.walk(note))
    names = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in skipped)
    return sorted({n.id for n in names if isinstance(n.ctx, ast.Load)})
