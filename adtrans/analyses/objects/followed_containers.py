"""Lists, tuples and dictionaries among the objects that are followed: what their items hold."""

from __future__ import annotations

from adtrans.analyses.objects.displays import (
    CONTAINERS,
    MOST,
    beside,
    counts,
    is_plain,
    item_of,
    jumps,
    key_of,
    name_of,
    numbers,
    ranges,
    runs_out,
    sources,
)
from adtrans.analyses.objects.following import Following, reason
from adtrans.analyses.objects.growth import changes_size
from adtrans.analyses.objects.model import OTHER, Key, Shape
from adtrans.analyses.objects.turns import called, pairs_taken
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, names_in, reads_of, statements


class Containers(Following):
    """The part of the inference that concerns containers with known keys."""

    def container(self, e: E.Expr) -> Key | None:
        """The container with known keys that an atom means."""
        key = self.o.of(e)
        return key if key is not None and self.o.classes[key] in CONTAINERS else None

    def pack(self, s: S.Pack) -> None:
        cls = {"list": list, "dict": dict, "tuple": tuple}[s.kind]
        special = any(self.o.of(i) is not None or is_function(i) for i in s.items)
        special |= s.target in self.called_in_turn
        items: tuple[str, ...] | None = tuple(name_of(k) for k in range(len(s.items)))
        if s.kind == "dict":
            items = self.displays[s.site]
        if items is None or (s.kind == "tuple" and not special) or (s.kind == "list" and not items):
            self.lose_names(reads_of(s), reason(s))
            self.add(s.target, self.parts(reads_of(s)))
            return
        key: Key = ("new", s.site)
        self.enter(key, Shape.of(cls, items=items))
        for attr, i in zip(items, s.items, strict=False):
            self.put(key, attr, i)
        self.add(s.target, {key})

    def holds_one_each(self, key: Key) -> bool:
        """Whether all items of a container mean one object each."""
        held = [self.o.inner(key, attr) for attr in self.o.items.get(key) or ()]
        return bool(held) and None not in held

    def put(self, key: Key, attr: str, value: E.Expr) -> None:
        """An item of a container gets a value."""
        self.write(key, attr)
        self.add_content(key, attr, self.o.told(self.o.values_of(value)))
        if is_function(value):
            self.o.callable.add((key, attr))

    def item(self, key: Key, items: tuple[E.Expr, ...]) -> str | None:
        """The item of a container that a subscript means."""
        attr, known = item_of(items, self.o), self.o.items.get(key)
        if self.o.classes[key] is dict or attr is None:
            return attr
        at = key_of(attr)
        if not isinstance(at, int) or known is None or not -len(known) <= at < len(known):
            return None
        return known[at]

    def take(self, target: str, key: Key, attr: str | None) -> None:
        """`target` is bound to an item."""
        if attr is None:
            self.lose({key}, "a key is computed")
            self.add(target, {OTHER})
            return
        self.add(target, self.o.contents.get((key, attr), set()) | {("part", key, attr)})

    def unpack(self, s: S.Unpack, key: Key) -> None:
        items = self.o.items.get(key)
        plain = self.o.classes[key] is not dict and s.star is None and items is not None
        if not plain or items is None or len(items) != len(s.targets):
            self.lose({key}, "it is unpacked")
            items = ()
        for k, v in enumerate(s.targets):
            self.take(v, key, items[k] if items else None)

    def is_unrolled(self, s: S.For) -> bool:
        """Whether a loop over containers is written out: where their items are objects or
        functions, or are changed in the loop."""
        if not is_plain(s.iter) or jumps(s.body):
            return False
        special = bool(called(s.body) & set(binds_of(s)))
        over: set[Key] = set()
        for over_numbers in ranges(s.iter):
            steps = numbers(over_numbers, self.o)
            if steps is None or len(steps) > MOST:
                return False
        plain = beside(s.iter, self.o)
        for name in sources(s.iter):
            if name in plain:
                continue
            if len(self.o.rows.get(name, ())) > MOST:
                return False
            if name in self.o.rows:
                continue
            var, view = self.o.views.get(name, (name, ""))
            if view == "items" and (name, True) in pairs_taken(s.target, s.iter):
                return False
            key = self.container(E.Name(var))
            count = counts(self.o, key)
            if key is None or count is None or count > MOST or key in self.o.lost:
                return False
            special |= self.is_special(key) or self.is_attribute(key)
            over.add(self.o.one(key))
        targets = set(binds_of(s))
        changed = {t.base for t in statements(s.body) if isinstance(t, S.Store | S.Update)}
        keyed = any(self.is_keyed(t, targets) for t in statements(s.body))
        if not (special or targets & changed or keyed) or runs_out(s.iter, self.o):
            return False
        body_of, whole = self.functions.block_of, self.fn.body
        return not changes_size(s.body, over, targets, self.o, body_of, whole)

    def is_keyed(self, s: S.Stmt, targets: set[str]) -> bool:
        """Whether a statement uses an item of a container whose key a loop goes through: of a
        dictionary, or of a list that has to be followed item by item."""
        if not isinstance(s, S.Load | S.Store | S.Update) or s.items is None:
            return False
        key = self.container(E.Name(s.base))
        by_loop = len(s.items) == 1 and bool(names_in(s.items[0]) & targets)
        if key is None or not by_loop or not isinstance(s.items[0], E.Name) or key in self.o.lost:
            return False
        cls, counted = self.o.classes[key], counts(self.o, key) is not None
        return cls is dict or (counted and (isinstance(s, S.Update) or self.is_special(key)))

    def is_special(self, key: Key) -> bool:
        """Whether a container holds objects or functions."""
        held = (k for (of, _), ks in self.o.contents.items() if of == key for k in ks)
        return any(k != OTHER for k in held) or any(of == key for of, _ in self.o.callable)

    def is_attribute(self, key: Key) -> bool:
        """Whether a container is an attribute of an object, which would be lost with it."""
        return any(
            key in {self.o.one(k) for k in held} and self.o.classes.get(of) not in CONTAINERS
            for (of, _), held in self.o.contents.items()
        )

    def changed_item(self, s: S.Store | S.Update, key: Key) -> None:
        """A container gets an item, or an item is changed."""
        attr = None if s.items is None else self.item(key, s.items)
        if attr is None or self.o.classes[key] is tuple:
            self.lose({key}, "it is changed at a key that is computed")
            self.lose(self.o.values_of(s.value), "it is put into a container")
            return
        if isinstance(s, S.Update):
            self.lose(self.o.contents.get((key, attr), set()) - {OTHER}, reason(s))
            self.lose(self.o.values_of(s.value), reason(s))
        self.put(key, attr, s.value if isinstance(s, S.Store) else E.NONE)
        if attr not in (self.o.items.get(key) or ()):
            self.o.opened.add(key)


def is_function(e: E.Expr) -> bool:
    """Whether an atom is a function."""
    return (isinstance(e, E.Ref) and callable(e.value)) or isinstance(e, E.Verbatim)
