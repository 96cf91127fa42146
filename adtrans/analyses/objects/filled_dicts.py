"""Dictionaries that are filled by the statements behind the one that makes them, before anything
looks at what they hold: their keys are known as if they were written in one display.

    p = {}
    p["W0"] = w                ->      p = {"W0": w, "b0": b}
    p["b0"] = b

So is one that is an attribute at once, `self.p = {}`, as long as the function only names it so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from adtrans.analyses.objects.displays import name_of
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, reads_of, statements

IsPlain = Callable[[str, str], bool]


def filled(fn: S.Function, is_plain: IsPlain) -> dict[int, tuple[str, ...]]:
    """The keys of each dictionary that is made empty, by site. `is_plain`: whether an attribute of
    what a parameter means is data, so that reading or assigning it runs nothing."""
    times = Counter(v for s in statements(fn.body) for v in _bound(s))
    params = {p.name for p in fn.params}
    times.update(params)
    found: dict[int, tuple[str, ...]] = {}

    def block(body: S.Block, safe: bool) -> None:
        for k, s in enumerate(body):
            if isinstance(s, S.Pack) and s.kind == "dict" and safe and times[s.target] == 1:
                found[s.site] = _Filling(s.target, times, params, is_plain).keys(body[k + 1 :])
            inside = safe and not isinstance(s, S.Try | S.With)
            for inner in blocks_of(s):
                block(inner, inside)

    block(fn.body, True)
    return found


@dataclass
class _Filling:
    """`names`: variables that mean the dictionary; `held`: where it is an attribute."""

    made: str
    times: Counter[str]
    params: set[str]
    is_plain: IsPlain
    names: set[str] = field(default_factory=set)
    held: set[tuple[str, str]] = field(default_factory=set)
    found: list[str] = field(default_factory=list)

    def keys(self, body: S.Block) -> tuple[str, ...]:
        self.names.add(self.made)
        for s in body:
            if not self.goes_on(s):
                break
        return tuple(self.found)

    def goes_on(self, s: S.Stmt) -> bool:
        """Whether the dictionary is still being filled behind a statement."""
        owners = {base for base, _ in self.held}
        inner = [t for b in blocks_of(s) for t in statements(b)]
        if inner:
            named = {v for t in (s, *inner) for v in (*reads_of(t), *binds_of(t))}
            return named.isdisjoint(self.names | owners)
        match s:
            case S.Alias(target=target, source=source) if source in self.names:
                self.names.add(target)
                return self.times[target] == 1
            case S.Store(base=base, items=(item,), value=value) if base in self.names:
                if not isinstance(item, E.Const) or type(item.value) not in (str, int):
                    return False
                attr = name_of(item.value)
                if attr not in self.found:
                    self.found.append(attr)
                return not (isinstance(value, E.Name) and value.id in self.names | owners)
            case S.Load(base=base, items=(E.Const(value=key),)) if base in self.names:
                return name_of(key) in self.found
            case S.SetAttr(base=E.Name(id=base), attr=attr, value=value):
                if isinstance(value, E.Name) and value.id in self.names:
                    if base not in self.params or self.times[base] > 1:
                        return False
                    self.held.add((base, attr))
                    return self.is_plain(base, attr)
                if base in owners:
                    return (base, attr) not in self.held and self.is_plain(base, attr)
                return not (reads_of(s) & (self.names | owners))
            case S.Bind(target=target, value=E.Attribute(base=E.Name(id=base), attr=attr)) if (
                base in owners
            ):
                if (base, attr) in self.held:
                    self.names.add(target)
                    return self.times[target] == 1
                return self.is_plain(base, attr)
            case _:
                return reads_of(s).isdisjoint(self.names | owners)


def _bound(s: S.Stmt) -> tuple[str, ...]:
    return (*binds_of(s), *s.unbinds) if isinstance(s, S.Keep) else binds_of(s)
