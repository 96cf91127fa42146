"""The rewriting of one function: each operation that an object may define becomes a call.

    def f(x, k):                        def f(x, k):
        y = x * k                           y = .mul(x, k)
        y[0] += np.sin(x[1])    ->          .o = y; .i = 0
        return y                            .setitem(.iadd(.getitem(.o, .i),
                                                .method(np, 'sin', .getitem(x, 1))), .o, .i)
                                            return y

Control flow, containers, generators, `try`, closures, classes and `match` stay as they are written,
and so do positions. The functions that are called have names that no program can have; they are
free variables of the function (see `rewritten`). The order of evaluation is kept: what is stored
comes first in the arguments of a store.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from typing import Any

from adtrans.recorder.nodes import at as _at
from adtrans.recorder.nodes import copied as _copy

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
COMPARE = {
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne",
    ast.In: "contains", ast.NotIn: "lacks",
}  # fmt: skip
_ASYNC = {
    ast.Await: "`await`", ast.AsyncFunctionDef: "`async def`", ast.AsyncFor: "`async for`",
    ast.AsyncWith: "`async with`",
}  # fmt: skip
_OF_THE_FRAME = {"super", "locals", "globals", "vars", "dir"}  # these look at who calls them
_QUIET = (ast.Name, ast.Constant, ast.Load, ast.keyword, ast.Tuple, ast.List)
"""What runs no code of the user's; an operator may, or an attribute that is a property."""


class CannotRewrite(Exception):
    """Syntax that stays out."""

    def __init__(self, what: str, node: ast.AST) -> None:
        super().__init__(what)
        self.what, self.line = what, getattr(node, "lineno", 1)


class Rewriter(ast.NodeTransformer):
    """`helpers`: the names of the functions that the new source calls. `outer`: names that are
    declared `nonlocal` in it."""

    def __init__(self, owner: str = "") -> None:
        self.helpers: set[str] = set()
        self.outer: set[str] = set()
        self.owners = [owner]
        self.globals: list[set[str]] = [set()]
        self.in_class = [False]
        self.unpackings = 0
        self.visitors: dict[type, Any] = {}

    # -- parts ------------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> Any:
        """The rewritten form of a node; the tree that it is of stays as it is."""
        cls = type(node)
        known = self.visitors.get(cls)
        if known is None:
            known = self.visitors[cls] = getattr(self, f"visit_{cls.__name__}", self.generic_visit)
        return known(node)

    def generic_visit(self, node: Any) -> Any:
        """A copy of a node whose parts are rewritten."""
        new = _copy(node)
        into = vars(new)
        for name, value in vars(node).items():
            if isinstance(value, ast.AST):
                if value._fields:
                    into[name] = self.visit(value)
            elif type(value) is list:
                into[name] = self._body(value)
        return new

    def visit_Name(self, node: Any) -> ast.expr:
        found: ast.expr = node
        return found

    visit_Constant = visit_Name

    def _name(self, name: str, at: ast.AST) -> ast.Name:
        self.helpers.add(f".{name}")
        return _at(ast.Name(f".{name}", ast.Load()), at)

    def _call(self, name: str, args: Iterable[ast.expr], at: ast.AST) -> ast.Call:
        return _at(ast.Call(self._name(name, at), list(args), []), at)

    def _text(self, text: Any, at: ast.AST) -> ast.Constant:
        return _at(ast.Constant(text), at)

    def _private(self, name: str) -> str:
        owner = self.owners[-1].lstrip("_")
        if owner and name[:2] == "__" and name[-2:] != "__":
            return f"_{owner}{name}"
        return name

    def _index(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Slice):
            none = self._text(None, node)
            parts = [none if p is None else self.visit(p)
                     for p in (node.lower, node.upper, node.step)]  # fmt: skip
            return self._call("slice", parts, node)
        if isinstance(node, ast.Tuple):
            items = [self._index(e) for e in node.elts]
            return _at(ast.Tuple(items, ast.Load()), node)
        found: ast.expr = self.visit(node)
        return found

    def _test(self, node: ast.expr) -> ast.expr:
        """A condition: the truth of an object may be a method of its class."""
        new: ast.expr = self.visit(node)
        if isinstance(node, ast.Compare | ast.Constant | ast.BoolOp | ast.UnaryOp):
            return new
        return self._call("truth", [new], node)

    # -- expressions ------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        parts = [self.visit(node.left), self.visit(node.right)]
        return self._call(BINARY[type(node.op)], parts, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return _at(ast.UnaryOp(node.op, self._test(node.operand)), node)
        if isinstance(node.operand, ast.Constant):
            return node
        return self._call(UNARY[type(node.op)], [self.visit(node.operand)], node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        left = self.visit(node.left)
        parts: list[ast.expr] = []
        last = len(node.ops) - 1
        for k, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            new = self.visit(right)
            then = new
            if k < last and not isinstance(right, ast.Name | ast.Constant):
                store = _at(ast.Name(f".c{k}", ast.Store()), right)
                new = _at(ast.NamedExpr(store, new), right)
                then = _at(ast.Name(f".c{k}", ast.Load()), right)
            if isinstance(op, ast.Is | ast.IsNot):
                parts.append(_at(ast.Compare(left, [op], [new]), node))
            else:
                parts.append(self._call(COMPARE[type(op)], [left, new], node))
            left = then
        if len(parts) == 1:
            return parts[0]
        return _at(ast.BoolOp(ast.And(), parts), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        parts = self._test(node.test), self.visit(node.body), self.visit(node.orelse)
        return _at(ast.IfExp(*parts), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        args = [self.visit(a) for a in node.args]
        keywords = [
            _at(ast.keyword(k.arg, self.visit(k.value)), k) for k in node.keywords
        ]
        if isinstance(node.func, ast.Name) and node.func.id in _OF_THE_FRAME:
            if node.func.id == "super" or not node.args:
                return _at(ast.Call(node.func, args, keywords), node)
        if isinstance(node.func, ast.Attribute):
            name = self._text(self._private(node.func.attr), node.func)
            function = [self.visit(node.func.value), name]
            inside = (n for a in (*node.args, *node.keywords) for n in ast.walk(a))
            if not all(isinstance(n, _QUIET) for n in inside):  # it may assign the attribute
                call = self._call("applied", [self._call("bound", function, node), *args], node)
            else:
                call = self._call("method", [*function, *args], node)
        else:
            call = self._call("call", [self.visit(node.func), *args], node)
        call.keywords = keywords
        return call

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        node = _copy(node)
        node.value = self._call("formatted", [self.visit(node.value)], node.value)
        if node.format_spec is not None:
            node.format_spec = self.visit(node.format_spec)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        spread = self._call("spread", [self.visit(node.value)], node)
        return _at(ast.Starred(spread, node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        name = self._text(self._private(node.attr), node)
        return self._call("getattr", [self.visit(node.value), name], node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self._call("getitem", [self.visit(node.value), self._index(node.slice)], node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        node = _copy(node)
        node.args = self._defaults(node.args)
        self.inside(node)
        return node

    def visit_ListComp(self, node: Any) -> ast.expr:
        node = _copy(node)
        node.generators = [_copy(part) for part in node.generators]
        for part in node.generators:
            if part.is_async:
                raise CannotRewrite("an asynchronous comprehension", node)
            part.iter = self._iterated(part.iter, part.target)
            part.ifs = [self._test(i) for i in part.ifs]
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.visit(getattr(node, name)))
        found: ast.expr = node
        return found

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def _iterated(self, over: ast.expr, target: ast.expr) -> ast.expr:
        new: ast.expr = self.visit(over)
        if isinstance(target, ast.Tuple | ast.List):
            return self._call("unpacked", [new, self._text(_pattern(target), over)], over)
        return self._call("iter", [new], over)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        over = self._call("iter", [self.visit(node.value)], node)
        return _at(ast.YieldFrom(over), node)

    def visit_Await(self, node: ast.AST) -> Any:
        raise CannotRewrite(_ASYNC[type(node)], node)

    visit_AsyncFunctionDef = visit_AsyncFor = visit_AsyncWith = visit_Await

    # -- statements -------------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> Any:
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self._stored(node.targets[0], value, node)
        stored: list[ast.stmt] = [self._to_temporary(".v", value, node)]
        for target in node.targets:
            stored += self._stored(target, self._temporary(".v", node), node)
        return stored

    def _temporary(self, name: str, at: ast.AST) -> ast.Name:
        return _at(ast.Name(name, ast.Load()), at)

    def _to_temporary(self, name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
        store = _at(ast.Name(name, ast.Store()), at)
        return _at(ast.Assign([store], value), at)

    def _stored(self, target: ast.expr, value: ast.expr, at: ast.AST) -> list[ast.stmt]:
        """Statements that bind or store a value."""
        if isinstance(target, ast.Name):
            bind = _at(ast.Assign([target], value), at)
            if target.id not in self.globals[-1]:
                return [bind]
            here = self._name("namespace", at)
            note = self._call("noteglobal", [here, self._text(target.id, at)], at)
            return [bind, _at(ast.Expr(note), at)]
        if isinstance(target, ast.Subscript):
            parts = [value, self.visit(target.value), self._index(target.slice)]
            return [_at(ast.Expr(self._call("setitem", parts, at)), at)]
        if isinstance(target, ast.Attribute):
            name = self._text(self._private(target.attr), at)
            parts = [value, self.visit(target.value), name]
            return [_at(ast.Expr(self._call("setattr", parts, at)), at)]
        if isinstance(target, ast.Starred):
            return self._stored(target.value, value, at)
        assert isinstance(target, ast.Tuple | ast.List)
        value = self._call("unpack", [value], at)
        if all(self._is_local(t) for t in target.elts):
            return [_at(ast.Assign([target], value), at)]
        self.unpackings += 1
        names = [f".u{self.unpackings}_{k}" for k in range(len(target.elts))]
        parts = [
            _at(ast.Starred(_at(ast.Name(n, ast.Store()), t),
                                          ast.Store()), t)
            if isinstance(t, ast.Starred)
            else _at(ast.Name(n, ast.Store()), t)
            for n, t in zip(names, target.elts, strict=True)
        ]  # fmt: skip
        spread = _at(ast.Tuple(parts, ast.Store()), at)
        stored: list[ast.stmt] = [_at(ast.Assign([spread], value), at)]
        for n, t in zip(names, target.elts, strict=True):
            stored += self._stored(t, self._temporary(n, at), at)
        return stored

    def _is_local(self, target: ast.expr) -> bool:
        inner = target.value if isinstance(target, ast.Starred) else target
        return isinstance(inner, ast.Name) and inner.id not in self.globals[-1]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        op, target = f"i{BINARY[type(node.op)]}", node.target
        if isinstance(target, ast.Name):
            now = _at(ast.Name(target.id, ast.Load()), target)
            return self._stored(target, self._call(op, [now, self.visit(node.value)], node), node)
        holder = self._to_temporary(".o", self.visit(target.value), node)
        if isinstance(target, ast.Attribute):
            at: ast.expr = self._text(self._private(target.attr), node)
            before, read, store = [holder], "getattr", "setattr"
        else:
            index = self._to_temporary(".i", self._index(target.slice), node)
            at = self._temporary(".i", node)
            before, read, store = [holder, index], "getitem", "setitem"
        now2 = self._call(read, [self._temporary(".o", node), at], node)
        new = self._call(op, [now2, self.visit(node.value)], node)
        stored = self._call(store, [new, self._temporary(".o", node), at], node)
        return [*before, _at(ast.Expr(stored), node)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node = _copy(node)
        if self.in_class[-1]:
            if node.value is not None:
                node.value = self.visit(node.value)
            return node
        if node.value is None:
            node.annotation = self._text(None, node)
            return node if isinstance(node.target, ast.Name) else []
        return self._stored(node.target, self.visit(node.value), node)

    def visit_For(self, node: ast.For) -> ast.stmt:
        target, body = node.target, self._body(node.body)
        if _is_plain(target, self):
            over = self._iterated(node.iter, target)
        else:
            name = f".t{node.lineno}_{node.col_offset}"
            body = [*self._stored(target, self._temporary(name, target), target), *body]
            over = self._call("iter", [self.visit(node.iter)], node.iter)
            target = _at(ast.Name(name, ast.Store()), target)
        new = ast.For(target, over, body, self._body(node.orelse))
        return _at(new, node)

    def _body(self, body: list[Any]) -> list[Any]:
        found: list[Any] = []
        for s in body:
            new = self.visit(s) if isinstance(s, ast.AST) else s
            if type(new) is list:
                found += new
            else:
                found.append(new)
        return found

    def visit_If(self, node: ast.If | ast.While) -> ast.stmt:
        parts = self._test(node.test), self._body(node.body), self._body(node.orelse)
        return _at(type(node)(*parts), node)

    visit_While = visit_If

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        message = None if node.msg is None else self.visit(node.msg)
        return _at(ast.Assert(self._test(node.test), message), node)

    def visit_With(self, node: ast.With) -> ast.stmt:
        body = self._body(node.body)
        items: list[ast.withitem] = []
        for k, item in reversed([*enumerate(node.items)]):
            manager = self._call("manager", [self.visit(item.context_expr)], item.context_expr)
            target = item.optional_vars
            if target is not None and not isinstance(target, ast.Name):
                name = f".w{node.lineno}_{k}"
                body = [*self._stored(target, self._temporary(name, target), target), *body]
                target = _at(ast.Name(name, ast.Store()), target)
            items.insert(0, ast.withitem(manager, target))
        return _at(ast.With(items, body), node)

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        """Patterns stay as they are; what those of classes read must not be computed."""
        subject: ast.expr = self.visit(node.subject)
        classes = [p for c in node.cases for p in ast.walk(c.pattern)
                   if isinstance(p, ast.MatchClass)]  # fmt: skip
        if classes:
            subject = self._call("matched", [subject, *map(self._class_pattern, classes)], node)
        cases = [
            ast.match_case(c.pattern, None if c.guard is None else self._test(c.guard),
                           self._body(c.body))
            for c in node.cases
        ]  # fmt: skip
        return _at(ast.Match(subject, cases), node)

    def _class_pattern(self, p: ast.MatchClass) -> ast.expr:
        none = ast.arguments([], [], None, [], [], None, [])
        meant = _at(ast.Lambda(none, copy.copy(p.cls)), p)
        names = tuple(map(self._private, p.kwd_attrs))
        parts = [meant, self._text(len(p.patterns), p), self._text(names, p)]
        return _at(ast.Tuple(parts, ast.Load()), p)

    def visit_Delete(self, node: ast.Delete) -> Any:
        found: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                parts = [self.visit(target.value), self._index(target.slice)]
                found.append(_at(ast.Expr(self._call("delitem", parts, node)), node))
            elif isinstance(target, ast.Attribute):
                name = self._text(self._private(target.attr), node)
                parts = [self.visit(target.value), name]
                found.append(_at(ast.Expr(self._call("delattr", parts, node)), node))
            else:
                found.append(_at(ast.Delete([target]), node))
        return found

    def visit_Global(self, node: ast.Global) -> ast.stmt:
        self.globals[-1].update(node.names)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.stmt:
        self.outer.update(node.names)
        return node

    # -- scopes -----------------------------------------------------------------------------------

    def _enter(self, *, in_class: bool, owner: str | None = None) -> None:
        self.globals.append(set())
        self.in_class.append(in_class)
        self.owners.append(self.owners[-1] if owner is None else owner)

    def _leave(self) -> None:
        self.globals.pop()
        self.in_class.pop()
        self.owners.pop()

    def _defaults(self, args: ast.arguments) -> ast.arguments:
        args = _copy(args)
        args.defaults = [self.visit(d) for d in args.defaults]
        args.kw_defaults = [None if d is None else self.visit(d) for d in args.kw_defaults]
        return args

    def _decorators(self, node: Any) -> None:
        node.decorator_list = [
            self._call("decorator", [self.visit(d)], d) for d in node.decorator_list
        ]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node = _copy(node)
        self._decorators(node)
        node.args = self._defaults(node.args)
        self.inside(node)
        return node

    def inside(self, node: Any) -> None:
        """The body of a function, a node that may be changed."""
        self._enter(in_class=False)
        if isinstance(node, ast.Lambda):
            node.body = self.visit(node.body)
        else:
            for inner in node.body:
                if isinstance(inner, ast.Global):
                    self.globals[-1].update(inner.names)
            node.body = self._body(node.body)
        self._leave()

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node = _copy(node)
        self._decorators(node)
        node.bases = [self.visit(b) for b in node.bases]
        node.keywords = [_copy(k) for k in node.keywords]
        for k in node.keywords:
            k.value = self.visit(k.value)
        self._enter(in_class=True, owner=node.name)
        node.body = self._body(node.body)
        self._leave()
        if node.bases or node.keywords:
            meta = [k.value for k in node.keywords if k.arg == "metaclass"]
            maker = self._call("classmaker", meta, node)
            rest = [k for k in node.keywords if k.arg != "metaclass"]
            node.keywords = [_at(ast.keyword("metaclass", maker), node), *rest]
        return node


def _pattern(target: ast.expr) -> Any:
    """Which items of what is unpacked are unpacked themselves: None for those that are not."""
    if isinstance(target, ast.Tuple | ast.List):
        return tuple("*" if isinstance(t, ast.Starred) else _pattern(t) for t in target.elts)
    return None


def _is_plain(target: ast.expr, rewriter: Rewriter) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(_is_plain(t, rewriter) for t in target.elts)
    return rewriter._is_local(target)
