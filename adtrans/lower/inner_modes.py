"""`jvp`, `hvp`, `vjp` and `linearize` inside a function, as calls of what is made for its function.

y, dot = ad.jvp(f, (x, k), (v, None))   ->   y, dot = jvp_of(f, "2 10")(x, k, tangent_0=v)
h = ad.hvp(f, (x,), (v,))               ->   h = hvp_of(f, "1 1")(x, tangent_0=v)
y, back = ad.vjp(f, x)                  ->   y, back, back_kept = vjp_of(f, "1")(x)
bars = back(g)                          ->   bars = back(back_kept, g)

What is made knows its function and has source of its own (`adtrans.handed.modes`), so it is a
callee like any other. Other forms are left as they are, and refused where they are called.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import means_in
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import Replacing, defined
from adtrans.lower.syntax import Scope, mentioned, nodes_in
from adtrans.rules.entry_points import Inner, inner_mode
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions

_OPTIONS = frozenset({"wrt", "argnums", "on_overwrite", "on_unproven"})


def with_inner_modes(source: SourceFunction) -> SourceFunction:
    """The function with such calls rewritten; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        return source
    means = means_in(node, source)

    def is_one(n: gast.AST) -> bool:
        return isinstance(n, gast.Call) and inner_mode(means(n.func)) is not None

    if not any(is_one(n) for n in nodes_in(node)):
        return source
    node = defined(copy.deepcopy(node), source.name)
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
    work = _Rewriting(means_in(node, source), names)
    work.linear = {v: names.fresh(f"{v}_kept") for v in sorted(_only_called(node, work))}
    work.visit(node)
    if not work.makers:
        return source
    return replace(made_functions(source, node, [], work.makers), node=node)


class _Rewriting(Replacing):
    """Rewrites calls of the modes, and calls of the linear functions that they return."""

    def __init__(self, means: Callable[[gast.AST], object], names: NameAllocator) -> None:
        self.means, self.names = means, names
        self.makers: dict[str, object] = {}
        self.known: dict[str, str] = {}
        self.linear: dict[str, str] = {}  # with the variable for what it keeps

    def mode(self, node: gast.AST) -> Inner | None:
        """The mode that a call means."""
        if not isinstance(node, gast.Call):
            return None
        return inner_mode(self.means(node.func))

    def replacement(self, node: gast.AST) -> gast.AST | None:
        """What stands for a node, where that is another one."""
        match node:
            case gast.Call(func=gast.Name(id=name)) if name in self.linear:
                kept = name_node(self.linear[name], node)
                return _placed(gast.Call(node.func, [kept, *map(self.inner, node.args)], []), node)
            case gast.Call(
                func=gast.Subscript(value=gast.Call() as call, slice=gast.Constant(value=1))
            ) if (mode := self.mode(call)) is not None and mode.linear and not node.keywords:
                return self.made(f"{mode.name}_at", call, node.args)
            case gast.Assign(targets=[gast.Tuple(elts=[_, gast.Name(id=name)]) as names]) if (
                name in self.linear and (mode := self.mode(node.value)) is not None
            ):
                found = self.made(mode.name, node.value)
                assert found is not None  # or it was not among the linear ones
                node.value = found
                names.elts.append(name_node(self.linear[name], names, gast.Store()))
                return node
            case gast.Call() if (mode := self.mode(node)) is not None and not mode.linear:
                return self.made(mode.name, node)
        return None

    def made(
        self, name: str, call: gast.expr, seeds: list[gast.expr] | None = None
    ) -> gast.expr | None:
        """The call of what is made; None for a form that is not understood."""
        mode = self.mode(call)
        assert mode is not None and isinstance(call, gast.Call)
        given = _understood(call, mode)
        if given is None:
            return None
        fn, primals, tangents, options = given
        tangents = tangents if seeds is None else list(seeds)
        mask = "".join("0" if _is_none(t) else "1" for t in tangents)
        layout = gast.Constant(f"{len(primals)} {mask}", None)
        maker = gast.Call(self.ref(name, mode, call), [self.inner(fn), layout], options)
        words = [
            gast.keyword(f"tangent_{k}", self.inner(t))
            for k, t in enumerate(tangents) if not _is_none(t)
        ]  # fmt: skip
        return _placed(gast.Call(maker, [self.inner(p) for p in primals], words), call)

    def ref(self, name: str, mode: Inner, like: gast.AST) -> gast.Name:
        """A name for what makes the functions of a mode."""
        if name not in self.known:
            self.known[name] = self.names.fresh(f"{name}_of")
            self.makers[self.known[name]] = mode.maker(name)
        return name_node(self.known[name], like)


Parts = tuple[gast.expr, list[gast.expr], list[gast.expr], list[gast.keyword]]


def _understood(call: gast.Call, mode: Inner) -> Parts | None:
    """The function, the primals, the tangents and the options of a call; None if not told."""
    words = {k.arg: k.value for k in call.keywords}
    if None in words or any(isinstance(a, gast.Starred) for a in call.args) or not call.args:
        return None
    fn, *rest = call.args
    if not mode.linear:
        order = ["primals", "tangents", "wrt"]
        words.update(dict(zip(order, rest, strict=False)))
        primals, tangents = words.pop("primals", None), words.pop("tangents", None)
        shown = (gast.Tuple, gast.List)
        if not isinstance(primals, shown) or not isinstance(tangents, shown) or len(rest) > 3:
            return None
        items = [*primals.elts, *tangents.elts]
        if any(isinstance(i, gast.Starred) for i in items):
            return None
        first, second = list(primals.elts), list(tangents.elts)
    else:
        first, second = rest, []
    if not words.keys() <= _OPTIONS or not all(_is_literal(v) for v in words.values()):
        return None
    if not isinstance(fn, gast.Name | gast.Lambda | gast.Attribute | gast.Call):
        return None
    return fn, first, second, [gast.keyword(str(k), v) for k, v in words.items()]


def primals_of(call: gast.Call, mode: Inner) -> int | None:
    """How many arguments the function of a call is given; None if that is not told."""
    given = _understood(call, mode)
    return None if given is None else len(given[1])


def _is_literal(node: gast.expr) -> bool:
    if isinstance(node, gast.Tuple | gast.List):
        return all(_is_literal(i) for i in node.elts)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.operand, gast.Constant)
    return isinstance(node, gast.Constant)


def _is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _placed(made: gast.expr, like: gast.AST) -> gast.expr:
    for n in gast.walk(made):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made


def _only_called(node: gast.FunctionDef, work: _Rewriting) -> set[str]:
    """The variables that are bound once, to the linear function of a mode, and only called."""
    bound = LocalNames(node).times()
    called: set[int] = set()
    found: set[str] = set()
    inside = {id(n) for s in gast.walk(node) if isinstance(s, Scope) and s is not node
              for n in gast.walk(s)}  # fmt: skip
    for n in gast.walk(node):
        if isinstance(n, gast.Call) and not n.keywords and id(n) not in inside:
            if not any(isinstance(a, gast.Starred) for a in n.args):
                called.add(id(n.func))
        match n:
            case gast.Assign(targets=[gast.Tuple(elts=[gast.Name(), gast.Name(id=name)])]):
                mode = work.mode(n.value)
                if mode is not None and mode.linear and isinstance(n.value, gast.Call):
                    found |= {name} if _understood(n.value, mode) is not None else set()
    others = {
        n.id
        for n in gast.walk(node)
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in called
    }
    return {name for name in found if bound.get(name) == 1 and name not in others}
