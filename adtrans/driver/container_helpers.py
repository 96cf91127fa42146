"""Helpers for adjoints of containers, written out for the kinds of one call.

`plus(a, b)` adds numbers, arrays, tuples, lists and dictionaries of them: one function for all,
which finds out what it is given. Where generated code is differentiated again, the kinds are known,
and what it does for these is a plain function of a line or two.

>>> from adtrans.ir.kinds import PY_FLOAT
>>> pairs = ListOf(TupleOf((PY_FLOAT, PY_FLOAT)))
>>> print(text("plus", (pairs, pairs)))
def plus_here(a, b):
    return [(x[0] + y[0], x[1] + y[1]) for x, y in zip(a, b)]
<BLANKLINE>
>>> print(text("zeros_of", (ListOf(PY_FLOAT),)))
def zeros_of_here(a):
    return [0.0] * len(a)
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType

import numpy as np

from adtrans import runtime
from adtrans.emit.load import load
from adtrans.ir.kinds import (
    NEVER,
    NONE_KIND,
    Array,
    DictOf,
    Kind,
    Known,
    ListOf,
    Maybe,
    Mixed,
    Never,
    Scalar,
    TupleOf,
    is_optional,
    present,
)

__all__ = ["NONE_KIND", "for_kinds", "text"]


def for_kinds(fn: object, kinds: Sequence[Kind]) -> FunctionType | None:
    """What a helper does with arguments of these kinds; None if it is no helper, or if they are
    not known well enough."""
    name = WRITTEN_OUT.get(fn)
    if name is None:
        return None
    try:
        written = text(name, kinds)
    except _Unclear:
        return None
    known = {n: getattr(runtime, n) for n in (*_BODIES, "check_keys", "unbroadcast")}
    return load(written, name, {"np": np, **known})[f"{name}_here"]


def text(name: str, kinds: Sequence[Kind]) -> str:
    """The source of a helper for arguments of these kinds."""
    params, body = _BODIES[name]
    lines = "".join(f"    {line}\n" for line in body(*kinds))
    return f"def {name}_here({params}):\n{lines}"


class _Unclear(Exception):
    """Of an argument too little is known."""


def _plus(a: Kind, b: Kind) -> list[str]:
    if isinstance(a, DictOf) and isinstance(b, DictOf):
        def entry(key: str, x: Kind, y: Kind) -> list[str]:
            known = [(d, k) for d, k in (("a", x), ("b", y)) if not isinstance(k, Never)]
            cases = [(f"{key} in {d}", _copied(f"{d}[{key}]", k)) for d, k in known]
            if len(cases) == 2:
                both = _sum(f"a[{key}]", f"b[{key}]", x, y)
                cases.insert(0, (f"{cases[0][0]} and {cases[1][0]}", both))
            lines = [(f"if {test}:", f"    made[{key}] = {value}") for test, value in cases]
            return [
                part
                for n, (test, line) in enumerate(lines)
                for part in (f"el{test}" if n else test, line)
            ]

        if (keys := _keys(a, b)) is not None:
            lines = [line for k in keys for line in entry(repr(k), _field(a, k), _field(b, k))]
            names = f"({', '.join(map(repr, keys))},)"
            checks = [f"check_keys({d}, {names})" for d in "ab"]
            return [*checks, "made = {}", *lines, "return made"]
        return [
            "made = {}",
            "for k in a:",
            "    if k in b:",
            f"        made[k] = {_sum('a[k]', 'b[k]', a.item, b.item)}",
            "    else:",
            f"        made[k] = {_copied('a[k]', a.item)}",
            "for k in b:",
            "    if k not in a:",
            f"        made[k] = {_copied('b[k]', b.item)}",
            "return made",
        ]
    absent: list[str] = []
    for name, kind, other in (("a", a, "b"), ("b", b, "a")):
        if is_optional(kind) or (isinstance(kind, Mixed) and kind.none):
            absent += [f"if {name} is None:", f"    return {other}"]
    a, b = (present(k) if is_optional(k) else k for k in (a, b))
    return [*absent, f"return {_sum('a', 'b', a, b, top=True)}"]


def _sum(a: str, b: str, x: Kind, y: Kind, *, top: bool = False) -> str:
    """`a + b` for adjoints of these kinds."""
    match x, y:
        case (Known(value=None) | Never()), _:
            return _copied(b, y)
        case _, (Known(value=None) | Never()):
            return _copied(a, x)
        case _ if is_optional(x) or is_optional(y):
            return f"plus({a}, {b})"
        case (Mixed(none=True), _) | (_, Mixed(none=True)) if not top:
            return f"plus({a}, {b})"
        case Scalar() | Maybe() | Array() | Mixed(), Scalar() | Maybe() | Array() | Mixed():
            return f"{a} + {b}"
        case TupleOf(), TupleOf() if len(x.items) == len(y.items):
            pairs = enumerate(zip(x.items, y.items, strict=True))
            return _display(_sum(f"{a}[{i}]", f"{b}[{i}]", v, w) for i, (v, w) in pairs)
        case ListOf(), ListOf() if top:
            if isinstance(x.item, Never) or isinstance(y.item, Never):
                return "[]"
            return f"[{_sum('x', 'y', x.item, y.item)} for x, y in zip({a}, {b})]"
        case (ListOf(), ListOf()) | (DictOf(), DictOf()):
            return f"plus({a}, {b})"
        case _:
            raise _Unclear


def _copied(a: str, kind: Kind) -> str:
    """`a` in memory of its own: what two containers share could be changed in both."""
    return "None" if isinstance(kind, Never) else _map("duplicate", a, kind, _copy)


def _zeros_of(a: Kind) -> list[str]:
    return _mapped("zeros_of", a, _zero)


def _duplicate(a: Kind) -> list[str]:
    return _mapped("duplicate", a, _copy)


Leaf = Callable[[str, Kind], str]


def _mapped(name: str, a: Kind, leaf: Leaf) -> list[str]:
    """`leaf` of every number and array."""
    if isinstance(a, Mixed) and a.none and leaf is _copy:
        return ["if a is None:", "    return None", f"return {leaf('a', a)}"]
    if is_optional(a):
        return ["if a is None:", "    return None", *_mapped(name, present(a), leaf)]
    if not isinstance(a, DictOf):
        return [f"return {_map(name, 'a', a, leaf, top=True)}"]
    if (keys := _keys(a)) is not None:
        lines = [
            line
            for k in keys
            for line in (
                f"if {k!r} in a:",
                f"    made[{k!r}] = {_map(name, f'a[{k!r}]', _field(a, k), leaf)}",
            )
        ]
        check = f"check_keys(a, ({', '.join(map(repr, keys))},))"
        return [check, "made = {}", *lines, "return made"]
    inner = "None" if isinstance(a.item, Never) else _map(name, "a[k]", a.item, leaf)
    return ["made = {}", "for k in a:", f"    made[k] = {inner}", "return made"]


def _map(name: str, a: str, kind: Kind, leaf: Leaf, *, top: bool = False) -> str:
    match kind:
        case TupleOf():
            return _display(_map(name, f"{a}[{i}]", k, leaf) for i, k in enumerate(kind.items))
        case ListOf() if top:
            item = "None" if isinstance(kind.item, Never) else _map(name, "x", kind.item, leaf)
            if item in ("0.0", "None"):
                return f"[{item}] * len({a})"
            return f"[{item} for x in {a}]"
        case ListOf() | DictOf():
            return f"{name}({a})"
        case Maybe() if is_optional(kind):
            return f"{name}({a})"
        case Mixed(none=True) if not top and leaf is _copy:
            return f"{name}({a})"
        case Scalar() | Maybe() | Array() | Known() | Mixed():
            return leaf(a, kind)
        case _:
            raise _Unclear


def _zero(a: str, kind: Kind) -> str:
    match kind:
        case Scalar() | Maybe():
            return "0.0"
        case Array(dtype=str() as dtype):
            return f"np.zeros({a}.shape, {dtype!r})" if np.dtype(dtype).kind in "fc" else "None"
        case Known():
            return "None"
        case Mixed():
            return f"np.zeros(np.shape({a}))"
        case _:
            raise _Unclear


def _copy(a: str, kind: Kind) -> str:
    if isinstance(kind, Mixed):
        return f"1 * {a}"
    return f"{a}.copy()" if isinstance(kind, Array) else a


def _add_each(a: Kind, g: Kind) -> list[str]:
    if not isinstance(a, ListOf):
        raise _Unclear
    return ["for k in range(len(a)):", f"    a[k] = {_sum('a[k]', 'g', a.item, g)}"]


def _add_each_part(a: Kind, g: Kind) -> list[str]:
    match a:
        case ListOf(item=Scalar()):
            part = "np.sum(g)"
        case ListOf(item=Array()):
            part = "unbroadcast(g, a[k].shape)"
        case ListOf(item=Mixed()):
            part = "unbroadcast(g, np.shape(a[k]))"
        case _:
            raise _Unclear
    return ["for k in range(len(a)):", f"    a[k] = a[k] + {part}"]


def _add_items(a: Kind, g: Kind) -> list[str]:
    return ["for k in range(len(a)):", "    a[k] = a[k] + g[k]"]


def _add_joined(a: Kind, g: Kind) -> list[str]:
    return [
        "end = 0",
        "for k in range(len(a)):",
        "    start = end",
        "    end = start + len(a[k])",
        "    a[k] = a[k] + g[start:end]",
    ]


def _add_repeated(a: Kind, g: Kind) -> list[str]:
    if not isinstance(a, ListOf) or not isinstance(g, ListOf):
        raise _Unclear
    both = _sum("a[k % len(a)]", "g[k]", a.item, g.item)
    return ["for k in range(len(g)):", f"    a[k % len(a)] = {both}"]


def _taken_off(a: Kind, n: Kind) -> list[str]:
    return [
        "made = []",
        "for _ in range(n):",
        "    made.append(a.pop())",
        "made.reverse()",
        "return made",
    ]


def _add_from(a: Kind, start: Kind, g: Kind) -> list[str]:
    if not isinstance(a, ListOf) or not isinstance(g, ListOf):
        raise _Unclear
    both = _sum("a[start + k]", "g[k]", a.item, g.item)
    return ["for k in range(len(g)):", f"    a[start + k] = {both}"]


def _put_picked(a: Kind, order: Kind, g: Kind) -> list[str]:
    if not isinstance(a, ListOf) or not isinstance(g, ListOf):
        raise _Unclear
    return [
        "for k in range(len(order)):",
        "    i = int(order[k])",
        f"    a[i] = {_sum('a[i]', 'g[k]', a.item, g.item)}",
    ]


def _merge(a: Kind, g: Kind) -> list[str]:
    if not isinstance(a, DictOf) or not isinstance(g, DictOf):
        raise _Unclear
    both = _sum("a[k]", "g[k]", a.item, g.item)
    return ["for k in g:", "    if k in a:", f"        a[k] = {both}", "    else:",
            "        a[k] = g[k]"]  # fmt: skip


def _refill(a: Kind, g: Kind) -> list[str]:
    if isinstance(a, ListOf):
        return ["contents = g.copy()", "a.clear()", "a.extend(contents)"]
    return ["contents = g.copy()", "a.clear()", "for k in contents:", "    a[k] = contents[k]"]


def _keys(*dicts: DictOf) -> list[str | int] | None:
    """The keys, where what they stand for is of several kinds; None where it is of one."""
    if all(isinstance(d.item, Scalar | Array | ListOf | DictOf | TupleOf | Never) for d in dicts):
        return None
    keys = list(dict.fromkeys(k for d in dicts for k, _ in d.fields))
    if not keys and not all(isinstance(d.item, Mixed | Scalar | Array | Never) for d in dicts):
        raise _Unclear
    return keys or None


def _field(d: DictOf, key: str | int) -> Kind:
    """What a key stands for: one that is not written out, for any of the kinds put there."""
    return dict(d.fields).get(key, d.item if isinstance(d.item, Mixed) else NEVER)


def _display(items: Iterable[str]) -> str:
    texts = list(items)
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


_BODIES: Mapping[str, tuple[str, Callable[..., list[str]]]] = {
    "plus": ("a, b", _plus),
    "zeros_of": ("a", _zeros_of),
    "duplicate": ("a", _duplicate),
    "add_each": ("a, g", _add_each),
    "add_each_part": ("a, g", _add_each_part),
    "add_items": ("a, g", _add_items),
    "add_joined": ("a, g", _add_joined),
    "add_repeated": ("a, g", _add_repeated),
    "add_from": ("a, start, g", _add_from),
    "taken_off": ("a, n", _taken_off),
    "put_picked": ("a, order, g", _put_picked),
    "merge": ("a, g", _merge),
    "refill": ("a, g", _refill),
}

WRITTEN_OUT: Mapping[object, str] = {getattr(runtime, name): name for name in _BODIES}
"""The helpers that are written out, with their names."""
