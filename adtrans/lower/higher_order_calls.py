"""Calls of primitives that are handed a function: `quad(f, a, b)` as `quad_of(f, "a b")(a, b)`.

What is made for `f` is differentiated like any function; variables that `f` captures are passed to
it, because a local function that is handed to a maker is lifted.

>>> from adtrans.source import get_source
>>> import scipy.optimize
>>> def g(p):
...     return scipy.optimize.brentq(lambda x, q: x * x - q, 0.0, 9.0, args=(p,))
>>> print(gast.unparse(handed(get_source(g)).node))
def g(p):
    return brentq_of(lambda x, q: x * x - q, 'a b args.0')(0.0, 9.0, p)
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from dataclasses import replace

import gast
import numpy as np

from adtrans import runtime
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.ir.names import NameAllocator
from adtrans.lower import frozen, scratch_arguments
from adtrans.lower.handed_values import (
    SLOPES,
    are_plain,
    as_lambda,
    defined_once,
    is_value,
    is_variable,
)
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning, means_in
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import Replacing, defined
from adtrans.lower.syntax import in_scope, mentioned, nodes_in, parameters
from adtrans.rules.higher_order import CONSTANT, Taker, item_names, taker
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions


def handed(source: SourceFunction) -> SourceFunction:
    """The function with such calls rewritten; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        return source
    means = means_in(node, source)

    def takes(n: gast.AST) -> bool:
        if not isinstance(n, gast.Call):
            return False
        meant = means(n.func)
        known = bool(item_names(meant)) or taker(meant) is not None
        known = known or frozen.is_distribution(meant, joint=True)
        return known or scratch_arguments.in_place(n, means) is not None

    if not any(takes(n) for n in nodes_in(node)):
        return source
    node = defined(copy.deepcopy(node), source.name)
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
    local = LocalNames(node)
    work = _Handing(source, local, names)
    times = local.times()
    work.defined = defined_once(node, times)
    work.solutions = _solutions(node, work, times)
    work.frozen = frozen.variables(node, work.meaning, times, local.inner)
    work.visit(node)
    if not work.makers and not work.renamed:
        return source
    return replace(made_functions(source, node, [], work.makers), node=node)


class _Handing(Replacing):
    """Rewrites calls, and what is read of the objects that they return."""

    def __init__(self, source: SourceFunction, local: LocalNames, names: NameAllocator) -> None:
        self.source, self.local, self.names = source, local, names
        self.makers: dict[str, object] = {}
        self.solutions: dict[str, Taker] = {}
        self.frozen: dict[str, gast.Call] = {}
        self.tuples: dict[str, tuple[str, ...]] = {}
        self.defined: frozenset[str] = frozenset()
        self.renamed = False

    def meaning(self, node: gast.AST) -> object:
        """The object that a dotted name means."""
        return meaning(node, self.source, self.local)

    def taken(self, node: gast.AST) -> Taker | None:
        """Who differentiates a call."""
        if not isinstance(node, gast.Call):
            return None
        return taker(self.meaning(node.func))

    def replacement(self, node: gast.AST) -> gast.AST | None:
        """What stands for a node, where that is another one."""
        match node:
            case gast.Assign(targets=[gast.Name(id=name)]) if name in self.solutions:
                made = self.rewritten(node.value, self.solutions[name])
                node.value = node.value if made is None else made
                return node if made is not None else None
            case gast.Assign(targets=[gast.Name(id=name)]) if name in self.frozen:
                node.value = self.inner(frozen.parameters_of(self.frozen[name]))
                return node
            case gast.Call(func=gast.Attribute(value=base)) if frozen.is_asked(node):
                of: gast.expr = base
                where: str | None = None
                if isinstance(base, gast.Name) and base.id in self.frozen:
                    of, where = self.frozen[base.id], base.id
                elif not frozen.is_answered(base, node, self.meaning):
                    return self.rewritten_call(node)
                self.renamed = True
                if where is None and frozen.is_ordered(base, node, self.meaning):
                    assert isinstance(base, gast.Call)
                    return self.visit(frozen.in_turn(node, base, self.names.fresh("parameters")))
                return self.visit(frozen.answer(node, of, where))
            case gast.Attribute(value=value, attr=attr) if attr in self.items(value):
                index = gast.Constant(self.items(value).index(attr), None)
                part = gast.Subscript(self.inner(value), index, gast.Load())
                self.renamed = True
                for n in (index, part):
                    gast.copy_location(n, node)
                return part
            case gast.Attribute(value=gast.Name(id=name) as base) if name in self.solutions:
                return self.field(base, self.solutions[name], node)
            case gast.Attribute(value=gast.Call() as call):
                found = self.taken(call)
                made = self.rewritten(call, found) if found is not None and found.fields else None
                return None if made is None or found is None else self.field(made, found, node)
            case gast.Call():
                return self.rewritten_call(node)
        return None

    def rewritten_call(self, node: gast.Call) -> gast.AST | None:
        """What stands for a call, where that is another one."""
        in_place = scratch_arguments.in_place(node, self.meaning)
        if in_place is not None:
            fn, values = in_place
            name = self.names.fresh(getattr(fn, "__name__", "in_place"))
            self.makers[name] = fn
            made = gast.Call(name_node(name, node), [self.inner(v) for v in values], [])
            gast.copy_location(made, node)
            return made
        found = self.taken(node)
        plain = found is not None and not found.fields
        return self.rewritten(node, found) if plain and found is not None else None

    def items(self, node: gast.AST) -> tuple[str, ...]:
        """The names of the items of a tuple."""
        if isinstance(node, gast.Name):
            return self.tuples.get(node.id, ())
        if not isinstance(node, gast.Call) or len(node.args) not in (1, 2):
            return ()
        if any(k.arg in (None, "compute_uv", "mode") for k in node.keywords):
            return ()  # then it may return something else
        meant = self.meaning(node.func)
        samples = str(getattr(meant, "__module__", "")).startswith("scipy.stats")
        return item_names(meant) if len(node.args) == 1 or samples else ()

    def field(self, made: gast.expr, found: Taker, node: gast.Attribute) -> gast.expr:
        """What is read of an object: a part that carries a derivative, or one of the rest."""
        carries = node.attr in found.fields
        at = found.fields.index(node.attr) if carries else len(found.fields)
        index = gast.Constant(at, None)
        part: gast.expr = gast.Subscript(made, index, gast.Load())
        if not carries and node.attr not in CONSTANT:
            raise CompileError(
                Diagnostic(
                    "AD409",
                    f"`{node.attr}` of what `{found.spelling}` returns cannot be differentiated",
                    self.source.span(node),
                    why=f"its derivative goes on in `{'`, `'.join(found.fields)}` only",
                    fixes=[Fix(f"use `.{found.fields[0]}`")],
                )
            )
        if not carries:
            stop = self.names.fresh("constant_part")
            self.makers[stop] = runtime.information
            called = gast.Call(name_node(stop, node), [part], [])
            gast.copy_location(part, node)
            gast.copy_location(called, node)
            part = gast.Attribute(called, node.attr, gast.Load())
        for n in (index, part):
            gast.copy_location(n, node)
        return part

    def rewritten(self, node: gast.AST, found: Taker) -> gast.expr | None:
        """The call of what is made for the function; None for a form that is not understood."""
        assert isinstance(node, gast.Call)
        given = arguments(node, self.meaning(node.func))
        if given is None or given.keys() & set(found.plain) or found.function not in given:
            return None
        fn = given.pop(found.function)
        home = ""
        for flag, other in found.flags:
            value = given.pop(flag, None)
            if flag in found.or_else:
                if isinstance(value, gast.Constant) and value.value is True:
                    home = other
                elif value is not None:
                    given[flag] = value
                continue
            if value is not None and not isinstance(value, gast.Constant):
                return None
            home = other if value is not None and value.value else home
        layout: dict[str, gast.expr] = {}
        for name, value in given.items():
            if name == "args" and isinstance(value, gast.Tuple):
                layout.update({f"args.{i}": v for i, v in enumerate(value.elts)})
            else:
                layout[name] = value
        maker_of = found.maker(home)
        words: list[gast.keyword] = []
        if is_value(fn, self.local.own, self.defined, self.meaning):
            passed = sum(part.startswith("args.") for part in layout)
            count = maker_of.made.fixed + passed
            fn, held = as_lambda(fn, count, self.names, self.meaning, more="args" in layout)
            if held and not are_plain(layout.values(), self.meaning):
                return None
            words = [gast.keyword(name, self.inner(value)) for name, value in held]
        if not isinstance(fn, gast.Name | gast.Lambda | gast.Attribute):
            return None
        for name in layout.keys() & set(found.arrays):
            layout[name] = self.as_array(layout[name])
        for slope in sorted(SLOPES & layout.keys()):
            of = layout[slope]
            if isinstance(of, gast.Attribute) and is_variable(of, self.local.own):
                passed = sum(part.startswith("args.") for part in layout)
                count, more = maker_of.made.fixed + passed, "args" in layout
                layout[slope] = as_lambda(of, count, self.names, self.meaning, more=more)[0]
        values = [self.inner(v) for v in layout.values()]
        if isinstance(fn, gast.Lambda) and "args" not in layout:
            passed = sum(part.startswith("args.") for part in layout)
            fn = without_names_as_defaults(fn, maker_of.made.fixed + passed)
        name = self.names.fresh(f"{found.spelling.rpartition('.')[2]}_of")
        self.makers[name] = maker_of
        text = gast.Constant(" ".join(layout), None)
        maker = gast.Call(name_node(name, node), [self.inner(fn), text], [])
        made = gast.Call(maker, values, words)
        for n in (text, maker, made):
            gast.copy_location(n, node)
        return made

    def as_array(self, given: gast.expr) -> gast.expr:
        """The array of what is written as a list or a tuple; all else as it is."""
        if not isinstance(given, gast.List | gast.Tuple):
            return given
        name = self.names.fresh("array")
        self.makers[name] = np.array
        array = gast.Call(name_node(name, given), [given], [])
        for n in gast.walk(array):
            if not hasattr(n, "lineno"):
                gast.copy_location(n, given)
        return array


def without_names_as_defaults(fn: gast.Lambda, count: int) -> gast.Lambda:
    """`lambda x, a=b: x * a` as `lambda x: x * b`, where `count` arguments are given: it is called
    before `b` can mean anything else."""
    ordinary = list(fn.args.args)
    first = len(ordinary) - len(fn.args.defaults)
    to: dict[str, str] = {}
    for p, d in zip(ordinary[first:], fn.args.defaults, strict=True):
        if ordinary.index(p) >= count and isinstance(d, gast.Name):
            to[p.id] = d.id
    inner = [n for n in nodes_in(fn.body) if isinstance(n, gast.Name)]
    bound = {n.id for n in inner if not isinstance(n.ctx, gast.Load)}
    bound |= {p.id for p in parameters(fn.args) if p.id not in to}
    to = {p: d for p, d in to.items() if not {p, d} & bound}
    if not to:
        return fn
    made = copy.deepcopy(fn)
    for n in nodes_in(made.body):
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
    kept = [(p, d) for p, d in zip(ordinary[first:], made.args.defaults, strict=True)
            if p.id not in to]  # fmt: skip
    made.args.args = [*made.args.args[:first], *(copy.copy(p) for p, _ in kept)]
    made.args.defaults = [d for _, d in kept]
    return made


def arguments(node: gast.Call, primitive: object) -> dict[str, gast.expr] | None:
    """The arguments of a call by the names of the parameters, in the order in which they are
    written; None if some are collected."""
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    more = [k.value for k in node.keywords if k.arg is None]
    if len(more) > 1:
        return None
    assert callable(primitive)
    signature = inspect.signature(primitive)
    by_name = {k.arg: k.value for k in node.keywords if k.arg is not None}
    try:
        bound = signature.bind(*node.args, **by_name)
    except TypeError:
        return None
    found: dict[str, gast.expr] = {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        elif kind is inspect.Parameter.VAR_POSITIONAL:
            found.update({f"args.{i}": v for i, v in enumerate(value)})
        else:
            found[name] = value
    if more:
        found["**"] = more[0]
    written = {id(v): k for k, v in enumerate((*node.args, *(k.value for k in node.keywords)))}
    return dict(sorted(found.items(), key=lambda item: written[id(item[1])]))  # so Python goes


def _solutions(
    node: gast.FunctionDef, work: _Handing, times: Mapping[str, int]
) -> dict[str, Taker]:
    """The variables that are bound once, to the object of such a call, and whose attributes are
    all that is read of it; `times`: how often variables are bound."""
    found: dict[str, Taker] = {}
    tuples: dict[str, tuple[str, ...]] = {}
    for n in in_scope(node.body):
        match n:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call):
                taken = work.taken(call)
                if taken is not None and taken.fields:
                    found[name] = taken
                if work.items(call):
                    tuples[name] = work.items(call)
    work.tuples = {v: names for v, names in tuples.items() if times.get(v) == 1}
    read = [n for n in gast.walk(node) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)]
    bases = {id(n.value) for n in gast.walk(node) if isinstance(n, gast.Attribute)}
    whole = {n.id for n in read if id(n) not in bases}
    return {v: t for v, t in found.items() if times.get(v) == 1 and v not in whole}
