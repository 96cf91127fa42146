"""Classes of named tuples that a function makes for itself: made once, when it is compiled.

def f(x):                                        def f(x):
    State = namedtuple("State", "pos vel")   ->      s = State(x[0], x[1])
    s = State(x[0], x[1])                            return s.pos * s.vel
    return s.pos * s.vel

Python makes another class at each call; all of them have the same name and do the same.
"""

from __future__ import annotations

import ast
import collections
import copy

import gast

from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.small_trees import nothing
from adtrans.lower.syntax import nodes_in, parameters
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions


def with_named_tuples(source: SourceFunction) -> SourceFunction:
    """The function with such classes from outside; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    found: dict[str, object] = {}
    left: list[gast.stmt] = []
    local = LocalNames(node)
    for k, s in enumerate(node.body):
        match s:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if (
                meaning(call.func, source, local) is collections.namedtuple
                and _is_only(name, node, node.body[:k])
                and (made := _made(call, source)) is not None
            ):
                found[name] = made
            case _:
                left.append(s)
    if not found:
        return source
    written = copy.copy(node)
    written.body = left or [nothing(node)]
    return made_functions(source, written, [], found)


def _is_only(name: str, node: gast.FunctionDef, before: list[gast.stmt]) -> bool:
    """Whether a name is bound once in all of a function, and not used before."""
    bound = 0
    for n in nodes_in(node):
        match n:
            case gast.Name(id=own, ctx=ctx) if own == name:
                bound += not isinstance(ctx, gast.Load)
            case gast.Global(names=names) | gast.Nonlocal(names=names) if name in names:
                return False
            case gast.FunctionDef(name=own) | gast.ClassDef(name=own) if own == name:
                return False
            case _:
                pass
    early = any(isinstance(n, gast.Name) and n.id == name for s in before for n in nodes_in(s))
    return bound == 1 and not early and name not in {p.id for p in parameters(node.args)}


def _made(call: gast.Call, source: SourceFunction) -> object:
    """The class that a call with literal arguments makes; None for any other."""
    try:
        args = [ast.literal_eval(gast.unparse(a)) for a in call.args]
        words = {str(k.arg): ast.literal_eval(gast.unparse(k.value)) for k in call.keywords}
        return collections.namedtuple(*args, **{"module": source.fn.__module__, **words})
    except (TypeError, ValueError, SyntaxError):  # as Python says when it gets there
        return None
