"""Runs the small language directly, to compare what it means with what Python does.

`run(fn, *args)` lowers `fn` and executes the result; arrays are shared, so writes are seen.
"""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import lower
from adtrans.source import get_source

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift,
}  # fmt: skip
INPLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv,
    "//": operator.ifloordiv, "%": operator.imod, "**": operator.ipow, "@": operator.imatmul,
    "&": operator.iand, "|": operator.ior, "^": operator.ixor, "<<": operator.ilshift,
    ">>": operator.irshift,
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_,
}  # fmt: skip


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


@dataclass
class Interpreter:
    """One call of one lowered function.

    `env` holds its variables, and under other names what is free in the code that is kept: one
    dictionary, so that functions defined inside see what is rebound later.
    """

    env: dict[str, Any]

    def expr(self, e: E.Expr) -> Any:
        match e:
            case E.Name():
                return self.env[e.id]
            case E.Const() | E.Ref():
                return e.value
            case E.Call():
                kwargs = {k: self.expr(v) for k, v in e.kwargs}
                args = []
                for a in e.args:
                    args += self.expr(a.value) if isinstance(a, E.Star) else [self.expr(a)]
                return self.expr(e.fn)(*args, **kwargs)
            case E.Index():
                return self.expr(e.base)[self.key(e.items)]
            case E.Slice():
                parts = (e.lower, e.upper, e.step)
                return slice(*(None if p is None else self.expr(p) for p in parts))
            case E.Attribute():
                return getattr(self.expr(e.base), e.attr)
            case E.Unary():
                return UNARY[e.op](self.expr(e.operand))
            case E.Binary():
                return BINARY[e.op](self.expr(e.left), self.expr(e.right))
            case E.Compare():
                left, result = self.expr(e.left), None
                for op, r in zip(e.ops, e.rights, strict=True):
                    right = self.expr(r)
                    result = COMPARE[op](left, right)
                    if len(e.ops) > 1 and not result:
                        return result
                    left = right
                return result
            case E.BoolOp():
                for v in e.values:
                    result = self.expr(v)
                    if bool(result) is (e.op == "or"):
                        return result
                return result
            case E.IfExp():
                return self.expr(e.then if self.expr(e.test) else e.orelse)
            case E.Sequence():
                items = [self.expr(i) for i in e.items]
                return items if e.kind == "list" else tuple(items)
            case E.Verbatim():
                tree = ast.Expression(gast.gast_to_ast(e.node))
                return eval(self.code(tree, "eval"), self.env)
            case _:
                raise AssertionError(e)

    def key(self, items: tuple[E.Expr, ...]) -> Any:
        values = tuple(self.expr(i) for i in items)
        return values[0] if len(values) == 1 else values

    def code(self, tree: ast.AST, mode: str) -> Any:
        return compile(ast.fix_missing_locations(tree), "<kept>", mode)  # type: ignore[arg-type]

    def block(self, block: S.Block) -> Any:
        for s in block:
            if isinstance(s, S.Return):
                values = tuple(self.expr(v) for v in s.values)
                return values if s.is_tuple else values[0]
            self.stmt(s)
        return None

    def stmt(self, s: S.Stmt) -> None:
        env = self.env
        match s:
            case S.Bind():
                env[s.target] = self.expr(s.value)
            case S.Load():
                env[s.target] = env[s.base][self.key(s.items)]
            case S.Store():
                env[s.base][self.key(s.items)] = self.expr(s.value)
            case S.Update():
                value, op = self.expr(s.value), INPLACE[s.op]
                if s.items is None:
                    env[s.base] = op(env[s.base], value)
                else:
                    key = self.key(s.items)
                    env[s.base][key] = op(env[s.base][key], value)
            case S.Alias():
                env[s.target] = env[s.source]
            case S.SetAttr():
                setattr(self.expr(s.base), s.attr, self.expr(s.value))
            case S.Pack(kind="dict"):
                env[s.target] = {}
            case S.Pack():
                items = [self.expr(i) for i in s.items]
                env[s.target] = items if s.kind == "list" else tuple(items)
            case S.Unpack():
                values = list(env[s.source])
                if s.star is not None and len(values) >= len(s.targets) - 1:
                    end = s.star + len(values) - len(s.targets) + 1
                    values[s.star : end] = [values[s.star : end]]
                if len(values) != len(s.targets):
                    raise ValueError("unpack")
                env.update(zip(s.targets, values, strict=True))
            case S.Invoke():
                kwargs = {k: self.expr(v) for k, v in s.kwargs}
                result = self.expr(s.fn)(*[self.expr(a) for a in s.args], **kwargs)
                if s.target is not None:
                    env[s.target] = result
            case S.Keep():
                self.keep(s)
            case S.If():
                self.block(s.then if self.expr(s.test) else s.orelse)
            case S.For():
                for item in self.iterate(s.iter):
                    self.bind(s.target, item)
                    if self.leaves(s.body):
                        break
            case S.While():
                while True:
                    self.block(s.head)
                    if not self.expr(s.test) or self.leaves(s.body):
                        break
            case S.With():
                with self.expr(s.context) as value:
                    if s.target is not None:
                        self.env[s.target] = value
                    self.block(s.body)
            case S.Onward():
                self.block(s.body)
            case S.Try():
                self.attempt(s)
            case S.Break():
                raise _Break
            case S.Continue():
                raise _Continue
            case _:
                raise AssertionError(s)

    def attempt(self, s: S.Try) -> None:
        try:
            try:
                self.block(s.body)
            except (_Break, _Continue):
                raise AssertionError("an exit inside `try`") from None
            except BaseException as error:
                for h in s.handlers:
                    if h.type is None or isinstance(error, self.expr(h.type)):
                        if h.name is not None:
                            self.env[h.name] = error
                        self.block(h.body)
                        break
                else:
                    raise
            else:
                self.block(s.orelse)
        finally:
            self.block(s.final)

    def leaves(self, body: S.Block) -> bool:
        try:
            self.block(body)
        except _Break:
            return True
        except _Continue:
            return False
        return False

    def keep(self, s: S.Keep) -> None:
        tree = ast.Module([gast.gast_to_ast(s.node)], [])  # type: ignore[list-item]
        before = set(self.env)
        exec(self.code(tree, "exec"), self.env)
        if isinstance(s.node, gast.Import | gast.ImportFrom):
            return  # what it binds was resolved when lowering
        changed = set(self.env) ^ before
        assert changed <= {*s.binds, *s.unbinds, "__builtins__"}, f"{s.text}: {changed}"

    def iterate(self, it: S.Iter) -> Any:
        match it:
            case S.Range():
                return range(self.expr(it.start), self.expr(it.stop), self.expr(it.step))
            case S.Elements():
                return self.env[it.source]
            case S.Enumerate():
                return enumerate(self.iterate(it.inner), self.expr(it.start))
            case S.Zip():
                return zip(*(self.iterate(i) for i in it.inners), strict=False)
            case S.Reversed():
                return reversed(self.iterate(it.inner))

    def bind(self, target: S.Target, value: Any) -> None:
        if isinstance(target, str):
            self.env[target] = value
            return
        values = list(value)
        if len(values) != len(target):
            raise ValueError("unpack")
        for t, v in zip(target, values, strict=True):
            self.bind(t, v)


def _outer(fn: Any) -> Iterator[tuple[str, Any]]:
    yield from fn.__globals__.items()
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def execute(lowered: S.Function, fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls a lowered function; `fn` is the function it came from."""
    bound = inspect.signature(fn).bind(*args, **kwargs)
    given = set(bound.arguments)
    bound.apply_defaults()
    env = {**dict(_outer(fn)), **bound.arguments}
    for p in lowered.params:
        if p.default is not None and p.name not in given:
            env[p.name] = p.default.value
    return Interpreter(env).block(lowered.body)


def run(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Lowers `fn` and executes it."""
    source = get_source(fn)
    return execute(lower(source), source.fn, *args, **kwargs)
