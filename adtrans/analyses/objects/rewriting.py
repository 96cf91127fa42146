"""Statements with the variables of attributes in place of what reads and writes attributes.

`obj.a = e` binds the variable of the attribute and then writes the attribute; `obj.a` reads the
variable. A call passes the variables of the attributes that it may read, and unpacks those that it
assigns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.objects.attribute_variables import Cells
from adtrans.analyses.objects.classes import is_frozen, is_own, member
from adtrans.analyses.objects.constructions import makes
from adtrans.analyses.objects.displays import (
    CONTAINERS,
    counts,
    item_of,
    key_of,
)
from adtrans.analyses.objects.model import Key, Place, Root
from adtrans.analyses.objects.object_facts import Call
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, map_blocks, names_in, walk
from adtrans.lower.opaque import kept_attribute

_SHARED = (bool, int, float, complex, str, np.generic, type(None), np.ndarray)


class Rewriter(Cells):
    """Rewrites the statements of one function."""

    # -- statements ----------------------------------------------------------------------------

    def place(self, s: S.Stmt) -> S.Place:
        self.site += 1
        return S.place(s, self.site)

    def block(self, body: S.Block) -> S.Block:
        out: list[S.Stmt] = []
        for s in body:
            made = [*self.statement(s)]
            if made != [s]:
                self.spelled_out.add(s.origin)
            out += made
        return tuple(out)

    def statement(self, s: S.Stmt) -> Iterator[S.Stmt]:
        call = self.o.calls.get(s.site)
        if call is not None:
            made = self.call(s, call)
            if made is not None:
                yield from made
                return
        match s:
            case S.Bind(value=E.Attribute(base=base, attr=attr)) if self.has(
                self.followed(base), attr
            ):
                key = self.followed(base)
                assert key is not None
                yield S.Alias(s.target, self.cell(key, attr), **self.place(s))
            case S.Bind(value=E.Attribute(base=E.Name() as base, attr=attr)) if (
                self.table(base, attr) is not None
            ):
                own, checked = self.names.fresh("t"), self.names.fresh("t")
                given = self.table(base, attr)
                assert given is not None
                yield S.Bind(s.target, given, **self.place(s))
                yield S.Bind(own, E.Attribute(base, attr), **self.place(s))
                both = (E.Name(own), E.Name(s.target))
                by = E.Ref("check_method", runtime.check_method)
                yield S.Bind(checked, E.Call(by, both), **self.place(s))
            case S.SetAttr(mirror=False):
                yield from self.set_attr(s)
            case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(E.Name(id=var),))) if (
                fn is len and self.is_made(var)
            ):
                count = counts(self.o, self.followed(E.Name(var)))
                yield replace(s, value=E.Const(count))
            case S.Pack(target=var) if self.is_made(var):
                yield from self.pack(s)
            case S.Bind() if makes(s) is not None:
                yield s
                yield from self.defaults(s)
            case S.Unpack(source=var) if self.is_made(var):
                key = self.followed(E.Name(var))
                assert key is not None
                if not self.cells[self.o.one(key)]:  # a tuple that was returned
                    yield s
                    return
                for attr, target in zip(self.o.items[key] or (), s.targets, strict=True):
                    yield S.Alias(target, self.cell(key, attr), **self.place(s))
            case S.Load() | S.Store() | S.Update() if self.item(s) is not None:
                yield from self.of_item(s)
            case _:
                yield map_blocks(s, self.block)

    def table(self, base: E.Name, attr: str) -> E.Expr | None:
        """The list or tuple of its class that an object shows under a name."""
        key = self.followed(base)
        if key is None or (key[0] == "param" and key not in self.o.origins):
            return None  # it may come from outside, with one of its own
        cls = self.o.classes[self.o.one(key)]
        if cls in CONTAINERS or self.functions.sets_in_class(attr):
            return None
        found = member(cls, attr)
        if found.form != "data" or not isinstance(found.value, list | tuple):
            return None
        return None if is_own(cls, attr) else E.Ref(f"{cls.__name__}_{attr}", found.value)

    def defaults(self, s: S.Bind) -> Iterator[S.Stmt]:
        """What a new object has from its class, until it is assigned an attribute of its own."""
        key = self.followed(E.Name(s.target))
        if key is None:
            return
        cls = self.o.classes[self.o.one(key)]
        for attr in sorted(self.cells[self.o.one(key)]):
            found = member(cls, attr)
            plain = found.form == "data" and isinstance(found.value, _SHARED)
            if plain and not self.functions.sets_in_class(attr):
                value: E.Expr = E.Attribute(E.Ref(cls.__name__, cls), attr)
                if cls.__name__ in map(str, walk(s.value)):  # the function has a name for it
                    value = E.Ref(f"{cls.__name__}.{attr}", found.value)
                yield S.Bind(self.cell(key, attr), value, **self.place(s))

    # -- containers ----------------------------------------------------------------------------

    def is_made(self, var: str) -> bool:
        """Whether a variable means a container that is followed."""
        key = self.followed(E.Name(var))
        return key is not None and self.o.classes[self.o.one(key)] in CONTAINERS

    def item(self, s: S.Load | S.Store | S.Update) -> tuple[Key, str] | None:
        """The followed item that a statement reads or writes."""
        key = self.followed(E.Name(s.base))
        if key is None or self.o.classes[key] not in CONTAINERS or s.items is None:
            return None
        attr, known = item_of(s.items, self.o), self.o.items.get(key)
        if attr is not None and self.o.classes[key] is not dict and known is not None:
            at = key_of(attr)
            attr = known[at] if isinstance(at, int) else None
        return (key, attr) if attr is not None and self.has(key, attr) else None

    def pack(self, s: S.Pack) -> Iterator[S.Stmt]:
        key = self.followed(E.Name(s.target))
        assert key is not None
        cells = [(a, self.cell(key, a)) for a in self.o.items[key] or ()]
        parts = [self.bound_to(c, v, s) for (_, c), v in zip(cells, s.items, strict=False)]
        called = self.fn.source_name
        lost = called(s.target) in {called(n) for i in s.items for n in names_in(i)}  # `y = [y, x]`
        yield from parts if lost else ()
        if s.kind != "tuple":
            yield replace(s, items=tuple(E.NONE for _ in s.items), origin=0)
        else:
            self.tuples.add(s.target)  # it may be looped over, or be an item itself
            yield replace(s, origin=0)
        for (attr, cell), part in zip(cells, parts, strict=False):
            yield from () if lost else (part,)
            if s.kind != "tuple":
                yield self.assigned(s.target, attr, cell, s)

    def of_item(self, s: S.Load | S.Store | S.Update) -> Iterator[S.Stmt]:
        found = self.item(s)
        assert found is not None
        key, attr = found
        cell = self.cell(key, attr)
        match s:
            case S.Load():
                yield S.Alias(s.target, cell, **self.place(s))
                return
            case S.Store():
                yield self.bound_to(cell, s.value, s)
            case S.Update():
                yield S.Update(cell, None, s.op, s.value, **self.place(s))
        yield self.assigned(s.base, attr, cell, s)

    def assigned(self, base: str, attr: str, cell: str, s: S.Stmt) -> S.Stmt:
        return S.SetAttr(E.Name(base), attr, E.Name(cell), mirror=True, **self.place(s))

    def set_attr(self, s: S.SetAttr) -> Iterator[S.Stmt]:
        key = self.followed(s.base)
        if key is None or not self.has(key, s.attr):
            yield kept_attribute(s, self.fn.source_name)
            return
        cell = self.cell(key, s.attr)
        cls = self.o.classes[self.o.one(key)]
        refused = is_frozen(cls) and not s.frozen
        if refused:  # it raises before anything is bound
            yield replace(s, mirror=True)
        yield self.bound_to(cell, s.value, s)
        if not refused:
            yield replace(s, value=E.Name(cell), mirror=True)

    def bound_to(self, target: str, value: E.Atom, s: S.Stmt) -> S.Stmt:
        if isinstance(value, E.Name):
            return S.Alias(target, value.id, **self.place(s))
        return S.Bind(target, value, **self.place(s))

    def call(self, s: S.Stmt, call: Call) -> list[S.Stmt] | None:
        """A call with the variables of attributes; None where it is left as it is."""
        given = {p: k for p, a in call.bound.items() if (k := self.followed(a)) is not None}
        roots: dict[Root, Key] = {("param", p): k for p, k in given.items()}
        roots.update(
            {
                ("global", n): ("global", n)
                for n in call.seen.globals
                if ("global", n) in self.cells
            }
        )
        cells = frozenset(
            Place(root, path, attr)
            for root, key in roots.items()
            for path, attr in self.below_outside(key)
        )
        told = {p for p, a in call.bound.items() if p in given or self.is_told_here(a)}
        # what it does with an object that is followed may depend on which other ones it is given
        shapes = {p: s for p, s in call.shapes.items() if given or p in told}
        e = self.functions.expanded(call.fn, shapes, cells)
        target = binds_of(s)[0] if binds_of(s) else None
        if isinstance(s, S.Update):
            target = s.base
        if e is None:
            ours = self.is_ours(s)
            if isinstance(s, S.Invoke):
                ours = E.is_atom(s.fn) and bool(self.followed(s.fn))
                ours = ours or self.is_told_here(s.fn)
            if not ours:
                return None
            return [self.invoke(s, target, self.functions.named(call.fn), call)]
        kwargs = [(n, E.Name(self.at(roots[p.root], p.path, p.attr))) for n, p in e.ins]
        own = target
        if e.several:
            own = self.names.fresh("t")
        made: list[S.Stmt] = [self.invoke(s, own, e.fn, call, kwargs)]
        if e.several:
            assert own is not None
            key = self.o.among(self.o.values.get(target, set())) if target is not None else None
            first = target if target is not None else self.names.fresh("t")
            names = [self.at(roots[p.root], p.path, p.attr) for p in e.outs]
            if key is not None and self.o.one(key) in self.cells:
                names += [self.at(key, path, attr) for path, attr in e.result]
            else:
                names += [self.names.fresh("t") for _ in e.result]
            made.append(S.Unpack((first, *names), own, **self.place(s)))
        return made

    def is_ours(self, s: S.Stmt) -> bool:
        """Whether a call is spelled out though nothing is passed: it is no call in the text, or one
        of a method of a global object or of what is followed."""
        if isinstance(s, S.Bind) and isinstance(s.value, E.Call):
            fn = s.value.fn
            if not isinstance(fn, E.Attribute):
                return False
            known = self.followed(fn.base) is not None or self.is_told_here(fn.base)
            return isinstance(fn.base, E.Ref) or known
        return True

    def invoke(
        self,
        s: S.Stmt,
        target: str | None,
        fn: E.Ref,
        call: Call,
        more: Sequence[tuple[str, E.Atom]] = (),
    ) -> S.Stmt:
        named = list(call.bound.items())
        args = tuple(a for _, a in named[: call.by_position])
        kwargs = (*named[call.by_position :], *more)
        return S.Invoke(target, fn, args, kwargs, **self.place(s))
