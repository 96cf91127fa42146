"""Calls: primitives with a rule, methods of values, and everything else."""

from __future__ import annotations

import builtins
import copy
import functools
import inspect
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Literal, TypeAlias

import gast

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import comprehensions, expressions, functional, opaque, partial_calls
from adtrans.lower.builder import Builder
from adtrans.lower.looked_up import may_be_assigned
from adtrans.lower.ordering import keyed
from adtrans.lower.purity import has_effects, makes_fresh, may_overwrite, rule_of, writes
from adtrans.lower.respelled import respelled
from adtrans.rules import is_maker
from adtrans.source import MISSING
from adtrans.source.libraries import is_library

Connective: TypeAlias = Literal["and", "or"]

_FRAME = (
    builtins.locals, builtins.globals, builtins.eval, builtins.exec, sys._getframe,
    inspect.currentframe, inspect.stack, traceback.extract_stack, traceback.format_stack,
    traceback.print_stack,
)  # fmt: skip


def call(
    b: Builder, node: gast.Call, target: str | None, share: bool = False, *, used: bool = True
) -> S.Atom:
    """Evaluates a call. `used` is false for a statement that drops the result."""
    other = respelled(b, node)
    if other is not None:
        return expressions.value(b, other, target, share=share)
    if any(k.arg is None for k in node.keywords):
        if is_maker(b.means(node.func)):
            return _unknown_options(b, node)
        return _spread(b, node, target)
    if (chosen := b.chosen(node.func)) is not node.func:
        node = copy.copy(node)
        node.func = chosen
    node = _displayed(partial_calls.unfolded(b, node))
    if any(isinstance(a, gast.Starred) for a in node.args):
        return _spread(b, node, target)
    made = b.means(node)
    if made is not MISSING:
        found = E.Ref(gast.unparse(node), made)
        return found if target is None else b.assign(target, found, node)
    reduced = functional.reduction(b, node, target)
    reduced = reduced or functional.quantified(b, node, target) or keyed(b, node, target)
    if reduced is not None:
        return reduced
    generator = comprehensions.used_up(b, node)
    if generator is not None:
        others = [*node.args[1:], *(k.value for k in node.keywords)]
        varying = any(not isinstance(n, gast.Constant) for n in others)
        if varying and any(has_effects(b, n) for n in (*others, generator)):
            generator, node = comprehensions.begun(b, generator), _evaluated(b, node)
        given = comprehensions.listed(b, generator)
        first, node = opaque.name_node(given.id, node), copy.copy(node)
        node.args = [first, *node.args[1:]]
    meant = b.means(node.func)
    if meant == dict.fromkeys and 1 <= len(node.args) <= 2 and not node.keywords:
        if (alike := comprehensions.alike(b, node)) is not None:
            return comprehensions.listed(b, alike, target)
    if meant is dict and not node.args:
        keys = [_key(k, node) for k in node.keywords]
        return comprehensions.dictionary(b, node, keys, [k.value for k in node.keywords], target)
    if meant is dict and len(node.args) == 1 and node.keywords:
        return _copied_dictionary(b, node, target)
    if _needs_frame(meant, node):
        return b.report(
            "AD202",
            f"`{gast.unparse(node.func)}()` cannot be differentiated",
            node,
            why="it looks at the frame of the function that calls it, which is another one in "
            "generated code.",
            fix="pass what it is to see as an argument",
        )
    if meant is type and len(node.args) != 1:
        return b.report(
            "AD201",
            "classes that are made by `type` are not followed",
            node,
            why="what the class holds, and what its methods read, is not known before the run.",
            fix="define the class outside with `class`, and give the values to its objects",
        )
    if meant in (isinstance, issubclass) and len(node.args) == 2:
        if any(map(_asks_in_python, _classes(b, node.args[1]))):
            return b.report(
                "AD201",
                "classes whose metaclass decides what is one of them are not followed",
                node,
                why=f"`{gast.unparse(node.func)}` runs code of the user's there.",
                fix="call what decides by its name",
            )
    rule = None if meant is MISSING else rule_of(meant)
    if rule is not None and not may_overwrite(rule, node):
        written = writes(rule, node)
        fresh = not written and makes_fresh(rule)
        args, kwargs = _arguments(b, node, share=fresh)
        expr = E.Call(E.Ref(gast.unparse(node.func), meant), args, kwargs)
        sharing = share and fresh and not rule.impure and rule.custom is None
        return _primitive(b, expr, node, target, sharing, written)
    if (template := _formats(node)) is not None:  # a text, whatever it is given
        args, kwargs = _arguments(b, node, share=False)
        text = E.Const(template)
        expr = E.Call(E.Ref("str.format", str.format), (text, *args), kwargs)
        return _primitive(b, expr, node, target, share=False, written=False)
    if isinstance(node.func, gast.Attribute) and not expressions.is_free(b, node.func):
        receiver = expressions.value(b, node.func.value)
        if may_be_assigned(b, node):
            held = b.bind(b.temp(), E.Attribute(receiver, node.func.attr), node.func)
            return _invoked(b, node, held, target, used)
        args, kwargs = _arguments(b, node, share=False)
        expr = E.Call(E.Attribute(receiver, node.func.attr), args, kwargs)
        # Whose method it is shows only later: it may write, whatever its name.
        return _primitive(b, expr, node, target, share=False, written=True)
    return _invoke(b, node, target, used)


def _classes(b: Builder, node: gast.expr) -> Iterator[object]:
    """The classes that are asked for."""
    several = node.elts if isinstance(node, gast.Tuple) else [node]
    for meant in map(b.means, several):
        yield from meant if isinstance(meant, tuple) else (meant,)


def _asks_in_python(cls: object) -> bool:
    """Whether `isinstance(..., cls)` or `issubclass` runs a function of the user's."""
    checks = (getattr(type(cls), n, None) for n in ("__instancecheck__", "__subclasscheck__"))
    return any(isinstance(f, FunctionType) and not is_library(f.__module__) for f in checks)


def _unknown_options(b: Builder, node: gast.Call) -> S.Atom:
    """The error for `grad(f, **options)` where the options are not constants of the function."""
    name = gast.unparse(node.func)
    return b.report(
        "AD401",
        f"the options of `{name}` are not known here",
        node,
        why="they are in a dictionary that others have, too, and may be other ones in each call.",
        fix="write them out, or make the dictionary of constants in this function",
    )


def _evaluated(b: Builder, node: gast.Call) -> gast.Call:
    """The call with names for all arguments but the first."""
    made = copy.copy(node)
    made.args = [*node.args[:1], *(comprehensions.held(b, a) for a in node.args[1:])]
    made.keywords = [gast.keyword(k.arg, comprehensions.held(b, k.value)) for k in node.keywords]
    return made


def _formats(node: gast.Call) -> str | None:
    """The template of `"...".format(...)`."""
    match node.func:
        case gast.Attribute(value=gast.Constant(value=str() as template), attr="format"):
            return template
        case _:
            return None


def _displayed(node: gast.Call) -> gast.Call:
    """`f(*[a, b])` as `f(a, b)`."""
    args: list[gast.expr] = []
    for a in node.args:
        shown = isinstance(a, gast.Starred) and isinstance(a.value, gast.List | gast.Tuple)
        args.extend(a.value.elts if shown else [a])  # type: ignore[attr-defined]  # a display
    if len(args) == len(node.args):
        return node
    node = copy.copy(node)
    node.args = args
    return _displayed(node)


def _spread(b: Builder, node: gast.Call, target: str | None) -> S.Atom:
    """A call with a star, spelled out as soon as the length, or the keys, are known."""
    if _needs_frame(b.means(node.func), node):
        return opaque.assign(b, node, target)
    fn: E.Expr
    if isinstance(node.func, gast.Attribute) and not expressions.is_free(b, node.func):
        fn = E.Attribute(expressions.value(b, node.func.value), node.func.attr)
        if may_be_assigned(b, node):
            fn = b.bind(b.temp(), fn, node.func)
    else:
        fn = _called(b, node.func)
    # what stands alone is unpacked when the call is made, behind the keywords
    alone = len(node.args) == 1 and isinstance(node.args[0], gast.Starred)
    args: list[E.Expr] = []
    for k, a in enumerate(node.args):
        if not isinstance(a, gast.Starred):
            args.append(expressions.value(b, a))
            continue
        given = comprehensions.collected(b, a.value)
        if alone and given is not a.value and any(has_effects(b, w) for w in node.keywords):
            return opaque.assign(b, node, target)
        behind = [] if alone else [*node.args[k + 1 :], *node.keywords]
        args.append(E.Star(_taken(b, given, behind)))
    if sum(k.arg is None for k in node.keywords) > 1:
        return opaque.assign(b, node, target)
    words: list[tuple[str, E.Expr]] = []
    for k, w in enumerate(node.keywords):
        if w.arg is not None:
            words.append((w.arg, expressions.value(b, w.value)))
        else:
            words.append(("", _taken(b, w.value, node.keywords[k + 1 :])))
    kwargs = tuple(words)
    return _primitive(b, E.Call(fn, tuple(args), kwargs), node, target, share=False, written=True)


def _called(b: Builder, node: gast.expr) -> S.Atom:
    """What a call means."""
    b.read_first(node)
    found = expressions.value(b, node)
    return replace(found, value=b.run_once(found.value)) if isinstance(found, E.Ref) else found


def _taken(b: Builder, given: gast.expr, behind: Sequence[gast.AST]) -> E.Name:
    """What a star stands before; as it is now, where what stands `behind` may change it."""
    held = E.Name(expressions.variable(b, given))
    if not any(has_effects(b, n) for n in behind) or _is_own_rest(b, given):
        return held
    made = E.Call(E.Ref("as_given", runtime.as_given), (held,))
    return b.bind(b.temp(), made, given)


def _is_own_rest(b: Builder, node: gast.AST) -> bool:
    """Whether a name is the function's own `*args`, which is a tuple as long as it is not bound."""
    own = b.source.node
    if not isinstance(node, gast.Name) or not isinstance(own, gast.FunctionDef):
        return False
    rest = own.args.vararg
    bound = any(
        isinstance(n, gast.Name) and n.id == node.id and not isinstance(n.ctx, gast.Load)
        for n in gast.walk(own)
        if n is not rest
    )
    return rest is not None and rest.id == node.id and not bound


def _copied_dictionary(b: Builder, node: gast.Call, target: str | None) -> S.Atom:
    """`dict(d, a=x)` as `t = dict(d); t["a"] = x`."""
    alone = copy.copy(node)
    alone.keywords = []
    if any(has_effects(b, k.value) for k in node.keywords):  # which come before the copy
        alone.args = [opaque.name_node(expressions.variable(b, node.args[0]), node)]
        values = [expressions.value(b, k.value) for k in node.keywords]
        made = call(b, alone, b.temp())
    else:
        made = call(b, alone, b.temp())
        values = [expressions.value(b, k.value) for k in node.keywords]
    assert isinstance(made, E.Name)
    for k, value in zip(node.keywords, values, strict=True):
        comprehensions.enter(b, made.id, E.Const(k.arg), value, node)
    return made if target is None else b.alias(target, made.id, node)


def _key(keyword: gast.keyword, like: gast.AST) -> gast.Constant:
    made = gast.Constant(keyword.arg, None)
    gast.copy_location(made, like)
    return made


def _needs_frame(meant: object, node: gast.Call) -> bool:
    if meant is builtins.super:
        return not node.args
    if meant is builtins.vars or meant is builtins.dir:
        return not node.args
    return any(meant is f for f in _FRAME)


def _primitive(
    b: Builder, expr: E.Call, node: gast.AST, target: str | None, share: bool, written: bool
) -> S.Atom:
    if share and target is None:
        known = b.shared(expr, node)
        if known is not None:
            return E.Name(known)
    result = b.bind(target or b.temp(), expr, node)
    if written:
        b.forget()
    elif share and target is None:
        b.remember(expr, result.id, node)
    return result


def _arguments(
    b: Builder, node: gast.Call, share: bool
) -> tuple[tuple[E.Expr, ...], tuple[tuple[str, E.Expr], ...]]:
    args = tuple(_argument(b, a, share) for a in node.args)
    kwargs = tuple((k.arg, _argument(b, k.value, share)) for k in node.keywords if k.arg)
    return args, kwargs


def _argument(b: Builder, node: gast.AST, share: bool) -> E.Expr:
    """An atom, or a display of them as in `np.concatenate([a, b])`."""
    if isinstance(node, gast.Tuple | gast.List):
        starred = [e.value for e in node.elts if isinstance(e, gast.Starred)]
        if all(isinstance(e, gast.Attribute) and e.attr == "shape" for e in starred):
            kind = E.Sequence("tuple" if isinstance(node, gast.Tuple) else "list", ()).kind
            return E.Sequence(kind, tuple(_item(b, e, share) for e in node.elts))
    return expressions.value(b, node, share=share)


def _item(b: Builder, node: gast.AST, share: bool) -> E.Expr:
    """An item of a display; `*a.shape` stays."""
    if isinstance(node, gast.Starred):
        return E.Star(expressions.value(b, node.value, share=share))
    return _argument(b, node, share)


def _invoke(b: Builder, node: gast.Call, target: str | None, used: bool) -> S.Atom:
    meant = b.means(node.func)
    fn: S.Atom
    stands_in = getattr(type(meant), "stands_in", False)
    if (isinstance(node.func, gast.Subscript) or stands_in) and meant is not MISSING:
        # NumPy would take for operands what the function captures
        own = getattr(meant, "__name__", "") if getattr(meant, "captured", ()) else ""
        fn = E.Ref(own or gast.unparse(node.func), meant)
    else:
        fn = _called(b, node.func)
    return _invoked(b, node, fn, target, used)


def _invoked(b: Builder, node: gast.Call, fn: S.Atom, target: str | None, used: bool) -> S.Atom:
    args = tuple(expressions.value(b, a) for a in node.args)
    kwargs = tuple((k.arg, expressions.value(b, k.value)) for k in node.keywords if k.arg)
    if isinstance(fn, E.Ref) and isinstance(fn.value, functools.partial):
        fn, args, kwargs = partial_calls.applied(fn, fn.value, args, kwargs)
    result = target or (b.temp() if used else None)
    b.block.append(
        S.Invoke(result, fn, args, kwargs, site=b.site(), span=b.span(node), origin=b.origin)
    )
    b.forget()
    return E.NONE if result is None else E.Name(result)
