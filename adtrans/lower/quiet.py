"""Whether running something may change a container that something else holds.

>>> def judge(text, names=("y",)):
...     node = gast.parse(text).body[0]
...     means = lambda n: MISSING
...     bound = Bound(node, means)
...     quiet = Quiet(node, means, bound, lambda n, m: False, set(names))
...     return [quiet(s) for s in node.body]
>>> judge("def f(x, y):\\n    s = [1.0]\\n    s.append(2.0)\\n    y[0] = 2.0\\n    g(x)")
[True, True, False, False]
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable

import gast
import numpy as np

from adtrans.diagnostics.errors import CompileError
from adtrans.lower.later import other_names
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.purity import PURE_BUILTINS, PURE_METHODS, makes_fresh, may_overwrite, writes
from adtrans.lower.syntax import Scope, nodes_in
from adtrans.rules import lookup, method
from adtrans.source import MISSING, get_source

Means = Callable[[gast.AST], object]
IsLazy = Callable[[gast.AST, Means], bool]

_ARRAYS = (
    np.array, np.zeros, np.ones, np.empty, np.full, np.copy, np.arange, np.linspace,
    np.zeros_like, np.ones_like, np.empty_like, np.full_like,
)  # fmt: skip
_CHANGING = frozenset(
    str.split(
        "append appendleft extend extendleft insert pop popleft popitem remove clear update "
        "setdefault sort reverse rotate fill put resize partition itemset add discard subtract "
        "move_to_end setflags byteswap difference_update intersection_update "
        "symmetric_difference_update send throw close"
    )
)
_MODULES = ("contextlib", "collections", "builtins")
_DEEP = 3


class Bound:
    """What the names of a function are always bound to, where it is plain to see."""

    def __init__(self, node: gast.AST, means: Means) -> None:
        self.means = means
        self.values: dict[str, list[gast.expr | None]] = {}
        self.augmented: set[str] = set()
        self.functions: dict[str, gast.FunctionDef | gast.Lambda] = {}
        self.in_scopes: set[str] = set()  # of functions inside: they run whenever
        plain: dict[int, gast.expr] = {}
        defined: list[str] = []
        again: set[int] = set()
        for n in nodes_in(node):
            match n:
                case gast.Assign(targets=[gast.Name() as target], value=value):
                    plain[id(target)] = value
                case gast.Assign(
                    targets=[gast.Tuple(elts=names)], value=gast.Tuple(elts=values)
                ) if len(names) == len(values):
                    starred = any(isinstance(v, gast.Starred) for v in (*names, *values))
                    plain |= (
                        {} if starred else {id(t): v for t, v in zip(names, values, strict=True)}
                    )
                case gast.AnnAssign(target=gast.Name() as target, value=gast.expr() as value):
                    plain[id(target)] = value
                case gast.AugAssign(target=gast.Name() as target):
                    self.augmented.add(target.id)
                    again.add(id(target))
                case gast.Name(ctx=gast.Load()):
                    pass
                case gast.Name(id=name):
                    if id(n) not in again:
                        self.values.setdefault(name, []).append(plain.get(id(n)))
                case gast.FunctionDef(name=name) if n is not node:
                    self.functions[name] = n
                    defined.append(name)
                case gast.ClassDef(name=name):
                    defined.append(name)
                case gast.Global(names=outer) | gast.Nonlocal(names=outer):
                    self.in_scopes |= set(outer)
                case _:
                    for other in other_names(n):
                        self.values.setdefault(other, []).append(None)
            if isinstance(n, (*Scope, gast.ClassDef)) and n is not node:
                self.in_scopes |= {m.id for m in nodes_in(n) if isinstance(m, gast.Name)}
        for name in defined:
            if defined.count(name) > 1 or name in self.values:
                self.functions.pop(name, None)
            self.values.setdefault(name, []).append(None)
        for name, bound in self.values.items():
            match bound:
                case [gast.Lambda() as fn]:
                    self.functions[name] = fn
        forms = {v: {self.of(e) for e in found} for v, found in self.values.items()}
        self.forms = {v: found.pop() for v, found in forms.items()
                      if len(found) == 1 and v not in self.in_scopes}  # fmt: skip
        self.dicts = {v for v, form in self.forms.items() if form == "dict"}

    def form(self, node: gast.expr) -> str | None:
        """What an expression certainly is: a `list`, an `array`, a `dict`, a `number`, or `fixed`:
        a tuple, a text, a range."""
        if not isinstance(node, gast.Name):
            return self.of(node)
        form = self.forms.get(node.id)
        return None if node.id in self.augmented and form not in ("array", "number") else form

    def of(self, node: gast.expr | None) -> str | None:
        """The same of what is no name; nothing of what is not known."""
        match node:
            case gast.List() | gast.ListComp():
                return "list"
            case gast.Dict() | gast.DictComp():
                return "dict"
            case gast.Tuple() | gast.JoinedStr():
                return "fixed"
            case gast.Constant(value=str() | bytes()):
                return "fixed"
            case gast.Constant(value=int() | float() | complex()):
                return "number"
            case gast.UnaryOp(operand=gast.Constant()):
                return "number"
            case gast.Call(func=fn):
                meant = self.means(fn)
                if meant is builtins.list or meant is builtins.sorted:
                    return "list"
                if meant is builtins.tuple or meant is builtins.range:
                    return "fixed"
                return "array" if any(meant is f for f in _ARRAYS) else None
            case _:
                return None


class Quiet:
    """Tells of syntax trees whether running them changes none of the containers that the values
    called `names` may hold: contents of lists and arrays as well where `pools` are made of them."""

    def __init__(
        self, node: gast.AST, means: Means, bound: Bound, is_lazy: IsLazy, names: set[str], *,
        pools: bool = False, deep: int = 0,
    ) -> None:  # fmt: skip
        self.node, self.means, self.bound, self.is_lazy = node, means, bound, is_lazy
        self.names, self.pools, self.deep = names, pools, deep
        self.judged: dict[object, bool] = {}
        self.holders: dict[str, frozenset[str] | None] = {}

    def __call__(self, n: gast.AST) -> bool:
        match n:
            case gast.FunctionDef():
                return not n.decorator_list
            case gast.Lambda():
                return self(n.body)
            case gast.ClassDef() | gast.AsyncFunctionDef() | gast.AsyncFor() | gast.AsyncWith():
                return False
            case gast.Yield() | gast.YieldFrom() if self.deep:
                pass  # of a generator function that is called: who asks it is seen by itself
            case gast.Yield() | gast.YieldFrom() | gast.Await() | gast.Global() | gast.Nonlocal():
                return False
            case gast.Call():
                return self.call(n)
            case gast.Attribute(ctx=ctx, attr=attr):
                return isinstance(ctx, gast.Load) and attr not in _CHANGING and self(n.value)
            case gast.Subscript(ctx=gast.Load()):
                pass
            case gast.Subscript(value=gast.Name(id=base), ctx=ctx):
                return self.is_own(base, items=isinstance(ctx, gast.Store)) and self(n.slice)
            case gast.Subscript():
                return False
            case gast.AugAssign(target=target, value=value):
                return self.augmented(target) and self(value)
            case gast.Name(id=name):
                return isinstance(n.ctx, gast.Store | gast.Del) or self.loaded(n, name)
            case _:
                pass
        return all(map(self, gast.iter_child_nodes(n)))

    def augmented(self, target: gast.expr) -> bool:
        match target:
            case gast.Name(id=name):
                form = self.bound.form(target)
                return form == "number" or (form == "array" and self.is_own(name, items=True))
            case gast.Subscript(value=gast.Name(id=name) as base, slice=item):
                array = self.bound.form(base) == "array"
                return array and self.is_own(name, items=True) and self(item)
            case _:
                return False

    def loaded(self, n: gast.AST, name: str) -> bool:
        """Whether nothing happens where a name is handed on: a function, an iterator."""
        if name in self.bound.functions:
            fn = self.bound.functions[name]
            return self.once(name, lambda: self.body(fn))
        made = self.bound.values.get(name, ())
        lazy = [v for v in made if v is not None and self.is_lazy(v, self.means)]
        if lazy and not self.once(name, lambda: all(map(self, lazy))):
            return False
        meant = self.means(n)
        return not isinstance(meant, types.FunctionType) or self.function(meant)

    def call(self, n: gast.Call) -> bool:
        """Whether a call changes nothing."""
        fn, given = n.func, [*n.args, *(k.value for k in n.keywords)]
        if isinstance(fn, gast.Attribute) and isinstance(fn.value, gast.Name):
            if self.bound.form(fn.value) in ("list", "dict") and self.is_own(fn.value.id):
                return all(map(self, given))
        if not all(map(self, given)):
            return False
        if isinstance(fn, gast.Lambda) or (
            isinstance(fn, gast.Name) and fn.id in self.bound.functions
        ):
            return self(fn)
        meant = self.means(fn)
        if meant is MISSING:
            if not isinstance(fn, gast.Attribute) or fn.attr in _CHANGING:
                return False
            rule = method(fn.attr)
            quiet = fn.attr in PURE_METHODS
            return (quiet or (rule is not None and not writes(rule, n, method=True))) and self(fn)
        if isinstance(meant, gast.AST):
            return False
        if meant is print or (
            isinstance(meant, types.BuiltinFunctionType | type) and id(meant) in PURE_BUILTINS
        ):
            keys = [k.value for k in n.keywords if k.arg == "key"]
            return all(map(self.is_known, keys))
        if meant is builtins.map or meant is builtins.filter:
            return bool(n.args) and self.is_known(n.args[0])
        if meant is builtins.next:
            return isinstance(given[0], gast.GeneratorExp)  # which nobody else asks
        rule = lookup(meant)
        if rule is not None:
            return not may_overwrite(rule, n) and not writes(rule, n)
        if isinstance(meant, type):
            return meant.__module__ in _MODULES or meant is np.errstate
        return isinstance(meant, types.FunctionType) and self.function(meant)

    def is_known(self, fn: gast.expr) -> bool:
        """Whether it can be seen what a function does."""
        named = isinstance(fn, gast.Name) and fn.id in self.bound.functions
        return isinstance(fn, gast.Lambda) or named or self.means(fn) is not MISSING

    def once(self, key: object, ask: Callable[[], bool]) -> bool:
        if key not in self.judged:
            self.judged[key] = True  # while it is being asked
            self.judged[key] = ask()
        return self.judged[key]

    def body(self, fn: gast.FunctionDef | gast.Lambda) -> bool:
        return all(map(self, fn.body)) if isinstance(fn.body, list) else self(fn.body)

    def function(self, fn: types.FunctionType) -> bool:
        """Whether a function from outside changes nothing but what it makes itself."""
        return self.once(fn, lambda: self._function(fn))

    def _function(self, fn: types.FunctionType) -> bool:
        if self.deep >= _DEEP or lookup(fn) is not None:
            return self.deep < _DEEP
        try:
            source = get_source(fn)
        except CompileError:
            return False
        node = source.node
        if not isinstance(node, gast.FunctionDef | gast.Lambda):
            return False
        local = LocalNames(node)

        def means(n: gast.AST) -> object:
            return meaning(n, source, local)

        within = Quiet(node, means, Bound(node, means), self.is_lazy, set(), deep=self.deep + 1)
        return within.body(node)

    # What nothing else holds

    def is_own(self, name: str, *, items: bool = False) -> bool:
        """Whether changing what a name holds can be seen by nobody who is asked about."""
        form = self.bound.forms.get(name)
        if form not in ("list", "dict", "array") or name not in self.bound.values:
            return False
        if name not in self.holders:
            self.holders[name] = self.held_by(name)
        holders = self.holders[name]
        if holders is None:
            return False
        live = form == "array" and items and not self.pools
        return live or not holders & self.names

    def held_by(self, name: str) -> frozenset[str] | None:
        """The names whose values may hold what a name stands for; None where something else may."""
        held = {name}
        while True:
            before = len(held)
            for n in nodes_in(self.node):
                found = self.takers(n, held)
                if found is None:
                    return None
                held |= found
            if held & self.bound.in_scopes:
                return None
            if len(held) == before:
                return frozenset(held)

    def takers(self, n: gast.AST, held: set[str]) -> set[str] | None:
        """The names that a node gives such a value; None where it goes elsewhere."""
        targets: list[gast.expr] = []
        match n:
            case gast.Assign(targets=targets, value=value) if self.carries(value, held):
                pass
            case gast.AnnAssign(target=target, value=gast.expr() as value) if self.carries(
                value, held
            ):
                targets = [target]
            case gast.AugAssign(target=target, value=value) if self.carries(value, held):
                targets = [target]
            case gast.NamedExpr(target=target, value=value) if self.carries(value, held):
                targets = [target]
            case (
                gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value)
            ) if self.carries(value, held):
                targets = [target]
            case (
                gast.withitem(context_expr=value)
                | gast.Match(subject=value)
                | gast.Yield(value=gast.expr() as value)
                | gast.YieldFrom(value=value)
            ) if self.carries(value, held):
                return None
            case gast.Call() if not self.keeps_nothing(n, held):
                return None
            case _:
                return set()
        taken: set[str] = set()
        for t in targets:
            base = t.value if isinstance(t, gast.Subscript) else None
            form = base and self.bound.form(base)
            if isinstance(base, gast.Name) and form in ("list", "dict"):
                taken.add(base.id)
            elif form != "array":  # which takes numbers only
                parts = nodes_in(t)
                if any(isinstance(m, gast.Subscript | gast.Attribute) for m in parts):
                    return None
                taken |= {m.id for m in parts if isinstance(m, gast.Name)}
        return taken

    def keeps_nothing(self, n: gast.Call, held: set[str]) -> bool:
        """Whether a call puts such a value nowhere but into its result."""
        if not any(self.carries(a, held) for a in (*n.args, *(k.value for k in n.keywords))):
            return True
        meant = self.means(n.func)
        if isinstance(meant, gast.AST):
            return True  # a generator function that is defined inside: it is seen as it is
        if meant is MISSING:
            fn = n.func
            rule = method(fn.attr) if isinstance(fn, gast.Attribute) else None
            return rule is not None and not writes(rule, n, method=True)
        if isinstance(meant, types.BuiltinFunctionType | type) and id(meant) in PURE_BUILTINS:
            return True
        return meant is builtins.map or meant is builtins.filter or lookup(meant) is not None

    def carries(self, e: gast.AST, held: set[str]) -> bool:
        """Whether the value of an expression may be, or hold, that of one of these names."""
        match e:
            case gast.Name(id=name):
                return name in held
            case gast.Compare() | gast.UnaryOp() | gast.JoinedStr() | gast.Constant():
                return False
            case gast.BinOp(left=left, right=right):
                return any(self.in_result(o, held) for o in (left, right))
            case gast.Subscript(value=value) | gast.Attribute(value=value):
                return self.carries(value, held)
            case gast.Call(func=fn):
                rule = None if (meant := self.means(fn)) is MISSING else lookup(meant)
                if rule is not None and makes_fresh(rule):
                    return False
            case _:
                pass
        return any(self.carries(child, held) for child in gast.iter_child_nodes(e))

    def in_result(self, e: gast.expr, held: set[str]) -> bool:
        """Whether an operand may be held by the result: numbers of an array are not."""
        base = e
        while isinstance(base, gast.Subscript):
            base = base.value
        if isinstance(base, gast.Name) and self.bound.form(base) == "array":
            return False
        return self.carries(e, held)
