"""Containers of `collections` that stay inside a function, as the lists and dictionaries they are.

q = deque(v, maxlen=3); q.append(e)     ->   q = [*v]; q.append(e); if len(q) > 3: del q[0]
d = defaultdict(list); d[k].append(e)   ->   d = {}; d.setdefault(k, []).append(e)
c = Counter(v); c[k] += 2               ->   c = {}; c[k] = c.get(k, 0) + 2

This is done with a variable that is bound to nothing else, and of which nothing is asked but what a
list or a dictionary can do as well; nobody can tell the difference then.
"""

from __future__ import annotations

import builtins
import collections
import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.held_containers import Held, apart, candidates, is_sequence, makes
from adtrans.lower.makers import means_in
from adtrans.lower.syntax import Comprehension, Scope, mentioned, nodes_in
from adtrans.source import MISSING, SourceFunction

_READERS = (
    len, list, tuple, sum, sorted, min, max, any, all, enumerate, zip, reversed, bool, set,
    frozenset, dict,
)  # fmt: skip
_OF_LISTS = frozenset({
    "append", "extend", "pop", "clear", "reverse", "remove", "index", "count", "insert",
    "popleft", "appendleft", "extendleft", "rotate",
})  # fmt: skip
_GROWING = frozenset({"append", "extend", "insert", "appendleft", "extendleft"})
_SHRINKING = frozenset({"pop", "clear"})
_OF_DICTS = frozenset(
    {"get", "items", "keys", "values", "pop", "setdefault", "update", "clear"}
)


class _OtherUse(Exception):
    """A variable is used in a way that a list or a dictionary does not know."""


def with_plain_containers(source: SourceFunction) -> SourceFunction:
    """The function with lists and dictionaries instead; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    means = means_in(node, source)
    if not any(makes(n, means) for n in nodes_in(node)):
        return source
    node = copy.deepcopy(node)
    apart(node, means_in(node, source))
    means = means_in(node, source)
    left = candidates(node, means)
    if not left or any(means(_name(f, node)) is not getattr(builtins, f) for f in ("len", "range")):
        return source
    while left:
        made = copy.deepcopy(node)
        work = _Rewriting(left, means_in(made, source), NameAllocator(mentioned(node)))
        try:
            made.body = work.block(made.body)
        except _OtherUse as found:
            left.pop(str(found))
            continue
        return replace(source, node=made)
    return source


class _Rewriting:
    """Rewrites the statements of a function, in place."""

    def __init__(
        self, held: dict[str, Held], means: Callable[[gast.AST], object], names: NameAllocator
    ) -> None:
        self.held, self.means, self.names = held, means, names
        self.looped: list[str] = []

    # Statements

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [made for s in body for made in self.placed(s)]

    def placed(self, s: gast.stmt) -> Iterator[gast.stmt]:
        """What stands for a statement, at its place."""
        for made in self.statement(s):
            for n in gast.walk(made):
                if isinstance(n, gast.expr | gast.stmt) and not hasattr(n, "lineno"):
                    gast.copy_location(n, s)
            yield made

    def statement(self, s: gast.stmt) -> list[gast.stmt]:
        match s:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) | (
                gast.AnnAssign(target=gast.Name(id=name), value=gast.Call() as call)
            ) if name in self.held:
                return self.made(name, call)
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)) as call
            ) if name in self.held:
                return self.called(name, attr, call, s)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=name)) as place) if (
                name in self.held and self.held[name].form not in (collections.deque,)
            ):
                return self.updated(name, place, s)
            case gast.AugAssign(target=gast.Name(id=name)) if name in self.held:
                raise _OtherUse(name)
            case gast.For():
                with self.over([s.iter]):
                    self.inside(s)
                return [s]
            case gast.Delete(targets=targets):
                for t in targets:
                    match t:
                        case gast.Name(id=name) if name in self.held:
                            raise _OtherUse(name)
                        case _:
                            self.expr(t)
                return [s]
            case _:
                self.inside(s)
                return [s]

    def inside(self, node: gast.AST) -> None:
        """Rewrites all that a node holds."""
        if isinstance(node, (*Scope, gast.ClassDef)):
            for n in gast.walk(node):
                if isinstance(n, gast.Name) and n.id in self.held:
                    raise _OtherUse(n.id)
            return
        if isinstance(node, Comprehension):
            with self.over([g.iter for g in node.generators]):
                self.parts(node)
        else:
            self.parts(node)

    @contextmanager
    def over(self, sources: list[gast.expr]) -> Iterator[None]:
        """What a loop runs over: a deque that changes meanwhile raises, and a list does not."""
        names = [n.id for e in sources for n in gast.walk(e) if isinstance(n, gast.Name)]
        before, self.looped = self.looped, [*self.looped, *names]
        yield
        self.looped = before

    def parts(self, node: gast.AST) -> None:
        for field in node._fields:
            old = getattr(node, field, None)
            if isinstance(old, list) and old and isinstance(old[0], gast.stmt):
                setattr(node, field, self.block(old))
            elif isinstance(old, list):
                old[:] = [self.expr(v) if isinstance(v, gast.AST) else v for v in old]
            elif isinstance(old, gast.AST):
                truth = field == "test" or (
                    field == "operand" and isinstance(getattr(node, "op", None), gast.Not)
                )
                source = field == "iter" or (
                    isinstance(node, gast.Starred) and isinstance(node.ctx, gast.Load)
                )
                setattr(node, field, self.expr(old, free=truth or source))

    def made(self, name: str, call: gast.Call) -> list[gast.stmt]:
        """`q = deque(...)`."""
        held, target = self.held[name], gast.Name(name, gast.Store(), None, None)
        given = [a if _is_variable(a, self.held) else self.expr(a) for a in call.args]
        if held.form is collections.deque:
            first: gast.expr = gast.List([], gast.Load())
            if given:
                first = gast.List([gast.Starred(given[0], gast.Load())], gast.Load())
                if isinstance(given[0], gast.List) and isinstance(given[0].ctx, gast.Load):
                    first = given[0]
            start: list[gast.stmt] = [gast.Assign([target], first, None)]
            if isinstance(held.more, gast.Name):  # a size that is none raises here
                nothing = gast.Tuple([], gast.Load())
                tried = gast.Call(copy.deepcopy(call.func), [nothing, _name_of(held.more.id)], [])
                start.insert(0, gast.Expr(tried))
            empty = isinstance(first, gast.List) and not first.elts
            return start if held.more is None or empty else [*start, self.shortened(name, "While")]
        if held.form is collections.Counter:
            start = [gast.Assign([target], gast.Dict([], []), None)]
            return start + (self.counted(name, given[0]) if given else [])
        rest = given[1:] if held.form is collections.defaultdict else given
        if not rest and not call.keywords:
            return [gast.Assign([target], gast.Dict([], []), None)]
        for k in call.keywords:
            k.value = self.expr(k.value)
        copied = gast.Call(gast.Name("dict", gast.Load(), None, None), rest, call.keywords)
        if self.means(copied.func) is not dict:
            raise _OtherUse(name)
        return [gast.Assign([target], copied, None)]

    def counted(self, name: str, values: gast.expr) -> list[gast.stmt]:
        """`for v in values: c[v] = c.get(v, 0) + 1`."""
        item = self.names.fresh("item")
        target = gast.Name(item, gast.Store(), None, None)
        place = gast.Subscript(_name_of(name), _name_of(item), gast.Store())
        more = gast.AugAssign(place, gast.Add(), gast.Constant(1, None))
        body: list[gast.stmt] = [self.filled(name, _name_of(item)), more]
        return [gast.For(target, values, body, [], None)]

    def filled(self, name: str, key: gast.expr) -> gast.stmt:
        """`if key not in d: d[key] = new`."""
        place = gast.Subscript(_name_of(name), copy.deepcopy(key), gast.Store())
        missing = gast.Compare(copy.deepcopy(key), [gast.NotIn()], [_name_of(name)])
        new = copy.deepcopy(self.held[name].more)
        assert new is not None
        fill = gast.Assign([place], new, None)
        return gast.If(missing, [fill], [])

    def shortened(self, name: str, how: str = "If", gone: gast.stmt | None = None) -> gast.stmt:
        """`if len(q) > size: del q[0]`."""
        size = self.held[name].more
        assert size is not None
        length = gast.Call(_name_of("len"), [_name_of(name)], [])
        test = gast.Compare(length, [gast.Gt()], [copy.deepcopy(size)])
        first = gast.Subscript(_name_of(name), gast.Constant(0, None), gast.Del())
        body = [gone or gast.Delete([first])]
        short = gast.While(test, body, []) if how == "While" else gast.If(test, body, [])
        if not isinstance(size, gast.Name):
            return short
        bounded = gast.Compare(_name_of(size.id), [gast.IsNot()], [gast.Constant(None, None)])
        return gast.If(bounded, [short], [])

    def called(self, name: str, attr: str, call: gast.Call, s: gast.Expr) -> list[gast.stmt]:
        """`q.append(e)` and the like as a statement."""
        held = self.held[name]
        if held.form is not collections.deque:
            if held.form is collections.Counter and attr == "update":
                if len(call.args) != 1 or call.keywords or not is_sequence(
                    call.args[0], self.means
                ):  # fmt: skip
                    raise _OtherUse(name)
                return self.counted(name, self.expr(call.args[0]))
            match held.form, attr, call:
                case collections.OrderedDict, "move_to_end", gast.Call(args=[key], keywords=[]) if (
                    isinstance(key, gast.Constant) or _is_other(key, self.held)
                ) and name not in self.looped:
                    place = gast.Subscript(_name_of(name), key, gast.Store())
                    return [gast.Assign([place], _method(name, "pop", [copy.deepcopy(key)]), None)]
                case _:
                    pass
            s.value = self.expr(call)
            return [s]
        if name in self.looped or call.keywords or attr not in _OF_LISTS:
            raise _OtherUse(name)
        args = [self.expr(a, free=attr.startswith("extend")) for a in call.args]
        if any(isinstance(a, gast.Starred) for a in args):
            raise _OtherUse(name)
        more = [] if held.more is None or attr not in _GROWING else [self.shortened(name)]
        match attr, args:
            case "append", [e]:
                return [gast.Expr(_method(name, "append", [e])), *more]
            case "extend", [e] if held.more is None:
                return [gast.Expr(_method(name, "extend", [e]))]
            case "extend" | "extendleft", [e]:
                if isinstance(e, gast.Name) and e.id == name:  # by what it holds before
                    e = gast.List([gast.Starred(e, gast.Load())], gast.Load())
                elif name in mentioned(e):
                    raise _OtherUse(name)  # of one that changes meanwhile Python raises
                item = self.names.fresh("item")
                target = gast.Name(item, gast.Store(), None, None)
                one = gast.Call(gast.Attribute(_name_of(name), f"append{attr[6:]}", gast.Load()),
                                [_name_of(item)], [])  # fmt: skip
                body = self.called(name, f"append{attr[6:]}", one, s)
                return [gast.For(target, e, body, [], None)]
            case "appendleft", [e]:
                put = gast.Expr(_method(name, "insert", [gast.Constant(0, None), e]))
                if held.more is None:
                    return [put]
                return [put, self.shortened(name, gone=gast.Expr(_method(name, "pop", [])))]
            case "rotate", (
                [] | [gast.Constant() | gast.Name()]
                | [gast.UnaryOp(operand=gast.Constant() | gast.Name())]
            ):  # fmt: skip
                return [self.rotated(name, args[0] if args else gast.Constant(1, None))]
            case "insert", [_, _] if held.more is not None:
                raise _OtherUse(name)  # of a full one it raises
            case "rotate", _:
                raise _OtherUse(name)
            case _:
                s.value = self.method(name, attr, args)
                return [s]

    def rotated(self, name: str, times: gast.expr) -> gast.stmt:
        """`if q: for _ in range(times % len(q)): q.insert(0, q.pop())`."""
        length = gast.Call(_name_of("len"), [_name_of(name)], [])
        steps = gast.Call(_name_of("range"), [gast.BinOp(times, gast.Mod(), length)], [])
        moved = _method(name, "insert", [gast.Constant(0, None), _method(name, "pop", [])])
        target = gast.Name(self.names.fresh("_"), gast.Store(), None, None)
        loop = gast.For(target, steps, [gast.Expr(moved)], [], None)
        some = gast.Compare(copy.deepcopy(length), [gast.Gt()], [gast.Constant(0, None)])
        return gast.If(some, [loop], [])

    def updated(self, name: str, place: gast.Subscript, s: gast.AugAssign) -> list[gast.stmt]:
        """`d[k] += e`."""
        held = self.held[name]
        key = self.expr(place.slice)
        value = self.expr(s.value)
        before: list[gast.stmt] = []
        later = held.form is collections.Counter and not _is_simple(value)
        if not isinstance(key, gast.Constant) and (later or not isinstance(key, gast.Name)):
            kept = self.names.fresh("key")
            before.append(gast.Assign([gast.Name(kept, gast.Store(), None, None)], key, None))
            key = _name_of(kept)
        if held.form is collections.Counter:  # the item is new only if there is a value
            if any(isinstance(n, gast.Name) and n.id == name for n in gast.walk(value)):
                raise _OtherUse(name)
            if not isinstance(value, gast.Name | gast.Constant):
                kept = self.names.fresh("value")
                target = gast.Name(kept, gast.Store(), None, None)
                before.append(gast.Assign([target], value, None))
                value = _name_of(kept)
        place.slice, s.value = key, value
        if held.form is not collections.OrderedDict:
            before.append(self.filled(name, key))
        return [*before, s]

    # Expressions

    def expr(self, node: gast.AST, free: bool = False) -> gast.expr:
        """An expression, rewritten. `free`: whether the variable itself may stand there."""
        match node:
            case gast.Name(id=name) if name in self.held:
                if not free:
                    raise _OtherUse(name)
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)) if (
                name in self.held
            ):
                if node.keywords and attr != "update":
                    raise _OtherUse(name)
                args = [self.expr(a) for a in node.args]
                for k in node.keywords:
                    k.value = self.expr(k.value)
                made = self.method(name, attr, args)
                made.keywords = node.keywords
                return made
            case gast.Call() if self.reads(node.func):
                self.inside(node.func)
                several = len(node.args) > 1 and self.chooses(node.func)
                node.args = [self.expr(a, free=not several) for a in node.args]
                for k in node.keywords:
                    k.value = self.expr(k.value)
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[gast.Name(id=name)]) if (
                name in self.held
            ):
                node.left = self.expr(node.left)
            case gast.BoolOp() if free:
                node.values = [self.expr(v, free=True) for v in node.values]
            case gast.Subscript(value=gast.Name(id=name)) if name in self.held:
                return self.item(name, node)
            case _:
                self.inside(node)
        assert isinstance(node, gast.expr | gast.expr_context | gast.AST)
        return node  # type: ignore[return-value]  # other parts stay where they were

    def reads(self, fn: gast.expr) -> bool:
        """Whether a function takes a deque for any other sequence, a dictionary of any class."""
        meant = self.means(fn)
        return meant is not MISSING and (
            any(meant is f for f in _READERS)
            or str(getattr(meant, "__module__", "")).partition(".")[0] == "numpy"
        )

    def chooses(self, fn: gast.expr) -> bool:
        """Whether a function may return one of several arguments, which then is no list."""
        return any(self.means(fn) is f for f in (max, min, sum))

    def item(self, name: str, node: gast.Subscript) -> gast.expr:
        held = self.held[name]
        if isinstance(node.ctx, gast.Del) and (
            held.form is collections.Counter or (name in self.looped and not _is_dict(held))
        ):
            raise _OtherUse(name)
        node.slice = self.expr(node.slice)
        if held.form is collections.deque:
            if isinstance(node.slice, gast.Slice):
                raise _OtherUse(name)
            return node
        if not isinstance(node.ctx, gast.Load) or held.form is collections.OrderedDict:
            return node
        new = copy.deepcopy(held.more)
        assert new is not None
        if held.form is collections.defaultdict:
            return _method(name, "setdefault", [node.slice, new])
        if not isinstance(node.slice, gast.Name | gast.Constant):
            return _method(name, "get", [node.slice, new])
        there = gast.Compare(copy.deepcopy(node.slice), [gast.In()], [_name_of(name)])
        return gast.IfExp(there, node, new)

    def method(self, name: str, attr: str, args: list[gast.expr]) -> gast.Call:
        """A method that a list or a dictionary has, too."""
        held = self.held[name]
        if held.form is not collections.deque:
            if attr not in _OF_DICTS or (held.form is collections.Counter and attr == "update"):
                raise _OtherUse(name)
            if name in self.looped and not _is_dict(held) and attr in _SHRINKING:
                raise _OtherUse(name)
            return _method(name, attr, args)
        if attr not in _OF_LISTS or name in self.looped or attr in _GROWING or attr == "rotate":
            raise _OtherUse(name)
        if attr == "popleft" and not args:
            return _method(name, "pop", [gast.Constant(0, None)])
        if attr == "pop" and args:
            raise _OtherUse(name)
        return _method(name, attr, args)


def _is_dict(held: Held) -> bool:
    """Whether a container notices changes while it is gone through as a dictionary does: a deque
    and an `OrderedDict` notice others."""
    return held.form is collections.defaultdict or held.form is collections.Counter


def _is_variable(node: gast.expr, held: dict[str, Held]) -> bool:
    return isinstance(node, gast.Name) and node.id in held


def _is_simple(node: gast.expr) -> bool:
    """Whether evaluating an expression binds no name, and calls nothing that might."""
    return not any(isinstance(n, gast.NamedExpr | gast.Call) for n in gast.walk(node))


def _is_other(node: gast.expr, held: dict[str, Held]) -> bool:
    """Whether a node is a variable that holds no container of `collections`."""
    return isinstance(node, gast.Name) and node.id not in held


def _name_of(name: str) -> gast.Name:
    return gast.Name(name, gast.Load(), None, None)


def _name(name: str, like: gast.AST) -> gast.Name:
    made = _name_of(name)
    gast.copy_location(made, like)
    return made


def _method(name: str, attr: str, args: list[gast.expr]) -> gast.Call:
    return gast.Call(gast.Attribute(_name_of(name), attr, gast.Load()), args, [])
