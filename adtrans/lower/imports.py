"""What a function imports inside itself, as if it had captured it.

def f(x):
    from config import S           =>      def f(x):    # `S` is captured
    return x * S.rate                          return x * S.rate

Whether the object is still the same one is asked at each call (`captured`); as long as it is, the
import does nothing else. One that may not have happened, or is not all that its name means, is one
of the statements that are kept, and its name a variable.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from types import ModuleType

import gast

from adtrans.lower.later import binds
from adtrans.lower.looked_up import assigns_any, is_assigned
from adtrans.lower.makers import means_in
from adtrans.lower.opaque import attributes_in
from adtrans.lower.small_trees import nothing
from adtrans.lower.surely_bound import SurelyBound
from adtrans.lower.swallowing import may_swallow
from adtrans.lower.syntax import BLOCKS, Scope, in_scope, nodes_in, parameters
from adtrans.source import MISSING, SourceFunction
from adtrans.source.libraries import is_library
from adtrans.source.made import made_functions
from adtrans.source.reach import absolute, module_named


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
    own = [n for n in in_scope(node.body) if not isinstance(n, (*Scope, gast.ClassDef))]
    for n in (node, *own):
        for name in BLOCKS:
            block = getattr(n, name, None)
            if isinstance(block, list):
                setattr(n, name, _left(block, name == "orelse", found.keys()))
    return made_functions(source, node, (), found)


def _left(block: list[gast.stmt], may_end: bool, found: Collection[str]) -> list[gast.stmt]:
    """A block without the imports of these names."""
    out: list[gast.stmt] = []
    for s in block:
        if isinstance(s, gast.Import | gast.ImportFrom):
            s.names = [a for a in s.names if (a.asname or a.name.partition(".")[0]) not in found]
            if not s.names:
                continue
        out.append(s)
    return out if out or may_end or not block else [nothing(block[0])]


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
    early = _early(node)
    by_name = any(
        isinstance(n, gast.Name) and n.id in ("setattr", "delattr") for n in nodes_in(node)
    )
    for s in imports:
        for alias, (name, value) in zip(s.names, _meant(s, source), strict=True):
            taken = isinstance(s, gast.Import) or id(s) in early or not (
                by_name or is_assigned(source.fn, alias.name)
            )
            meant.setdefault(name, []).append(value if taken else MISSING)
    found = {
        name: values[0]
        for name, values in meant.items()
        if times[name] == len(values) and all(v is values[0] is not MISSING for v in values)
    }
    if not found:
        return {}
    means = means_in(node, source)
    bound = SurelyBound(node, lambda c: may_swallow(c, means))
    return {name: value for name, value in found.items() if bound.is_first(name)}


def _early(node: gast.FunctionDef) -> set[int]:
    """The imports at the beginning of a function: what is imported of a module later may have been
    assigned in the meantime."""
    found: set[int] = set()
    for s in node.body:
        if isinstance(s, gast.Import | gast.ImportFrom):
            found.add(id(s))
        elif not (isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant)):
            break
    return found


def _meant(
    s: gast.Import | gast.ImportFrom, source: SourceFunction
) -> Iterator[tuple[str, object]]:
    """The names that a statement binds, with what they mean."""
    package = str(source.fn.__globals__.get("__package__") or "")
    for alias in s.names:
        if isinstance(s, gast.Import):
            top = alias.name.partition(".")[0]
            module = module_named(alias.name)
            value = module if alias.asname or module is MISSING else sys.modules[top]
            yield alias.asname or top, value
        else:
            name = absolute(s.module or "", s.level or 0, package)
            value = getattr(module_named(name), alias.name, MISSING)
            yield alias.asname or alias.name, value


def may_be_others(s: gast.Import | gast.ImportFrom, source: SourceFunction) -> str | None:
    """A name that an import binds which stays where it is, if that means an object of the user's of
    which the function assigns attributes, maybe under another name."""
    for name, value in _meant(s, source):
        of = value.__name__ if isinstance(value, ModuleType) else type(value).__module__
        holds = isinstance(value, ModuleType) or hasattr(value, "__dict__")
        if holds and not callable(value) and not is_library(of):
            read = set(attributes_in(source.node))
            if assigns_any(source.fn, read):
                return name
    return None
