"""Gives the attributes of objects variables of their own, so that they are followed like others.

`analyses.objects.rewriting` puts the variables into the statements. A method gets those of the
attributes that it may read as further arguments, and returns those that it assigns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from adtrans.analyses.liveness import liveness
from adtrans.analyses.objects.attribute_variables import Body, Expansions
from adtrans.analyses.objects.displays import name_of, shown
from adtrans.analyses.objects.handles import without_handles
from adtrans.analyses.objects.model import Key, Path, Place, maker
from adtrans.analyses.objects.object_facts import Objects, is_tree
from adtrans.analyses.objects.rewriting import Rewriter
from adtrans.analyses.objects.seen import places
from adtrans.analyses.objects.unused import without_unused
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, map_blocks, statements, without_origins
from adtrans.lower.opaque import kept_attribute


def expand(
    fn: S.Function,
    objects: Objects,
    followed: Mapping[Key, set[str]],
    functions: Expansions,
    *,
    callee: bool,
    entry: bool = False,
) -> Body:
    """The function with the variables of attributes in place of reads and writes. `followed`: the
    attributes of each object that have variables; `callee`: those that are assigned are returned
    behind the value; `entry`: those of the objects in the result are."""
    new = Rewriter(fn, objects, followed, functions, callee=callee)
    body = without_unused(new.block(fn.body), new.tuples)
    outs = _outs(new, body) if callee else ()
    result, cells = _result(new) if callee else ((), ())
    if entry:
        result, cells = _results(new)
    handed_out = (*_out_cells(new, outs), *cells)
    whole = _returning(new, body, handed_out)
    made = _with_variables(new, without_origins(whole, new.spelled_out))
    ins, undefined = _at_start(new, made)
    more = tuple(S.Param(name, "keyword") for name, _ in ins)
    made = replace(made, params=with_keywords(fn.params, more))
    return Body(made, ins, outs, result, undefined)


def _with_variables(new: Rewriter, body: S.Block) -> S.Function:
    """The function with another body, and with what is known of the variables in it."""
    fn = replace(
        new.fn,
        body=body,
        reserved=new.fn.reserved | frozenset(new.variables.values()),
        outliving=new.fn.outliving.union(
            var for (key, _), var in new.variables.items() if maker(key)[0] in ("param", "global")
        ),
        shown={var: _in_words(new, key, attr) for (key, attr), var in new.variables.items()},
    )
    return without_handles(fn, {*new.variables.values()})


def _at_start(
    new: Rewriter, made: S.Function
) -> tuple[tuple[tuple[str, Place], ...], frozenset[Key]]:
    """The variables that have values at the start, with what they stand for; the objects that may
    lack an attribute there which is read."""
    entry = liveness(made).into.get(made.body[0].site, frozenset())
    known = places(new.o)
    at_start = [(key, attr, var) for (key, attr), var in new.variables.items() if var in entry]
    ins = [(var, Place(*known[key], attr)) for key, attr, var in at_start if key in known]
    ins.sort(key=lambda item: item[0])
    return tuple(ins), frozenset(key for key, _, _ in at_start if key not in known)


def _in_words(new: Rewriter, key: Key, attr: str) -> str:
    """What messages call an attribute."""
    return E.text(shown(new.written(key), attr))


def _outs(new: Rewriter, body: S.Block) -> tuple[Place, ...]:
    """The attributes of objects from outside that are assigned."""
    bound = {v for s in statements(body) for v in binds_of(s)}
    found: list[Place] = []
    for key, (root, path) in places(new.o).items():
        for attr in sorted(new.cells.get(key, ())):
            if new.variables.get((key, attr)) in bound:
                found.append(Place(root, path, attr))
                held = new.o.inner(key, attr)
                if held is not None and held[0] in ("new", "result", "made"):
                    inner = new.below(held)
                    found += [Place(root, (*path, attr, *p), a) for p, a in inner]
    return tuple(sorted(found, key=repr))


def _result(new: Rewriter) -> tuple[tuple[tuple[Path, str], ...], tuple[str, ...]]:
    """The attributes of the new objects that are returned, and their variables."""
    found: list[tuple[Path, str]] = []
    cells: list[str] = []
    for s in new.fn.body:
        for k, value in enumerate(s.values if isinstance(s, S.Return) else ()):
            key = new.followed(value)
            if key is None or key[0] not in ("new", "result", "made"):
                continue
            start = (name_of(k),) if isinstance(s, S.Return) and s.is_tuple else ()
            found += [((*start, *path), attr) for path, attr in new.below(key)]
            cells += [new.at(key, path, attr) for path, attr in new.below(key)]
    return tuple(found), tuple(cells)


def _results(new: Rewriter) -> tuple[tuple[tuple[Path, str], ...], tuple[str, ...]]:
    """The same for all objects among the items of the result whose derivatives are trees."""
    found: list[tuple[Path, str]] = []
    cells: list[str] = []
    for start, key in returned_objects(new.fn, new.o):
        for path, attr in new.below_outside(key):
            held = new.reached(key, path, attr)
            if held is None or new.o.one(held) not in new.cells:
                found.append(((*start, *path), attr))
                cells.append(new.at(key, path, attr))
    return tuple(found), tuple(cells)


def _out_cells(new: Rewriter, outs: tuple[Place, ...]) -> list[str]:
    """The variables of attributes of objects from outside."""
    return [new.at(new.root(p.root), p.path, p.attr) for p in outs]


def _returning(new: Rewriter, body: S.Block, cells: Sequence[str]) -> S.Block:
    """The function returns these variables behind its value."""
    if not cells:
        return body
    *rest, last = body
    assert isinstance(last, S.Return)
    value: E.Atom = last.values[0] if last.values else E.NONE
    if last.is_tuple:
        packed = new.names.fresh("result")
        rest.append(S.Pack(packed, "tuple", last.values, **new.place(last)))
        value = E.Name(packed)
    values = (value, *(E.Name(c) for c in cells))
    return (*rest, replace(last, values=values, is_tuple=True))


def returned_objects(fn: S.Function, o: Objects) -> Iterator[tuple[Path, Key]]:
    """The objects in the result whose derivatives are trees, the containers of such objects, and
    where they are."""
    for s in fn.body:
        if not isinstance(s, S.Return):
            continue
        for k, value in enumerate(s.values):
            key = o.of(value)
            if key is not None and is_tree(o, key):
                yield ((f"[{k}]",) if s.is_tuple else ()), key


def unfollowed(fn: S.Function) -> S.Function:
    """`fn` with nothing known about what it assigns to attributes."""

    def block(b: S.Block) -> S.Block:
        return tuple(
            kept_attribute(s, fn.source_name)
            if isinstance(s, S.SetAttr) and not s.mirror
            else map_blocks(s, block)
            for s in b
        )

    return replace(fn, body=block(fn.body))


def with_keywords(params: tuple[S.Param, ...], more: tuple[S.Param, ...]) -> tuple[S.Param, ...]:
    """Parameters with further ones that are passed by keyword."""
    last = [p for p in params if p.form == "varkw"]
    return (*(p for p in params if p.form != "varkw"), *more, *last)
