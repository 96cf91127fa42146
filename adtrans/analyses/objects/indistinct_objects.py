"""Objects that cannot be told apart: all of a class are followed together, by which object it is.

    for v in x:                     all_Body_mass = {}
        bodies.append(Body(v))      for v in x:
    for b in bodies:                    b = Body(v)     # all_Body_mass[id(b)] = v
        s += b.mass                     bodies.append(b)
                                    for b in bodies:
                                        s += all_Body_mass[key_of(b, "mass")]

An attribute that carries numbers is a dictionary for all objects of the class, the pool, with the
identities of objects as keys; what it does to derivatives is known of any dictionary. An attribute
that holds other objects is a pointer and stays where it is. Which classes a name may mean is found
for the whole program at once: a pool, and a list or dictionary that may hold objects of it (told by
where it is made), is the same in each function.

This is the second attempt, for programs in which an object is lost otherwise. A pool is lost where
one of its objects gets to code that is not followed, or comes from outside.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from adtrans import runtime
from adtrans.analyses.objects.classes import Pooled, is_own
from adtrans.analyses.objects.model import NONE, OTHER, Key, is_shared
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, operands, statements, walk

ITEMS = "[*]"  # what a list, tuple or dictionary holds under keys that are not known


@dataclass
class Pools:
    """`classes` are followed together; `displays`: the places where lists are made that are not
    followed item by item; `contents`: what attributes and lists may hold; `lost`: what is not
    followed after all; `final`: all that is known, so that statements can be rewritten. `cells`:
    the attributes that became dictionaries; `words`: what they are called in messages."""

    classes: set[type] = field(default_factory=set)
    displays: set[object] = field(default_factory=set)
    contents: dict[tuple[Key, str], set[Key]] = field(default_factory=dict)
    lost: dict[Key, str] = field(default_factory=dict)
    cells: dict[tuple[Key, str], str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    final: bool = False
    changed: bool = False
    ref: E.Ref = field(default_factory=lambda: E.Ref("all", Pooled()))

    def hold(self, key: Key, attr: str, keys: Iterable[Key]) -> None:
        """An attribute of a pool, or a list, may hold these."""
        known = self.contents.setdefault((key, attr), set())
        if not known.issuperset(keys):
            known.update(keys)
            self.changed, self.final = True, False

    def lose(self, key: Key, why: str) -> None:
        """A pool, or a list, is not followed after all."""
        if key not in self.lost:
            self.lost[key] = why
            self.changed, self.final = True, False

    def give_up(self) -> bool:
        """Nothing is followed; whether anything was until now."""
        before = len(self.lost)
        for cls in self.classes:
            self.lose(("pool", cls), "it takes too long to find out what may be where")
        return len(self.lost) > before

    def promote(self, classes: Iterable[type], displays: Iterable[object]) -> bool:
        """These are followed together from now on; whether that is new."""
        before = len(self.classes), len(self.displays)
        self.classes.update(classes)
        self.displays.update(displays)
        new = before != (len(self.classes), len(self.displays))
        if new:  # what was found without them does not count
            self.contents.clear()
            self.lost.clear()
        return new

    def is_cell(self, key: Key, attr: str) -> bool:
        """Whether an attribute of a pool holds no objects, and no lists of objects."""
        return self.holds_other(key, attr, set())

    def holds_other(self, key: Key, attr: str, seen: set[Key]) -> bool:
        """Whether an attribute, or a list and those in it, may hold what is no object."""
        held = self.contents.get((key, attr), set())
        lists = [k for k in held if k[0] == "list" and k not in seen]
        seen.update(lists)
        if not held or OTHER in held:
            return True
        inside = {k: [a for of, a in self.contents if of == k] or [ITEMS] for k in lists}
        return any(self.holds_other(k, a, seen) for k in lists for a in inside[k])

    def finish(self) -> None:
        """All is known: the attributes that hold no objects become dictionaries."""
        self.final = True
        self.cells.clear()
        names = NameAllocator()
        for key, attr in sorted(self.contents, key=lambda at: (str(at[0][1]), at[1])):
            if key[0] == "pool" and key not in self.lost and self.is_cell(key, attr):
                cls = key[1]
                assert isinstance(cls, type)
                if is_own(cls, attr):
                    name = self.cells[key, attr] = names.fresh(f"{cls.__name__}_{attr}")
                    self.words[name] = f"{cls.__name__}.{attr}"


def instead(s: S.Stmt, o: Objects, pools: Pools) -> tuple[S.Stmt, ...] | None:
    """The statements that read or assign the dictionary of a pool; None for all other ones."""
    where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
    t, k = f"t@all{s.site}", f"t@key{s.site}"
    match s:
        case S.Bind(target=target, value=E.Attribute(base=E.Name() as base, attr=attr)):
            owner = o.of(base)
            if owner is None or owner[0] != "pool" or owner in pools.lost:
                return None
            assert isinstance(owner[1], type)
            if not is_own(owner[1], attr):
                return None
            key = _pool(base, attr, o, pools)
            if key is None:
                read = E.Call(E.Ref("object_of", runtime.object_of), (base, E.Const(attr)))
                return (S.Bind(target, read, **where),)
            found = E.Call(E.Ref("key_of", runtime.key_of), (base, E.Const(attr)))
            return (
                S.Bind(k, found, **where),
                S.Bind(t, E.Attribute(pools.ref, pools.cells[key, attr]), **where),
                S.Load(target, t, (E.Name(k),), **where),
            )
        case S.SetAttr(base=E.Name() as base, attr=attr, mirror=False):
            owner = o.of(base)
            if owner is None or owner[0] != "pool" or owner in pools.lost:
                return None
            cls = owner[1]
            assert isinstance(cls, type)
            if not is_own(cls, attr):
                return None
            kept = S.SetAttr(base, attr, s.value, s.frozen, True, **where)
            key = _pool(base, attr, o, pools)
            if key is None:
                return (kept,)
            return (
                kept,
                S.Bind(k, E.Call(E.Ref("id", id), (base,)), **where),
                S.Bind(t, E.Attribute(pools.ref, pools.cells[key, attr]), **where),
                S.Store(t, (E.Name(k),), s.value, **where),
            )
        case _:
            return None


def _pool(base: E.Expr, attr: str, o: Objects, pools: Pools) -> Key | None:
    """The pool that an object belongs to, where the attribute is one of those in dictionaries."""
    key = o.of(base)
    return key if key is not None and (key, attr) in pools.cells else None


def overlooked(fn: S.Function, o: Objects, pools: Pools) -> list[tuple[Key, str]]:
    """The pools of which an attribute may be read otherwise, with the reason: attributes of these
    names that are read, or methods that are called, of what is not known."""
    names = {attr: key for key, attr in pools.cells}
    found: list[tuple[Key, str]] = []
    for s in statements(fn.body):
        for e in (sub for own in operands(s) for sub in walk(own)):
            if not isinstance(e, E.Attribute):
                continue
            known = o.of(e.base) if E.is_atom(e.base) else None
            if e.attr in names and (known is None or known in o.lost):
                found.append((names[e.attr], f"`{e}` may be an attribute of one of them"))
        match s:
            case S.Bind(value=E.Call(fn=E.Attribute(base=base, attr=attr))):
                for k in o.values_of(base):
                    if k[0] == "pool" and s.site not in o.calls and s.site not in o.held:
                        found.append((k, f"`{attr}` is called"))
            case S.Keep(text=text):
                for attr, key in names.items():
                    if f".{attr}" in text and not _only_shown(s, o):
                        found.append((key, f"`{text}` is not followed"))
            case _:
                pass
    return found


def _only_shown(s: S.Keep, o: Objects) -> bool:
    """Whether a statement has no other effect than to look at objects that are followed."""
    return s.form == "raise" or not s.binds


def begun(fn: S.Function, pools: Pools) -> S.Function:
    """The function asked for, with empty dictionaries at its start."""
    span = fn.body[0].span
    span = replace(span, end_line=span.line, end_column=span.column)  # no list of the user's
    number = max(s.site for s in statements(fn.body))
    out: list[S.Stmt] = []
    bound = {p.name for p in fn.params} | {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(fn.reserved | bound)
    for name in pools.cells.values():
        number += 2
        var = names.fresh("t")
        out.append(S.Pack(var, "dict", (), site=number - 1, span=span))
        out.append(S.SetAttr(pools.ref, name, E.Name(var), site=number, span=span))
    return replace(fn, body=(*out, *fn.body))


def is_left(fn: S.Function) -> bool:
    """Whether a function as it is analysed still reads the dictionaries from where they are kept:
    then they were not followed."""
    return any(
        isinstance(e, E.Ref) and isinstance(e.value, Pooled)
        for s in statements(fn.body)
        for own in operands(s)
        for e in walk(own)
    )


__all__ = ["ITEMS", "NONE", "Pools", "begun", "instead", "is_left", "is_shared"]
