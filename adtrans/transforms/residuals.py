"""Residuals: the primal values that the pullback has asked for, under which names, kept once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from adtrans.analyses.fixed import asks_only_fixed
from adtrans.analyses.loops import is_position
from adtrans.analyses.needs import contents_in
from adtrans.analyses.nested import address
from adtrans.analyses.prove import proves_nonneg
from adtrans.analyses.structure import BODY, BlockId
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Kind, is_immutable
from adtrans.ir.walk import binds_of, blocks_of, names_in, rebuild, statements, substitute
from adtrans.transforms.bases import Derivations
from adtrans.transforms.undoing import Undone, taken_from
from adtrans.transforms.ways import Fetch, Way, Ways


def _nothing(c: C.Code) -> None:
    raise AssertionError(f"nobody writes this: {c}")


@dataclass
class Residuals(Ways):
    """Decides and remembers; one object serves one forward/pullback pair.

    Requests are idempotent: the same question gets the same name. `undone`: the arrays whose writes
    the pullback undoes; what is `then` their name; `bind` writes a statement of the pullback;
    `here` tells which statement is being reversed.
    """

    undone: Mapping[str, Undone] = field(default_factory=dict)
    then: dict[str, str] = field(default_factory=dict)
    parts: dict[tuple[str, int], str] = field(default_factory=dict)
    bind: Callable[[C.Code], None] = field(default=_nothing)
    here: Callable[[], S.Stmt | None] = field(default=lambda: None)

    # -- requests ----------------------------------------------------------------------------

    def value(self, var: str, site: int, *, result: bool = False) -> E.Expr:
        """The name that `var` has in the pullback, as it was before or after `site`."""
        return self._request(E.Name(var), var, site, result)

    def reference(self, var: str, site: int, *, result: bool = False) -> E.Expr:
        """The name of `var` where what it holds does not matter (or was asked for before)."""
        contents = self.facts.needs.covers(site, var, result)
        return self._request(E.Name(var), var, site, result, contents=None if contents else False)

    def shape(self, var: str, site: int, *, result: bool = False) -> E.Expr:
        """The shape of the array `var` at `site`: constants where known."""
        site, result = self.named(var, site, result)
        kind = self.facts.kinds.var(var)
        if isinstance(kind, Array) and kind.dims is not None:
            sizes = [d.value if d is not None else None for d in kind.dims]
            if all(n is not None for n in sizes):
                return E.Sequence("tuple", tuple(E.Const(n) for n in sizes))
        way, _ = self.way(var, site, result, contents=False)
        if way == "record" and isinstance(kind, Array):
            twin = self._same_shape(var, kind, site, result)
            if twin is not None:
                return twin
            known = self.sizes(kind, site, result)
            if known is not None:
                return known
        if way in ("header", "recompute"):
            whole = self._request(E.Name(var), var, site, result, contents=False)
            if not isinstance(kind, Array):
                return E.Call(E.Ref("np.shape", np.shape), (whole,))
            return E.Attribute(whole, "shape")
        value: E.Expr = E.Attribute(E.Name(var), "shape")
        if not isinstance(kind, Array):
            value = E.Call(E.Ref("np.shape", np.shape), (E.Name(var),))
        return self._request(value, var, site, result)

    def _same_shape(self, var: str, kind: Array, site: int, result: bool) -> E.Expr | None:
        """The shape of another array that is kept anyway and is certainly as large."""
        if kind.dims is None or None in kind.dims:
            return None
        f = self.facts
        if any("#" in symbol for d in kind.dims if d is not None for symbol in d.symbols):
            return None  # it is so large in one iteration; the other may be left of another one
        for p in (q.name for q in f.fn.params):
            other = f.kinds.var(p)
            same = isinstance(other, Array) and other.dims == kind.dims
            if same and self._named_here(p, site, result):
                return self._request(E.Attribute(E.Name(p), "shape"), p, site, result)
        for v in sorted(f.definitions.sites):
            other = f.kinds.var(v)
            same = v != var and isinstance(other, Array) and other.dims == kind.dims
            same = same and v in self.read  # a name is all that is left of an unused result
            if same and not self.lacks_value(v) and self._named_here(v, site, result):
                if any(f.structure.dominates(d, site) for d in f.definitions.sites[v]):
                    return self._request(E.Attribute(E.Name(v), "shape"), v, site, result)
        return None

    def sizes(self, kind: Array, site: int, result: bool) -> E.Expr | None:
        """The sizes of an array, where each is that of a parameter, or differs by a constant."""
        found: list[E.Expr] = []
        for d in kind.dims or (None,):
            size = None if d is None else self._size(d, site, result)
            if size is None:
                return None
            found.append(size)
        return E.Sequence("tuple", tuple(found))

    def _size(self, d: Affine, site: int, result: bool) -> E.Expr | None:
        f = self.facts
        if d.value is not None:
            return E.Const(max(d.value, 0))
        wanted = d - d.constant
        for p in (q.name for q in f.fn.params):
            kind = f.kinds.var(p)
            dims = kind.dims if isinstance(kind, Array) else None
            if dims is None or wanted not in dims or not self._named_here(p, site, result):
                continue
            shape = self._request(E.Attribute(E.Name(p), "shape"), p, site, result)
            size: E.Expr = E.Index(shape, (E.Const(dims.index(wanted)),))
            if d.constant:
                sign = "+" if d.constant > 0 else "-"
                size = E.Binary(sign, size, E.Const(abs(d.constant)))
            if not proves_nonneg(d, f.kinds.facts(site)):
                size = E.Call(E.Ref("max", max), (size, E.Const(0)))
            return size
        return None

    def expression(self, e: E.Expr, site: int, *, contents: bool = True) -> E.Expr:
        """`e` with each variable replaced by its name in the pullback.

        `contents` False: what the arrays hold does not matter here (it is views that are taken,
        lengths that are asked for), or is somebody else's need.
        """
        if isinstance(e, E.Verbatim):
            raise AssertionError(f"a verbatim expression cannot be evaluated again: {e}")
        read = contents_in(e, site, self.facts.kinds) if contents else set()
        by = {
            n: self._request(E.Name(n), n, site, False, contents=None if n in read else False)
            for n in sorted(names_in(e))
        }
        return substitute(self._held(e, site) if contents else e, by)

    def _held(self, e: E.Expr, site: int) -> E.Expr:
        """The same with a copy of each list or the like that is named from outside: whoever wants
        may put in something else before the pullback runs."""
        match e:
            case E.Ref(text=text, value=value) if type(value) in (list, dict, set, deque):
                copied = E.Call(E.Attribute(e, "copy"), ())
                return self.kept(text.rpartition(".")[2], copied, site)
            case E.Call(fn=E.Ref() as fn):
                return rebuild(e, lambda c: c if c is fn else self._held(c, site))
            case _:
                return rebuild(e, lambda c: self._held(c, site))

    def available(self, e: E.Expr, site: int) -> bool:
        """Whether an expression over numbers can be evaluated again without keeping anything."""
        if any(isinstance(x, E.Verbatim | E.Call | E.Index) for x in _walk(e)):
            return False
        if not asks_only_fixed(e):
            return False
        return all(
            is_immutable(self.facts.kinds.at(site, n)) and self.without_record(n, site)
            for n in names_in(e)
        )

    def kept(
        self, hint: str, value: E.Expr, site: int, *, after: bool = False, undoes: str = ""
    ) -> E.Expr:
        """An expression that the forward function evaluates at `site` and keeps, newly named."""
        key = ("kept", str(value), site, after)
        if key not in self.fetches:
            block = self.facts.structure.block[site]
            name = self.names.fresh(hint)
            stack = self.names.fresh(f"{hint}_saved")
            self.fetches[key] = Fetch(
                "record", name, value, site, after, block, stack=stack, undoes=undoes
            )
        return E.Name(self.fetches[key].name)

    def address(self, var: str, site: int, result: bool) -> E.Expr:
        """The address of the array that `var` refers to before (or after) `site`."""
        if not result:
            site, result = self.place(var, site, False)
        note = address(var, self.facts.sharing.held(var, self.facts.kinds.var(var)))
        return self.kept(f"{self.facts.fn.source_name(var)}_at", note, site, after=result)

    def _request(
        self, value: E.Expr, var: str, site: int, result: bool, *, contents: bool | None = None
    ) -> E.Expr:
        f = self.facts
        bare = isinstance(value, E.Name)
        block = None if is_position(var) else f.structure.block[site]
        if bare and not result and block is not None and (block, var) in self.bases:
            if Derivations(f, self.without_record).untouched(block, var, site):
                first = f.structure.contents[block][0].site
                own, held = f.fn.source_name(var), f.kinds.at(site, var)
                base_key = ("base", block, var)
                return self.put(base_key, "record", own, value, first, False, block, True, held)
        checked = bare and contents is not False and not is_position(var)
        if checked and not f.needs.covers(site, var, result):
            held = f.kinds.at(site, var) if not result else f.kinds.var(var)
            if not is_immutable(held):
                raise AssertionError(f"`{var}` is read at {site} without a need for its contents")
        way, place = self.way(var, site, result, contents=bare if contents is None else contents)
        hint = (
            var.partition("#")[0]
            if is_position(var)
            else f.fn.source_name(var)
            if bare
            else f"{f.fn.source_name(var)}_shape"
        )
        kind = f.kinds.var(var) if bare else None
        if way == "final" and not bare and self.lacks_value(var):
            d = f.definitions.sites[var][0]
            if len(f.definitions.sites[var]) == 1 and f.structure.dominates(d, site):
                way, place = "record", d
            else:  # on the way where it is not bound, nothing asks for it: any shape will do
                value = E.Call(E.Ref("np.shape", np.shape), (E.Name(var),))
        if way == "header":
            leaf = None if is_position(var) else self._leaf(var, place)
            expr = E.Name(var) if leaf is None or leaf.value is None else leaf.value
            if isinstance(expr, E.Name) and is_position(expr.id):
                var = expr.id
            key: tuple[object, ...] = ("header", var, place)
            return self.put(key, "header", hint, expr, place, False, (place, 0), False, kind)
        if way == "final":
            return self.put(
                ("final", str(value)), "final", hint, value, place, False, BODY, False, kind
            )
        if way == "recompute":
            s = f.structure.stmts[place]
            source: E.Expr
            match s:
                case S.Load():
                    source = E.Index(E.Name(s.base), s.items)
                case S.Alias():
                    source = E.Name(s.source)
                case S.Bind():
                    source = s.value
                case _:
                    raise AssertionError(f"cannot recompute {s}")
            key = ("recompute", var, place)
            return self.put(
                key, "recompute", hint, source, place, True, f.structure.block[place], False, kind
            )
        copy = bare and contents is not False and (site, var, result) in f.saved
        if copy and (then := self._then(var, site, result)) is not None:
            return then
        after = result if place == site else True
        if place == site and not copy:
            place, after = self.place(var, site, result, behind=bare)
        lacks = self.lacks_value(var) and not (after and f.structure.is_bound(var, place))
        if not bare and lacks:
            # where it is not bound yet, any shape will do
            value = E.Call(E.Ref("np.shape", np.shape), (E.Name(var),))
        key = ("record", str(value), place, after, copy)
        if copy and key not in self.fetches and (same := self._copied_later(var, place, after)):
            return E.Name(same.name)
        if bare and not copy and key not in self.fetches:
            if (same := self._kept_there(var, place, after)) is not None:
                return E.Name(same.name)
        return self.put(
            key, "record", hint, value, place, after, f.structure.block[place], copy, kind
        )

    def _then(self, var: str, site: int, result: bool) -> E.Expr | None:
        """The contents of an array whose writes are undone, as they are by now: those that `var`
        has at the statement being reversed. A part of it is selected where that is asked for."""
        f = self.facts
        base, taken = taken_from(f, var)
        s = self.here()
        if s is None or s.site != site or blocks_of(s):
            return None
        if base not in self.then or not self.undone[base].covers(f, site, result):
            return None
        if taken is None:
            return E.Name(self.then[base])
        if not f.structure.dominates(taken.site, site):
            return None
        hint = f"{f.fn.source_name(var)}_then"
        name = E.Name(self.parts.setdefault((var, site), self.names.fresh(hint)))
        items = tuple(self.expression(i, taken.site) for i in taken.items)
        self.bind(C.Assign((name,), E.Index(E.Name(self.then[base]), items)))
        return name

    def _kept_there(self, var: str, place: int, after: bool) -> Fetch | None:
        """A record of the same array at another place of the same block, between two bindings."""
        f = self.facts
        block = f.structure.block[place]
        kept = {
            (c.at, c.after): c
            for c in self.fetches.values()
            if not c.copy and c.way == "record" and c.value == E.Name(var) and c.block == block
        }
        if not kept or not isinstance(f.kinds.var(var), Array) or self.in_parts(block):
            return None
        found: Fetch | None = None
        passed = False
        for s in f.structure.contents[block]:
            for side in (False, True):
                if side and any(var in binds_of(inner) for inner in statements((s,))):
                    if passed:
                        return found
                    found = None
                found = kept.get((s.site, side), found)
                passed = passed or (s.site, side) == (place, after)
        return found

    def _copied_later(self, var: str, place: int, after: bool) -> Fetch | None:
        """A copy of the same contents, which is kept further down in the same block."""
        f = self.facts
        block = f.structure.block[place]
        if self.in_parts(block):
            return None
        kept = {
            c.at: c
            for c in self.fetches.values()
            if c.copy and c.way == "record" and not c.after and c.value == E.Name(var)
        }
        mine = f.memory.objects(var)
        here = False
        for s in f.structure.contents[block]:
            if here and s.site in kept:
                return kept[s.site]
            here = here or s.site == place
            if not here or (s.site == place and after):
                continue
            written = any(w.unknown or w.objects & mine for w in f.memory.at(s.site))
            if blocks_of(s) or written or var in binds_of(s):
                return None
        return None

    def _local_name(self, hint: str, block: BlockId) -> str:
        """A name for a value that is fetched with a block: blocks apart may use the same."""
        around = self.facts.structure.ancestors
        for name, blocks in self.local.setdefault(hint, {}).items():
            if all(b not in around(block) and block not in around(b) for b in blocks):
                blocks.append(block)
                return name
        name = self.names.fresh(hint)
        self.local[hint][name] = [block]
        return name

    def lacks_value(self, var: str) -> bool:
        """Whether a variable has no value on some way to the end of the function."""
        f = self.facts
        sites = [
            d
            for d in f.definitions.sites.get(var, ())
            if not isinstance(f.structure.stmts[d], S.For)
        ]
        return var not in f.definitions.params and all(f.structure.block[d] != BODY for d in sites)

    def put(
        self,
        key: tuple[object, ...],
        way: Way,
        hint: str,
        value: E.Expr,
        at: int,
        after: bool,
        block: BlockId,
        copy: bool,
        kind: Kind | None,
        undoes: str = "",
    ) -> E.Expr:
        if key not in self.fetches:
            local = way in ("header", "recompute") and block != BODY
            name = self._local_name(hint, block) if local else self.names.fresh(hint)
            stack = self.names.fresh(f"{hint}_saved") if way == "record" else ""
            self.fetches[key] = Fetch(
                way, name, value, at, after, block, copy, kind, stack, undoes
            )
        return E.Name(self.fetches[key].name)


def _walk(e: E.Expr) -> list[E.Expr]:
    found = [e]
    for c in E.children(e):
        found.extend(_walk(c))
    return found
