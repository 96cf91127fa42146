"""Lists and dictionaries of numbers and texts that global names mean: what they hold is known, as
long as nobody changes them. That is compared where they are used.

    for name, n in LAYERS:        check_constants(LAYERS, "[('W', 3), ('V', 2)]")
        ...                 ->    name, n = "W", 3; ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import blocks_of, operands, walk
from adtrans.lower.known_values import Table, frozen
from adtrans.rules import lookup
from adtrans.runtime.table_guards import check_constants

Noted: TypeAlias = dict[int, tuple[object, str]]


@dataclass
class Tables:
    """`checked`: what was compared since something last ran that might change it; `noted`: the
    tables that were met, with what they hold."""

    checked: set[object] = field(default_factory=set)
    noted: Noted = field(default_factory=dict)

    def checks(
        self, s: S.Stmt, values: Mapping[str, object], number: Callable[[], int]
    ) -> Iterator[S.Stmt]:
        """The comparisons in front of a statement that reads tables."""
        for e in (part for own in operands(s) for part in walk(own)):
            key: object
            held: E.Expr
            match e:
                case E.Ref(value=value) if isinstance(frozen(value), Table):
                    held, text, key = e, repr(value), id(value)
                    self.noted[id(value)] = value, text
                case E.Name(id=v) if isinstance(values.get(v), Table):
                    held, text, key = e, written(values[v]), v
                case _:
                    continue
            if key in self.checked:
                continue
            self.checked.add(key)
            call = E.Call(E.Ref("check_constants", check_constants), (held, E.Const(text)))
            site = number()
            yield S.Bind(f"t@check{site}", call, site=site, span=s.span)

    def passes(self, s: S.Stmt) -> None:
        """What a statement may change is no longer known to be what it was."""
        if [*blocks_of(s)] or not _is_calm(s):
            self.checked.clear()


def written(value: object) -> str:
    """What `repr` gives of the value itself."""
    if isinstance(value, Table) and value.kind is dict:
        pairs = (p for p in value.items if isinstance(p, tuple))
        return "{" + ", ".join(f"{written(k)}: {written(v)}" for k, v in pairs) + "}"
    if isinstance(value, Table) and value.kind is not list:
        return f"{value.kind.__name__}([{', '.join(map(written, value.items))}])"
    if isinstance(value, Table):
        return "[" + ", ".join(map(written, value.items)) + "]"
    if isinstance(value, tuple):
        inner = ", ".join(map(written, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def _is_calm(s: S.Stmt) -> bool:
    """Whether a statement changes no list or dictionary."""
    match s:
        case S.Load() | S.Alias() | S.Pack() | S.Unpack():
            return True
        case S.Bind(value=E.Call(fn=E.Ref(value=fn))):
            rule = lookup(fn)
            return rule is not None and rule.custom is None and not rule.impure
        case S.Bind(value=E.Call()):
            return False
        case S.Bind():
            return True
        case _:
            return False
