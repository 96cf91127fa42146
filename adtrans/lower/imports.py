"""What a function imports inside itself, as if it had captured it.

def f(x):                          def f(x):
    from config import S               from config import S
    return x * S.rate        =>        return x * S_2.rate

Another name, because `S` may mean something else outside. Where the import is of a library, nothing
is left of it. An import that may not have happened, or is not all that its name means, is one of
the statements that are kept, and its name a variable. Whether the object is still the same one is
asked at each call (`captured`).
"""

from __future__ import annotations

import copy
import importlib
import sys
from collections import Counter
from collections.abc import Iterator

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.later import binds
from adtrans.lower.local_names import LocalNames
from adtrans.lower.surely_bound import SurelyBound
from adtrans.lower.syntax import in_scope, mentioned, nodes_in, parameters
from adtrans.lower.trees import nothing
from adtrans.source import MISSING, SourceFunction
from adtrans.source.made import made_functions
from adtrans.source.reach import absolute, is_library


def with_imports(source: SourceFunction) -> SourceFunction:
    """The function with what it imports as captured objects; `source` itself without any.

    >>> from adtrans.source import get_source
    >>> def f(x):
    ...     import math
    ...     return math.sin(x)
    >>> made = with_imports(get_source(f))
    >>> print(gast.unparse(made.node))
    def f(x):
        return math.sin(x)
    >>> made.resolve("math").__name__
    'math'
    """
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    imports = [n for n in in_scope(node.body) if isinstance(n, gast.Import | gast.ImportFrom)]
    found = _found(source, node, imports) if imports else {}
    if not found:
        return source
    node = copy.deepcopy(node)
    imports = [n for n in in_scope(node.body) if isinstance(n, gast.Import | gast.ImportFrom)]
    left = {
        name
        for s in imports
        for name, _, module in _meant(s, source)
        if not (is_library(module) and all(n in found for n, _, _ in _meant(s, source)))
    }
    names = NameAllocator(mentioned(node) | {*source.fn.__code__.co_freevars})
    to = {name: names.fresh(name) if name in left else name for name in found}
    local = LocalNames(node)
    for n in nodes_in(node):
        if isinstance(n, gast.Name) and n.id in to and isinstance(n.ctx, gast.Load):
            if not local.is_of_inner(n):
                n.id = to[n.id]
    gone = {
        id(s) for s in imports if not any(name in left for name, _, _ in _meant(s, source))
    }
    _without(node, gone)
    return made_functions(source, node, (), {to[name]: found[name] for name in found})


def _found(
    source: SourceFunction, node: gast.FunctionDef, imports: list[gast.Import | gast.ImportFrom]
) -> dict[str, object]:
    """The names that mean what is imported, and nothing else, wherever they are read."""
    times = Counter(name for n in in_scope(node.body) for name in binds(n))
    times.update(p.id for p in parameters(node.args))
    for n in nodes_in(node):
        if isinstance(n, gast.Global | gast.Nonlocal):
            times.update(n.names)
    meant: dict[str, list[object]] = {}
    for s in imports:
        for name, value, _ in _meant(s, source):
            meant.setdefault(name, []).append(value)
    found = {
        name: values[0]
        for name, values in meant.items()
        if times[name] == len(values) and all(v is values[0] is not MISSING for v in values)
    }
    if not found:
        return {}
    bound = SurelyBound(node)
    return {name: value for name, value in found.items() if bound.is_first(name)}


def _meant(
    s: gast.Import | gast.ImportFrom, source: SourceFunction
) -> Iterator[tuple[str, object, str]]:
    """The names that a statement binds, with what they mean and the modules it is taken from."""
    package = str(source.fn.__globals__.get("__package__") or "")
    for alias in s.names:
        if isinstance(s, gast.Import):
            top = alias.name.partition(".")[0]
            module = _module(alias.name)
            value = module if alias.asname or module is MISSING else sys.modules[top]
            yield alias.asname or top, value, alias.name
        else:
            name = absolute(s.module or "", s.level or 0, package)
            value = getattr(_module(name), alias.name, MISSING)
            yield alias.asname or alias.name, value, name


def _module(name: str) -> object:
    """A module that is imported, or part of a library that is."""
    top = name.partition(".")[0]
    known = top in sys.modules or top in ("numpy", "scipy")
    if name not in sys.modules and known and is_library(name):
        try:
            importlib.import_module(name)
        except ImportError:
            return MISSING
    return sys.modules.get(name, MISSING)


def _without(node: gast.AST, gone: set[int]) -> None:
    """Leaves statements out, in place."""
    for n in nodes_in(node):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(n, name, None)
            if isinstance(block, list) and any(id(s) in gone for s in block):
                kept = [s for s in block if id(s) not in gone]
                setattr(n, name, kept if kept or name == "orelse" else [nothing(block[0])])
