"""Code of the user's that runs where an object is only looked at: what `print(obj)`, `f"{obj}"`,
`assert obj` or a property in a text call. It is not followed: an object that it changes is lost.
"""

from __future__ import annotations

import dis
import functools
import re
from collections.abc import Iterator
from types import FunctionType

from adtrans.analyses.objects.model import Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.objects.spelling import followed_class
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import operands, walk
from adtrans.source.libraries import is_library
from adtrans.source.reach import CHANGES, codes

_RUN_BY_LOOKING = frozenset(
    str.split(
        "__str__ __repr__ __format__ __len__ __bool__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ "
        "__hash__ __contains__ __getitem__ __getattr__ __getattribute__ __float__ __int__ "
        "__index__ __abs__ __round__ __array__ __iter__"
    )
)
_CHANGING = frozenset(
    str.split("append extend insert pop popleft appendleft remove clear update setdefault setattr")
)
_ASKED = (str, repr, format, hasattr, hash, print)
_SHOWING = frozenset({"__str__", "__repr__", "__format__"})
_WRITING = frozenset({"write", "flush"})
"""What `print` runs of the object that it is given as `file=`."""


def changed_by_looking(s: S.Stmt, o: Objects) -> Iterator[Key]:
    """The objects that a statement may change by looking at them, or at what holds them."""
    texts: list[tuple[str, tuple[str, ...]]] = []
    if isinstance(s, S.Keep) and not s.only_names:
        texts.append((s.text, s.reads))
    if isinstance(s, S.Invoke) and isinstance(s.fn, E.Ref) and s.fn.value is print:
        texts.append(_shown(E.Call(s.fn, s.args, s.kwargs)))
    for e in (sub for own in operands(s) for sub in walk(own)):
        match e:
            case E.Verbatim(text=text, reads=reads):
                texts.append((text, reads))
            case E.Call(fn=E.Ref(value=fn)) if any(fn is f for f in _ASKED):
                texts.append(_shown(e))
            case E.Call(fn=E.Attribute(attr="format" | "format_map")):
                texts.append(_shown(e))
            case E.Binary(op="%", right=right):  # of a text, perhaps
                texts.append(_shown(E.Call(E.Ref("str", str), (right,))))
    classes = {c for c in o.classes.values() if isinstance(c, type)}
    for text, reads in texts:
        attrs = {*re.findall(r"\.(\w+)", text)}
        known = {n: cls for n in reads if (cls := followed_class(E.Name(n), o)) is not None}
        bare = {n for n in known if re.search(rf"\b{n}\b(?!\s*\.)", text)}
        whole = {known[n] for n in bare} | (classes.difference(known.values()) if attrs else set())
        changed = any(_changing(c) & attrs for c in classes)
        if changed or any(_changing(c) & _RUN_BY_LOOKING for c in whole):
            yield from (k for n in known for k in o.values.get(n, ()))
        deep = _SHOWING | (_WRITING if "file" in text or "**" in text else frozenset())
        for key, cls in o.classes.items() if reads else ():
            if isinstance(cls, type) and _changing(cls) & deep:
                yield key  # it may be in a container, or in another object


def _shown(e: E.Call) -> tuple[str, tuple[str, ...]]:
    """A call as a text, and the variables that it is given."""
    given = (*e.args, *(v for _, v in e.kwargs))
    names = tuple(v.id for a in given for v in walk(a) if isinstance(v, E.Name))
    return E.text(e).replace("'", ".").replace('"', "."), names


@functools.lru_cache(maxsize=1024)
def _changing(cls: type) -> frozenset[str]:
    """The properties and special methods of a class that change something, as far as their code,
    and that of the methods which they name, tells."""
    found = set()
    for c in cls.__mro__:
        for name, value in vars(c).items() if not is_library(c.__module__) else ():
            if isinstance(value, functools.cached_property):
                found.add(name)
            fn = value.fget if isinstance(value, property) else value
            looks = isinstance(value, property) or name in _RUN_BY_LOOKING | _WRITING
            if looks and isinstance(fn, FunctionType) and _changes(fn, cls):
                found.add(name)
    return frozenset(found)


def _changes(fn: FunctionType, cls: type) -> bool:
    waiting, seen = [fn], set[int]()
    while waiting:
        f = waiting.pop()
        if id(f) in seen:
            continue
        seen.add(id(f))
        for code in codes(f.__code__):
            if any(step.opname in CHANGES for step in dis.get_instructions(code)):
                return True
            if not _CHANGING.isdisjoint(code.co_names):
                return True
            for name in code.co_names:
                other = getattr(cls, name, f.__globals__.get(name))
                other = other.fget if isinstance(other, property) else other
                other = getattr(other, "__func__", other)
                if isinstance(other, FunctionType) and not is_library(other.__module__):
                    waiting.append(other)
    return False
