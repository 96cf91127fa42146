"""Dictionaries among the objects that are followed, and tuples that are returned."""

from __future__ import annotations

from adtrans.analyses.objects.displays import CONTAINERS, item_of, key_of
from adtrans.analyses.objects.following import Following, reason
from adtrans.analyses.objects.model import OTHER, Key, Shape
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import reads_of


class Containers(Following):
    """The part of the inference that concerns containers with known keys."""

    def container(self, e: E.Expr) -> Key | None:
        """The container with known keys that an atom means."""
        key = self.o.of(e)
        return key if key is not None and self.o.classes[key] in CONTAINERS else None

    def pack(self, s: S.Pack) -> None:
        items = self.displays[s.site] if s.kind == "dict" else None
        if items is None:
            self.lose_names(reads_of(s), reason(s))
            self.add(s.target, self.parts(reads_of(s)))
            return
        key: Key = ("new", s.site)
        self.enter(key, Shape.of(dict, items=items))
        for attr in items:
            self.write(key, attr)
        self.add(s.target, {key})

    def holds_one_each(self, key: Key) -> bool:
        """Whether all items of a container mean one object each."""
        held = [self.o.inner(key, attr) for attr in self.o.items.get(key) or ()]
        return bool(held) and None not in held

    def put(self, key: Key, attr: str, value: E.Expr) -> None:
        """An item of a container gets a value."""
        self.write(key, attr)
        self.add_content(key, attr, self.o.told(self.o.values_of(value)))

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
