"""Lists that are filled by the statements behind the one that makes them, as one display.

    layers = []                             first = Dense(W)
    layers.append(Dense(W))         ->      second = Dense(V)
    layers.append(Dense(V))                 layers = [first, second]

Nothing may look at the list before it is whole. So is one that is an attribute at once, as
`self.layers = []` in a constructor, as long as nothing that runs in between reads an attribute of
this name. Attributes that the object gets in between come behind the list, too: `vars` tells the
order.
"""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from dis import get_instructions
from inspect import getattr_static
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType

import numpy as np

from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.objects.displays import named
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, map_blocks, reads_of, statements, without_origins
from adtrans.source.by_name import user_classes
from adtrans.source.reach import codes, reached_by_any

_LOOKS = frozenset({
    "getattr", "vars", "__dict__", "dir", "copy", "deepcopy", "dumps", "asdict", "astuple",
    "__reduce_ex__", "__getstate__", "attrgetter", "eval", "exec", "globals", "locals",
})  # fmt: skip
_ARITHMETIC = frozenset(n for n in dir(operator) if n[:2] == "__" and callable(vars(operator)[n]))
_OPERATORS = {*_ARITHMETIC, *(f"__r{n[2:]}" for n in _ARITHMETIC), "__array_ufunc__", "__array__",
              "__array_function__"} - {"__call__"}  # fmt: skip


def with_filled_lists(fn: S.Function) -> S.Function:
    """`fn` with such lists made when they are whole; `fn` itself where there are none."""
    every = list(statements(fn.body))
    if not any(isinstance(s, S.Pack) and s.kind == "list" for s in every):
        return fn
    if not any(_appended(s) for s in every):
        return fn
    times = Counter(v for s in every for v in binds_of(s))
    times.update(p.name for p in fn.params)
    reads = Counter(v for s in every for v in reads_of(s))
    touched: set[int] = set()
    sites = itertools.count(max(s.site for s in every) + 1)

    def block(body: S.Block, safe: bool) -> S.Block:
        out = list(body)
        for s in body:
            if not (isinstance(s, S.Pack) and s.kind == "list" and s.cls is None and safe):
                continue
            if times[s.target] != 1:
                continue
            k = next(n for n, t in enumerate(out) if t is s)
            work = _Filling(fn, s, times, reads, earlier=out[:k])
            count = work.run(out[k + 1 :])
            if count and work.may_hold_objects(every) and not work.elsewhere(every):
                touched.update(t.origin for t in out[k : k + 1 + count])
                out[k : k + 1 + count] = work.made(out[k + 1 : k + 1 + count], sites)
        return tuple(map_blocks(s, within(s, safe)) for s in out)

    def within(s: S.Stmt, safe: bool) -> Callable[[S.Block], S.Block]:
        return lambda body: block(body, safe and not isinstance(s, S.Try | S.With))

    body = block(fn.body, True)
    if not touched:
        return fn
    return replace(fn, body=named(fn, without_origins(body, touched)))


def _appended(s: S.Stmt) -> tuple[str, E.Atom] | None:
    """The variable that gets something at its end, and what."""
    match s:
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr="append"),
                                 args=(E.Name() | E.Const() | E.Ref() as item,), kwargs=())):
            return base, item
        case _:
            return None


@dataclass
class _Filling:
    """`names`: variables that mean the list; `held`: where it is an attribute."""

    fn: S.Function
    pack: S.Pack
    times: Counter[str]
    reads: Counter[str]
    names: set[str] = field(default_factory=set)
    held: tuple[str, str] | None = None
    items: list[E.Atom] = field(default_factory=list)
    new: dict[str, type] = field(default_factory=dict)  # objects made in between
    read_once: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)  # names that are read once, to put something in
    earlier: list[S.Stmt] = field(default_factory=list)  # what stands before in the block
    moved: set[str] = field(default_factory=set)  # other attributes that come behind the list

    def run(self, body: list[S.Stmt]) -> int:
        """How many statements fill the list, and what stands among them; 0 for none."""
        self.names.add(self.pack.target)
        self.items += self.pack.items
        count = 0
        for k, s in enumerate(body):
            if not self.goes_on(s):
                break
            if _is_filling(s, self.names):
                count = k + 1
        self.items = [*self.pack.items]
        self.items += (_item(s) for s in body[:count] if _is_filling(s, self.names))
        return count

    def goes_on(self, s: S.Stmt) -> bool:
        """Whether the list is still being filled behind a statement."""
        if any(True for _ in blocks_of(s)) or isinstance(s, S.Return | S.Break | S.Continue):
            return False
        if isinstance(s, S.Keep) and (s.form != "plain" or s.unbinds):
            return False
        if {*map(_spelled, binds_of(s))} & {*map(_spelled, self.names - self.used)}:
            return False  # what is moved behind it would have the name of something else there
        found = _appended(s)
        if found is not None and found[0] in self.names:
            if found[0] in self.read_once:
                self.used.add(found[0])
            self.items.append(found[1])
            return str(found[1]) not in self.names
        match s:
            case S.Alias(target=target, source=source) if source in self.names:
                self.names.add(target)
                return self.times[target] == 1
            case S.SetAttr(base=E.Name(id=base), attr=attr, value=E.Name(id=v)) if v in self.names:
                if self.held is not None or not self.constructs(base) or _runs_code(attr):
                    return False
                self.held = base, attr
                return True
            case S.Bind(target=target, value=E.Attribute(base=E.Name(id=base), attr=attr)) if (
                (base, attr) == self.held
            ):
                self.names.add(target)
                self.read_once |= {target} if self.reads[target] == 1 else set()
                return self.times[target] == 1
            case _:
                quiet = reads_of(s).isdisjoint(self.names) and self.is_quiet(s)
                self.moved |= {s.attr} if isinstance(s, S.SetAttr) and self.is_new(s) else set()
                return quiet

    def is_new(self, s: S.SetAttr) -> bool:
        """Whether the object that holds the list gets an attribute that it may not have before."""
        mine = self.held is not None and s.base == E.Name(self.held[0])
        return mine and not any(
            isinstance(t, S.SetAttr) and (t.base, t.attr) == (s.base, s.attr) for t in self.earlier
        )

    def constructs(self, base: str) -> bool:
        """Whether a variable means the object that the function is the constructor of."""
        params = self.fn.params
        first = bool(params) and params[0].name == base and self.times[base] == 1
        return first and self.fn.name == "__init__"

    def is_quiet(self, s: S.Stmt) -> bool:
        """Whether a statement does not look at the attribute that holds the list, nor at others
        that come behind it."""
        if self.held is None:
            return True
        if any(map(_runs_code, _attributes(s))):
            return False
        base, held = self.held
        return all(self.passes_over(s, base, attr) for attr in (held, *sorted(self.moved)))

    def passes_over(self, s: S.Stmt, base: str, attr: str) -> bool:
        """Whether a statement does not look at an attribute of the object `base`."""
        match s:
            case S.SetAttr():
                return s.attr != attr and s.value != E.Name(base)
            case S.Bind(value=E.Attribute(attr=read)):
                return read != attr
            case S.Bind(value=E.Call(fn=E.Attribute(E.Name(id=made), "__init__"))) if (
                made in self.new
            ):
                fn = getattr_static(self.new[made], "__init__")
                known = isinstance(fn, FunctionType) and _never_reads(fn, attr)
                return known and base not in reads_of(s)
            case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=args, kwargs=words)):
                match args:
                    case (E.Ref(value=type() as cls),) if makes_new(fn):
                        self.new[s.target] = cls
                given = {a.id for a in (*args, *(w for _, w in words)) if isinstance(a, E.Name)}
                plain = makes_new(fn) or isinstance(fn, np.ufunc | BuiltinFunctionType)
                return plain and base not in given
            case S.Invoke(fn=E.Ref(value=FunctionType() as fn)):
                return base not in reads_of(s) and _never_reads(fn, attr)
            case S.Pack() | S.Alias() | S.Load():
                return base not in reads_of(s)
            case S.Bind(value=E.Name() | E.Const() | E.Ref()):
                return True
            case S.Bind(value=E.Binary() | E.Unary()) | S.Update(items=None):
                return base not in reads_of(s) and not _read_by_operators(attr)
            case _:
                return False

    def may_hold_objects(self, every: list[S.Stmt]) -> bool:
        """Whether not all that is put in is computed here by operations."""
        items = {i.id for i in self.items if isinstance(i, E.Name)}
        plain = {
            s.target for s in every
            if isinstance(s, S.Bind) and isinstance(s.value, E.Binary | E.Unary | E.Const)
        }  # fmt: skip
        return not items <= plain

    def elsewhere(self, every: list[S.Stmt]) -> bool:
        """Whether the list gets more in another place."""
        found = [a for s in every if (a := _appended(s)) is not None and a[0] in self.names]
        return len(found) + len(self.pack.items) != len(self.items)

    def made(self, body: list[S.Stmt], sites: Iterator[int]) -> Iterator[S.Stmt]:
        """The statements in another order: the list last, and then its names."""
        later: list[S.Stmt] = []
        items = list(self.pack.items)
        for s in body:
            if isinstance(s, S.Bind) and _is_filling(s, self.names):
                item = _item(s)
                if isinstance(item, E.Name):
                    own = f"t{len(items)}@filled{self.pack.site}"
                    yield S.Alias(own, item.id, site=s.site, span=s.span, origin=0)
                    item = E.Name(own)
                items.append(item)
                if self.reads[s.target]:
                    later.append(replace(s, value=E.NONE, site=next(sites)))
            elif isinstance(s, S.SetAttr) and s.attr in self.moved and self.is_new(s):
                value = s.value
                if isinstance(value, E.Name):
                    own = f"t{s.site}@filled{self.pack.site}"
                    yield S.Alias(own, value.id, site=next(sites), span=s.span, origin=0)
                    value = E.Name(own)
                later.append(replace(s, value=value))
            elif self.names.isdisjoint(binds_of(s)) and not (
                isinstance(s, S.SetAttr) and str(s.value) in self.names
            ):
                yield s
            elif self.used.isdisjoint(binds_of(s)):
                later.append(s)
        yield replace(self.pack, items=tuple(items))
        yield from later


def _spelled(name: str) -> str:
    """The name in the program: `u` for its second life, `u@2`."""
    return name.partition("@")[0]


def _is_filling(s: S.Stmt, names: set[str]) -> bool:
    found = _appended(s)
    return found is not None and found[0] in names


def _item(s: S.Stmt) -> E.Atom:
    found = _appended(s)
    assert found is not None
    return found[1]


def _attributes(s: S.Stmt) -> list[str]:
    """The attributes that a statement reads or sets itself."""
    match s:
        case S.SetAttr(attr=attr) | S.Bind(value=E.Attribute(attr=attr)):
            return [attr]
        case _:
            return []


def _runs_code(attr: str) -> bool:
    """Whether a class of the user's has a property of this name, or the like."""
    own = (vars(cls).get(attr) for cls in user_classes())
    return any(hasattr(type(v), "__get__") and not isinstance(v, _PLAIN) for v in own)


_PLAIN = FunctionType | MemberDescriptorType


def _read_by_operators(attr: str) -> bool:
    """Whether what an operator runs may look at an attribute of this name."""
    own = (v for cls in user_classes() for n, v in list(vars(cls).items())
           if n in _OPERATORS and isinstance(v, FunctionType))  # fmt: skip
    return any(attr in code.co_names for f in own for code in codes(f.__code__))


def _never_reads(fn: FunctionType, attr: str) -> bool:
    """Whether nothing that a function may call looks at an attribute of this name, but of the
    object that it has to make."""
    for f in (fn, *reached_by_any(fn)):
        for code in codes(f.__code__):
            if attr in code.co_consts or not _LOOKS.isdisjoint(code.co_names):
                return False
            own = f.__name__ == "__init__" and code is f.__code__
            if attr in code.co_names and not (own and _own(code, attr)):
                return False
    return True


def _own(code: CodeType, attr: str) -> bool:
    """Whether every use of a name in a constructor is an attribute of the new object."""
    before = ""
    for i in get_instructions(code):
        if i.opname in ("STORE_FAST", "DELETE_FAST") and i.argval == code.co_varnames[0]:
            return False
        if i.argval == attr and before != code.co_varnames[0]:
            return False
        before = str(i.argval) if i.opname == "LOAD_FAST" else ""
    return code.co_argcount > 0
