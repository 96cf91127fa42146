"""The small language as text: site, line, statement, and the origin where there is one.

>>> from adtrans.diagnostics.span import Span
>>> here = Span("f.py", 2, 4, 2, 9)
>>> t = S.Bind("t", E.Binary("*", E.Name("x"), E.Const(2.0)), site=1, span=here)
>>> result = S.Return((E.Name("t"),), site=2, span=here)
>>> print(dump(S.Function("f", (S.Param("x"),), (t, result), here)))
def f(x)
   1    2   t = x * 2.0
   2    2   return t
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.never import assert_never

_WIDTH = 44


def dump(fn: S.Function) -> str:
    """`fn` as stable text, one line for each statement."""
    params = ", ".join(_params(fn.params))
    return "\n".join([f"def {fn.name}({params})", *_block(fn.body, 0)])


def _params(params: tuple[S.Param, ...]) -> Iterator[str]:
    star = False
    for k, p in enumerate(params):
        if p.form == "keyword" and not star:
            star = True
            yield "*"
        default = "" if p.default is None else f"={p.default}"
        star = star or p.form == "varargs"
        yield {"varargs": "*", "varkw": "**"}.get(p.form, "") + p.name + default
        if p.form == "positional" and (k + 1 == len(params) or params[k + 1].form != "positional"):
            yield "/"


def _block(block: S.Block, depth: int) -> Iterator[str]:
    for s in block:
        yield _line(s.site, s.span.line, statement(s), s.origin, depth)
        match s:
            case S.If():
                yield from _block(s.then, depth + 1)
                if s.orelse:
                    yield _line(None, None, "else:", 0, depth)
                    yield from _block(s.orelse, depth + 1)
            case S.For():
                yield from _block(s.body, depth + 1)
            case S.While():
                if s.head:
                    yield from _block(s.head, depth + 1)
                    yield _line(None, None, "do:", 0, depth)
                yield from _block(s.body, depth + 1)
            case S.Try():
                yield from _block(s.body, depth + 1)
                for h in s.handlers:
                    yield _line(None, None, handler(h), 0, depth)
                    yield from _block(h.body, depth + 1)
                for word, inner in (("else:", s.orelse), ("finally:", s.final)):
                    if inner:
                        yield _line(None, None, word, 0, depth)
                        yield from _block(inner, depth + 1)
            case S.Onward():
                yield from _block(s.body, depth)
            case S.With():
                yield from _block(s.body, depth + 1)
            case _:
                pass


def _line(site: int | None, line: int | None, text: str, origin: int, depth: int) -> str:
    left = "         " if site is None else f"{site:4} {line:4}"
    body = "    " * depth + text
    mark = f"[{origin}]" if origin else ""
    return f"{left}   {body:{_WIDTH}}{' ' if mark else ''}{mark}".rstrip()


def statement(s: S.Stmt) -> str:
    """The statement itself on one line, without the blocks inside it."""
    match s:
        case S.Bind():
            return f"{s.target} = {s.value}"
        case S.Load():
            return f"{s.target} = {s.base}[{_items(s.items)}]"
        case S.Store():
            return f"{s.base}[{_items(s.items)}] = {s.value}"
        case S.Update():
            where = "" if s.items is None else f"[{_items(s.items)}]"
            return f"{s.base}{where} {s.op}= {s.value}"
        case S.SetAttr():
            return f"{s.base}.{s.attr} = {s.value}"
        case S.Alias():
            return f"{s.target} is {s.source}"
        case S.Pack():
            return f"{s.target} = pack {E.Sequence(s.kind, s.items)}"
        case S.Unpack():
            stars = (f"{'*' * (k == s.star)}{t}" for k, t in enumerate(s.targets))
            return f"{', '.join(stars)} = unpack {s.source}"
        case S.Invoke():
            target = "" if s.target is None else f"{s.target} = "
            return f"{target}invoke {E.Call(s.fn, s.args, s.kwargs)}"
        case S.Edit():
            target = "" if s.target is None else f"{s.target} = "
            return f"{target}{s.base}.{s.op}({', '.join(str(a) for a in s.args)})"
        case S.Keep():
            form = "" if s.form == "plain" else f" {s.form}"
            return f"keep{form}: {s.text}"
        case S.If():
            return f"if {s.test}:"
        case S.For():
            return f"for {_target(s.target)} in {iteration(s.iter)}:"
        case S.While():
            return f"while {s.test}:" if not s.head else f"while {s.test}, after:"
        case S.Try():
            return "try:"
        case S.Onward():
            return "onward, partial" if s.partial else "onward"
        case S.With():
            return f"with {s.context}{_named(s.target)}:"
        case S.Return():
            values = E.Sequence("tuple", s.values) if s.is_tuple else s.values[0]
            return f"return {values}"
        case S.Break():
            return "break"
        case S.Continue():
            return "continue"
        case _:
            assert_never(s)


def handler(h: S.Handler) -> str:
    """The first line of a handler."""
    return f"except{'' if h.type is None else f' {h.type}'}{_named(h.name)}:"


def _named(name: str | None) -> str:
    return "" if name is None else f" as {name}"


def _items(items: tuple[E.Expr, ...]) -> str:
    return ", ".join(str(i) for i in items) if items else "()"


def _target(target: S.Target) -> str:
    if isinstance(target, str):
        return target
    inner = ", ".join(_target(t) for t in target)
    return f"({inner},)" if len(target) == 1 else f"({inner})"


def iteration(it: S.Iter) -> str:
    """What a loop runs over, as text."""
    match it:
        case S.Range():
            return f"range({it.start}, {it.stop}, {it.step})"
        case S.Elements():
            return it.source
        case S.Enumerate():
            return f"enumerate({iteration(it.inner)}, {it.start})"
        case S.Zip():
            strict = ", strict=True" if it.strict else ""
            return f"zip({', '.join(iteration(i) for i in it.inners)}{strict})"
        case S.Reversed():
            return f"reversed({iteration(it.inner)})"
        case _:
            assert_never(it)
