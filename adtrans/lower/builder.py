"""What lowering keeps while it walks a function: the current block, sites, temporaries, errors."""

from __future__ import annotations

import builtins
import inspect
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import cast

import gast

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.lower.syntax import bound_names, free_names, nodes_in, text_of
from adtrans.rules import has_method, is_maker, run_again
from adtrans.source import MISSING, SourceFunction
from adtrans.source.class_stores import stored_in_class
from adtrans.source.unwrap import is_jitted


class Builder:
    """The state of lowering one function. Blocks are filled in order of evaluation.

    `each`: places where what stands twice is computed twice. `sharing`: those where it is not.
    `forward`: no pullback is made, and so a checkpoint is the function that it is of.
    """

    def __init__(
        self,
        source: SourceFunction,
        local: frozenset[str],
        captured: frozenset[str],
        names: NameAllocator,
        each: Collection[Span] = (),
        forward: bool = False,
    ) -> None:
        self.source = source
        self.local = set(local)
        self.captured = captured
        self.names = names
        self.imported: dict[str, object] = {}
        self.made: dict[str, object] = {}
        self.diagnostics: list[Diagnostic] = []
        self.origins: dict[int, object] = {}
        self.origin = 0
        self.block: list[S.Stmt] = []
        self.loop_flags: list[str | None] = []
        self.results: tuple[str, ...] | None = None
        self.around: list[gast.stmt] = []  # the statements that are being lowered, innermost last
        self.read_first: Callable[[gast.AST], None] = lambda node: None  # see `named_reads`
        self.synthetic: dict[int, gast.AST] = {}  # statements that stand in no source
        self.partials: dict[
            str, tuple[gast.expr, list[gast.expr], list[gast.keyword]]
        ] = {}
        self.stored: frozenset[str] = frozenset()  # the attributes that the function assigns
        self.changing: dict[str, bool] = {}  # attributes that may be assigned: `looked_up`
        self.guarded = 0  # the blocks around in which an exception lets be seen what was bound
        self.volatile: frozenset[str] = frozenset()
        self.each = each
        self.forward = forward
        self.sharing: dict[Span, None] = {}
        self._memo: dict[E.Expr, tuple[str, Span]] = {}
        self._place: Span | None = None
        self._site = 0

    # Places

    def site(self) -> int:
        """The next statement's number."""
        self._site += 1
        return self._site

    def span(self, node: gast.AST) -> Span:
        """The place of `node`, or the one set by `at`."""
        return self._place or self.source.span(node)

    @contextmanager
    def at(self, node: gast.AST) -> Iterator[None]:
        """Places everything inside at `node` (positions in f-strings are wrong before 3.12)."""
        before = self._place
        if sys.version_info < (3, 12):
            self._place = before or self.source.span(node)
        try:
            yield
        finally:
            self._place = before

    @contextmanager
    def simple(self, node: gast.stmt) -> Iterator[None]:
        """The flat statements emitted inside belong to the user's simple statement `node`."""
        self.origin = len(self.origins) + 1
        self.origins[self.origin] = node
        with self.alone(node):
            yield
        self.origin = 0

    @contextmanager
    def alone(self, node: gast.AST) -> Iterator[None]:
        """Sub-expressions are shared, and walrus targets watched, inside `node` only."""
        self._memo.clear()
        walrus = {n.target.id for n in nodes_in(node) if isinstance(n, gast.NamedExpr)}
        self.volatile = frozenset(walrus)
        yield
        self._memo.clear()
        self.volatile = frozenset()

    @contextmanager
    def nested(self) -> Iterator[list[S.Stmt]]:
        """Statements emitted inside go into a block of their own."""
        outer, self.block = self.block, []
        memo = dict(self._memo)
        try:
            yield self.block
        finally:
            self.block, self._memo = outer, memo

    # Names

    def temp(self, stem: str = "t") -> str:
        """A fresh variable."""
        name = self.names.fresh(stem)
        self.local.add(name)
        return name

    def resolve(self, name: str) -> object:
        """What a name that is no local variable means."""
        if name in self.imported:
            return self.imported[name]
        return self.source.resolve(name)

    def reads(self, node: gast.AST) -> tuple[str, ...]:
        """The local variables that `node` reads, temporaries in it included."""
        return tuple(dict.fromkeys(n for n in free_names(node) if self.is_local(n)))

    def shows(self, name: str, node: gast.AST) -> bool:
        """Whether it can be seen that `name` is bound before all of `node` is evaluated."""
        return bool(self.guarded or name in self.captured) or (
            name in self.reads(node)
        )

    def binds(self, node: gast.AST) -> tuple[str, ...]:
        """The local variables that `node` may bind."""
        return tuple(n for n in bound_names([node]) if self.is_local(n))

    def is_local(self, name: str) -> bool:
        """Whether `name` is a variable of the function (or a temporary)."""
        return name in self.local

    def report(self, code: str, title: str, node: gast.AST, *, why: str, fix: str) -> E.Const:
        """Notes an error; returns something to go on with."""
        self.diagnostics.append(Diagnostic(code, title, self.span(node), why=why, fixes=[Fix(fix)]))
        return E.NONE

    def unresolved(self, name: str, node: gast.AST) -> E.Const:
        """Notes that `name` means nothing."""
        return self.report(
            "AD105",
            f"the name `{name}` is not defined",
            node,
            why="it is no local variable, and was neither a global, a captured variable nor a "
            "builtin when the function was compiled.",
            fix=f"define `{name}` before the function is differentiated",
        )

    # Sharing inside one statement

    def shared(self, value: E.Expr, node: gast.AST) -> str | None:
        """The temporary that holds `value` already, if nothing was written since."""
        if value not in self._memo:
            return None
        name, first = self._memo[value]
        place = first.around(self.span(node))
        if any(place.meets(s) for s in self.each):
            return None
        self.sharing[place] = None
        return name

    def remember(self, value: E.Expr, name: str, node: gast.AST) -> None:
        """`name` holds `value` until something is written."""
        self._memo[value] = name, self.span(node)

    def forget(self) -> None:
        """Something may have been written."""
        self._memo.clear()

    # Statements

    def bind(self, target: str, value: E.Expr, node: gast.AST) -> E.Name:
        """Emits `target = value`."""
        self.block.append(
            S.Bind(target, value, site=self.site(), span=self.span(node), origin=self.origin)
        )
        return E.Name(target)

    def alias(self, target: str, source: str, node: gast.AST) -> E.Name:
        """Emits `target = source`, two names for one object."""
        self.block.append(
            S.Alias(target, source, site=self.site(), span=self.span(node), origin=self.origin)
        )
        return E.Name(target)

    def set_attribute(self, base: S.Atom, attr: str, atom: S.Atom, node: gast.AST) -> None:
        """Emits `base.attr = atom`."""
        self.block.append(
            S.SetAttr(
                base, attr, atom, site=self.site(), span=self.span(node), origin=self.origin
            )
        )
        self.forget()

    def assign(self, target: str, atom: S.Atom, node: gast.AST) -> E.Name:
        """Emits `target = atom`."""
        if isinstance(atom, E.Name):
            return atom if atom.id == target else self.alias(target, atom.id, node)
        return self.bind(target, atom, node)

    def keep(
        self,
        node: gast.stmt,
        *,
        reads: tuple[str, ...] | None = None,
        binds: tuple[str, ...] | None = None,
        unbinds: tuple[str, ...] = (),
        supported: bool = True,
        raises: bool = False,
        place: gast.AST | None = None,
    ) -> None:
        """Emits a statement as it was written."""
        self.block.append(
            S.Keep(
                text_of(node),
                self.reads(node) if reads is None else reads,
                self.binds(node) if binds is None else binds,
                node,
                "raise" if raises else "plain" if supported else "unsupported",
                unbinds,
                site=self.site(),
                span=self.span(place or node),
                origin=self.origin,
            )
        )
        if not supported:
            self.forget()

    def branch(
        self, test: E.Expr, then: list[S.Stmt], orelse: list[S.Stmt], node: gast.AST
    ) -> None:
        """Emits an `If`."""
        self.forget()
        self.block.append(
            S.If(
                test,
                tuple(then),
                tuple(orelse),
                site=self.site(),
                span=self.span(node),
                origin=self.origin,
            )
        )

    def follows(self, obj: object, attr: str) -> bool:
        """Whether the attribute of a known object is looked up when compiling: data of a class is
        read when it runs where this function, or a method of the class, assigns it."""
        if isinstance(obj, type) and (attr in self.stored or attr in stored_in_class(obj)):
            found = inspect.getattr_static(obj, attr, None)
            if not hasattr(type(found), "__get__") and not isinstance(found, type):
                return False
        return is_followed(obj, attr)

    def means(self, node: gast.AST) -> object:
        """The object that a free dotted name means, or `MISSING` for everything else.

        Attributes are followed through modules and classes: those of other objects may change. Only
        methods of an object that have rules of their own are known, too (`stats.norm.logpdf`).
        A call that makes a function of known ones (`grad(g)`) means that function.
        """
        if isinstance(node, gast.Name):
            return MISSING if self.is_local(node.id) else self.run_once(self.resolve(node.id))
        if isinstance(node, gast.Attribute):
            base = self.means(node.value)
            if base is not MISSING and self.follows(base, node.attr):
                return self.run_once(getattr(base, node.attr, MISSING))
        if isinstance(node, gast.Call) and is_maker(self.means(node.func)):
            return self.run_once(self._made(node))
        return MISSING

    def presence(self, node: gast.AST) -> bool | None:
        """Whether `hasattr(np, "trapezoid")` holds; None for every other condition.

        What a module has is looked up when compiling, as are the functions that are read from it.
        """
        match node:
            case gast.UnaryOp(op=gast.Not(), operand=inner):
                found = self.presence(inner)
                return None if found is None else not found
            case gast.Call(func=fn, args=[owner, gast.Constant(value=str() as name)], keywords=[]):
                if self.means(fn) is builtins.hasattr:
                    base = self.means(owner)
                    return hasattr(base, name) if isinstance(base, type(sys)) else None
        return None

    def chosen(self, node: gast.expr) -> gast.expr:
        """What remains of `f if hasattr(np, "f") else g` and `getattr(np, "f", g)`: `np.f`, or `g`.

        `node` itself, where it is something else.
        """
        match node:
            case gast.IfExp() if (present := self.presence(node.test)) is not None:
                return self.chosen(node.body if present else node.orelse)
            case gast.Call(
                func=fn, args=[owner, gast.Constant(value=str() as name), *rest], keywords=[]
            ) if len(rest) < 2 and self.means(fn) is builtins.getattr:
                base = self.means(owner)
                if not isinstance(base, type(sys)) or not (hasattr(base, name) or rest):
                    return node
                if not hasattr(base, name):
                    return self.chosen(rest[0])
                made = gast.Attribute(owner, name, gast.Load())
                gast.copy_location(made, node)
                return made
            case _:
                return node

    def run_once(self, obj: object) -> object:
        """What a checkpoint is of, where it is not run again."""
        again = run_again(obj) if self.forward else None
        return obj if again is None else again

    def _made(self, node: gast.Call) -> object:
        """What a maker returns for known arguments."""
        text = gast.unparse(node)
        if text not in self.made:
            if any(k.arg is None for k in node.keywords):  # which may be others in the next call
                return MISSING
            args = [self._known(a) for a in node.args]
            kwargs = {str(k.arg): self._known(k.value) for k in node.keywords}
            if any(v is MISSING for v in (*args, *kwargs.values())):
                return MISSING
            maker = cast("Callable[..., object]", self.means(node.func))
            found = maker(*args, **kwargs)
            self.made[text] = MISSING if found is None else found
        return self.made[text]

    def _known(self, node: gast.AST) -> object:
        """The value of a literal, or what a free name means."""
        match node:
            case gast.Constant(value=value):
                return value
            case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() as value)):
                return -value
            case gast.Tuple(elts=items) | gast.List(elts=items):
                parts = tuple(self._known(i) for i in items)
                return MISSING if any(p is MISSING for p in parts) else parts
            case _:
                return self.means(node)


def is_followed(obj: object, attr: str) -> bool:
    """Whether the attribute of a known object is looked up when compiling."""
    inside = attr == "py_func" and is_jitted(obj)
    return inside or is_namespace(obj) or is_mode(obj, attr) or has_method(obj, attr)


def is_namespace(obj: object) -> bool:
    """Whether attributes of `obj` are looked up when compiling."""
    return isinstance(obj, type | type(sys))


def is_mode(obj: object, attr: str) -> bool:
    """Whether `attr` of `obj` is a derivative of a function that is known when compiling."""
    return attr in getattr(type(obj), "modes", ())
