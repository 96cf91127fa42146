"""Handlers that may see more of an exception than what it was made of: where it was raised, say.

Such an exception cannot be replaced by variables: it has to be raised.
"""

from __future__ import annotations

import builtins
import sys
import types
from dis import get_instructions

import gast
import numpy as np

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.builder import Builder
from adtrans.lower.class_uses import codes, reached
from adtrans.lower.syntax import in_scope, nodes_in, parameters
from adtrans.source import MISSING, get_source

# whatever is about the exception under way, or how it came to be raised
MACHINERY = frozenset({
    "__traceback__", "__cause__", "__context__", "__suppress_context__", "__notes__",
    "__dict__", "__reduce__", "__reduce_ex__", "with_traceback", "add_note", "exc_info",
    "exception", "print_exc", "format_exc", "print_exception", "format_exception", "extract_tb",
    "traceback", "logging",
})  # fmt: skip
_KNOWN = frozenset(
    name
    for cls in (np.ndarray, np.float64, list, dict, set, str, tuple)
    for name in dir(cls)
    if not name.startswith("__")
)
_RUNS = (exec, eval, locals, vars, getattr, __import__)


def looks_at_exceptions(b: Builder, h: gast.ExceptHandler) -> bool:
    """Whether a handler, or what is called in the function, may look at how an exception came."""
    nodes = [n for s in h.body for n in nodes_in(s)]
    if any(isinstance(n, gast.Attribute) and _is_machinery(n.attr) for n in nodes):
        return True
    if any(isinstance(n, gast.Attribute) and n.attr in MACHINERY for n in nodes_in(b.source.node)):
        return True
    if any(isinstance(n, gast.Call) and _is_opaque(b, n) for n in nodes):
        return True
    return any(isinstance(n, gast.Call) for n in nodes) and _reaches_machinery(b.source.fn)


def _is_machinery(attr: str) -> bool:
    return attr in MACHINERY or (attr.startswith("__") and attr not in ("__name__", "__class__"))


def _is_opaque(b: Builder, call: gast.Call) -> bool:
    """Whether a call in a handler may run anything."""
    if any(k.arg in (None, "exc_info") for k in call.keywords):
        return True
    meant = b.means(call.func)
    if meant is not MISSING:
        return any(meant is r for r in _RUNS) or _tells(meant)
    match call.func:
        case gast.Name(id=name):
            args = getattr(b.source.node, "args", None)
            given = {p.id for p in parameters(args)} if isinstance(args, gast.arguments) else set()
            return name in given and not hasattr(builtins, name)
        case gast.Attribute(attr=attr):
            return attr not in _KNOWN
        case gast.Call(func=gast.Name(id="type")):
            return False
        case _:
            return True


def _tells(meant: object) -> bool:
    """Whether a function, under whatever name, tells of the exception under way."""
    module = getattr(meant, "__module__", None)
    return meant is sys.exc_info or module in ("traceback", "logging")


def _reaches_machinery(fn: types.FunctionType) -> bool:
    """Whether the code that a function may reach names what looks at exceptions under way."""
    for found in (fn, *reached(fn)):
        for code in codes(found.__code__):
            words = {w for c in code.co_consts if isinstance(c, tuple) for w in c
                     if isinstance(w, str)}  # fmt: skip
            if MACHINERY & (words | {*code.co_names}):
                return True
            if any(_tells(found.__globals__.get(n)) for n in code.co_names):
                return True
            if any(i.opname == "RAISE_VARARGS" and i.arg == 0 for i in get_instructions(code)):
                if _raises_what_is_under_way(found):
                    return True
    return False


def _raises_what_is_under_way(fn: types.FunctionType) -> bool:
    """Whether a `raise` without an exception, in a function or inside it, stands in no handler."""
    try:
        nodes = nodes_in(get_source(fn).node)
    except CompileError:
        return True
    bare = {id(n) for n in nodes if isinstance(n, gast.Raise) and n.exc is None}
    for h in nodes:
        if isinstance(h, gast.ExceptHandler):
            bare -= {id(n) for n in in_scope(h.body)}
    return bool(bare)
