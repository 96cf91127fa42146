"""The functions of `itertools` as generators, so that loops over them are loops over their sources.

for a, b in product(u, v): body    ->    u_2 = list(u); v_2 = list(v)
                                         for a in u_2:
                                             for b in v_2:
                                                 body

A generator is written for each call, because these functions take any number of arguments. What
is gone through once and in step stands in it as it was written; the rest is evaluated first.
"""

from __future__ import annotations

import copy
import itertools

import gast
import numpy as np

from adtrans.lower.builder import Builder
from adtrans.lower.lazy import (
    WRITERS,
    Args,
    Writer,
    Written,
    as_well_beforehand,
    indented,
    is_lazy,
    number,
    numbered,
    plain,
    writer_of,
)
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Comprehension, Scope
from adtrans.runtime import count_of
from adtrans.source import MISSING

_USED = {
    "list": list, "tuple": tuple, "len": len, "range": range, "max": max, "min": min,
    "enumerate": enumerate, "zip": zip, "int": int, "ValueError": ValueError,
}  # fmt: skip


def _product(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    repeat = words.pop("repeat", gast.Constant(1, None))
    again = number(repeat)
    if not words and again is None and len(args) == 1:
        return _by_places(b, args[0], (("repeat_", repeat),), "repeat=repeat_")
    if words or again is None or not args or not 0 < again * len(args) <= 8:
        return None
    given = numbered("of", args)
    pools = [f"pool{k}_ = list({name})" for k, (name, _) in enumerate(given)]
    loops = [f"for v{k}_ in pool{k % len(args)}_:" for k in range(again * len(args))]
    items = "".join(f"v{k}_, " for k in range(len(loops)))
    text = "\n".join(pools) + "\n" + indented([*loops, f"yield ({items})"])
    return Written(text, inside=given) if plain(b, args) else Written(text, given)


def _by_places(
    b: Builder, pool: gast.expr, given: tuple[tuple[str, gast.expr], ...], more: str
) -> Written | None:
    """A function that chooses as many items as only the run knows: it chooses among the places."""
    numbers = isinstance(pool, gast.Call) and b.means(pool.func) is range
    if numbers or not plain(b, [pool, *(e for _, e in given)]):
        return None
    text = (
        f"pool_ = list(of0_)\nfor places_ in same_(range(len(pool_)), {more}):\n"
        "    yield tuple([pool_[int(k_)] for k_ in places_])"
    )
    return Written(text, given, numbered("of", [pool]))


def _chosen(first: str, test: str) -> Writer:
    """Combinations: loops over places, of which each begins at `first`."""

    def write(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
        rest = args[1:] or [w for k, w in words.items() if k == "r"]
        size = number(rest[0]) if rest else None
        if size is None and len(args) + len(words) == 1 + len(rest) and args:
            given = (("r_", rest[0]),) if rest else ()
            return _by_places(b, args[0], given, "r_" if rest else "")
        if len(args) + len(words) != 2 or size is None or not 0 < size <= 6:
            return None
        lines: list[str] = []
        for k in range(size):
            start = first.format(k - 1) if k else "0"
            lines.append(f"for k{k}_ in range({start}, len(pool_)):")
            apart = " and ".join(test.format(k, n) for n in range(k)) if test else ""
            if apart:
                lines.append(f"if {apart}:")
        items = "".join(f"pool_[k{k}_], " for k in range(size))
        text = "pool_ = list(of0_)\n" + indented([*lines, f"yield ({items})"])
        return Written(text, inside=numbered("of", args[:1]))

    return write


def _chain(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    if words or not args or not plain(b, args):
        return None
    named = numbered("of", args)
    text = "\n".join(f"for v_ in {n}:\n    yield v_" for n, _ in named)
    given = tuple((n, a) for n, a in named[1:] if not is_lazy(b, a))
    return Written(text, given, tuple(p for p in named if p not in given))


def _chained(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    if words or len(args) != 1:
        return None
    text = "for part_ in of0_:\n    for v_ in part_:\n        yield v_"
    return Written(text, inside=numbered("of", args))


def _accumulate(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    initial = words.pop("initial", None)
    fn = args[1] if len(args) == 2 else words.pop("func", None)
    if words or not 1 <= len(args) <= 2:
        return None
    calls: tuple[tuple[str, gast.expr], ...] = ()
    if fn is None or (isinstance(fn, gast.Constant) and fn.value is None):
        step = "total_ + v_"
    elif isinstance(fn, gast.Lambda | gast.Name) or b.means(fn) is not MISSING:
        step, calls = "fn_(total_, v_)", (("fn_", fn),)
    else:
        return None
    if initial is None or (isinstance(initial, gast.Constant) and initial.value is None):
        text = (
            "first_ = True\nfor v_ in of0_:\n    if first_:\n        first_ = False\n    else:\n"
            f"        v_ = {step}\n    total_ = v_\n    yield total_"
        )
        return Written(text, inside=numbered("of", args[:1]), calls=calls)
    text = f"total_ = start_\nyield total_\nfor v_ in of0_:\n    total_ = {step}\n    yield total_"
    if not plain(b, [*args[:1], initial]):
        return None
    return Written(text, (("start_", initial),), numbered("of", args[:1]), calls=calls)


def _repeat(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    times = args[1] if len(args) == 2 else words.pop("times", None)
    if words or not 1 <= len(args) <= 2:
        return None
    if times is None:
        return Written("while True:\n    yield value_", (("value_", args[0]),))
    text = "for k_ in range(n_):\n    yield value_"
    return Written(text, (("value_", args[0]), ("n_", times)))


def _cycle(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    """The first time the elements are read one by one."""
    if words or len(args) != 1 or isinstance(args[0], gast.Starred):
        return None
    again = "while len(pool_) > 0:\n    for v_ in pool_:\n        yield v_"
    first = "pool_ = []\nfor v_ in of0_:\n    pool_.append(v_)\n    yield v_\n"
    if _goes_round(b, args[0]):
        first = "pool_ = list(of0_)\n"
    return Written(first + again, inside=numbered("of", args))


def _goes_round(b: Builder, node: gast.expr) -> bool:
    """Whether nobody can tell that all of what `cycle` is given is read at once."""
    return not isinstance(node, gast.Starred) and not is_lazy(b, node) and (
        as_well_beforehand(b, node)
    )


def _islice(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    if words or not 2 <= len(args) <= 4 or not plain(b, args):
        return None
    none = gast.Constant(None, None)
    bounds: list[gast.expr] = [none, args[1], none] if len(args) == 2 else [*args[1:], none][:3]
    missing = [isinstance(a, gast.Constant) and a.value is None for a in bounds]
    given = [(n, a) for n, a, m in zip(("start_", "stop_", "step_"), bounds, missing, strict=True)
             if not m]  # fmt: skip
    tests = [] if missing[0] else ["k_ >= start_"]
    if not missing[2]:
        tests.append("(k_) % step_ == 0" if missing[0] else "(k_ - start_) % step_ == 0")
    checks = _checked(dict(given))
    inner = [f"if {' and '.join(tests)}:", "    yield v_"] if tests else ["yield v_"]
    lines = ["k_ = 0", "for v_ in of0_:", *("    " + n for n in inner), "    k_ = k_ + 1"]
    if not missing[1]:
        lines += ["    if k_ >= stop_:", "        break"]
        lines = [lines[0], "if stop_ > 0:", *("    " + n for n in lines[1:])]
    return Written("\n".join([*checks, *lines]), tuple(given), numbered("of", args[:1]))


def _checked(given: dict[str, gast.expr]) -> list[str]:
    """What `islice` asks of its numbers, where they are not literals that are as it asks."""
    small = {n for n, a in given.items() if (number(a) or 0) < (n == "step_") or not number(a)}
    small -= {n for n, a in given.items() if n != "step_" and number(a) == 0}
    whole = "must be None or an integer: 0 <= x <= sys.maxsize."
    tests = {
        "stop_": ("stop_ == -1", f"Stop argument for islice() {whole}"),
        "start_": ("start_ < 0", f"Indices for islice() {whole}"),
        "": ("stop_ < 0", f"Indices for islice() {whole}"),
        "step_": ("step_ < 1", "Step for islice() must be a positive integer or None."),
    }
    lines: list[str] = []
    for name, (test, message) in tests.items():
        if (name or "stop_") in small:
            lines += [f"if {test}:", f"    raise ValueError({message!r})"]
    return lines


def _pairwise(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    if words or len(args) != 1:
        return None
    text = (
        "first_ = True\nfor v_ in of0_:\n    if first_:\n        first_ = False\n    else:\n"
        "        yield old_, v_\n    old_ = v_"
    )
    return Written(text, inside=numbered("of", args))


def _zip_longest(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    fill = words.pop("fillvalue", None)
    if words or fill is None or len(args) < 2 or not plain(b, [*args, fill]):
        return None
    given = numbered("of", args)
    if not all(as_well_beforehand(b, a) for a in args):
        return None
    lines = [f"pool{k}_ = list({name})" for k, (name, _) in enumerate(given)]
    sizes = ", ".join(f"len(pool{k}_)" for k in range(len(args)))
    lines.append(f"for k_ in range(max({sizes})):")
    items = ", ".join(f"v{k}_" for k in range(len(args)))
    for k in range(len(args)):
        lines.append(f"    v{k}_ = pool{k}_[k_] if k_ < len(pool{k}_) else fill_")
    return Written("\n".join([*lines, f"    yield {items}"]), (("fill_", fill),), given)


def _counted(args: Args) -> tuple[gast.expr, gast.expr]:
    """Where `count` starts, and its step."""
    first = args[0] if args else gast.Constant(0, None)
    return first, args[1] if len(args) > 1 else gast.Constant(1, None)


def _count(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    args = [*args, *words.values()] if list(words) in ([], ["start"], ["start", "step"]) else []
    if len(args) > 2 or (words and not args):
        return None
    start, step = _counted(args)
    text = "k_ = start_\nwhile True:\n    yield k_\n    k_ = k_ + step_"
    return Written(text, (("start_", start), ("step_", step)))


def _tested(text: str) -> Writer:
    """A function of a test and of what is gone through."""

    def write(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
        if words or len(args) != 2 or not (
            isinstance(args[0], gast.Name | gast.Lambda) or b.means(args[0]) is not MISSING
        ):
            return None
        return Written(text, inside=(("of_", args[1]),), calls=(("fn_", args[0]),))

    return write


def _starmap(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    if args and isinstance(args[0], gast.Lambda) and args[0].args.args:
        items = ", ".join(f"v{k}_" for k in range(len(args[0].args.args)))
        return _tested(f"for {items}, in of_:\n    yield fn_({items})")(b, args, words)
    return _tested("for v_ in of_:\n    yield fn_(*v_)")(b, args, words)


def _compress(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    if words or len(args) != 2 or not plain(b, args):
        return None
    text = "for v_, w_ in zip(of0_, of1_):\n    if w_:\n        yield v_"
    return Written(text, inside=numbered("of", args))


WRITERS.update({
    itertools.product: _product,
    itertools.combinations: _chosen("k{}_ + 1", ""),
    itertools.combinations_with_replacement: _chosen("k{}_", ""),
    itertools.permutations: _chosen("0", "k{}_ != k{}_"),
    itertools.chain: _chain,
    itertools.chain.from_iterable: _chained,
    itertools.accumulate: _accumulate,
    itertools.repeat: _repeat,
    itertools.cycle: _cycle,
    itertools.islice: _islice,
    itertools.pairwise: _pairwise,
    itertools.zip_longest: _zip_longest,
    itertools.count: _count,
    itertools.compress: _compress,
    itertools.starmap: _starmap,
    itertools.takewhile: _tested(
        "for v_ in of_:\n    if not fn_(v_):\n        break\n    yield v_"
    ),
    itertools.filterfalse: _tested("for v_ in of_:\n    if not fn_(v_):\n        yield v_"),
    itertools.dropwhile: _tested(
        "on_ = False\nfor v_ in of_:\n    if not on_ and not fn_(v_):\n        on_ = True\n"
        "    if on_:\n        yield v_"
    ),
})


def _enumerate(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    """Of a generator; others are left as they are."""
    start = args[1] if len(args) == 2 else words.pop("start", gast.Constant(0, None))
    if words or not 1 <= len(args) <= 2 or not is_lazy(b, args[0]) or not plain(b, args):
        return None
    text = "k_ = start_\nfor v_ in of0_:\n    yield k_, v_\n    k_ = k_ + 1"
    return Written(text, (("start_", start),), numbered("of", args[:1]))


def _beside(b: Builder, args: Args) -> Written | None:
    """A generator in the first place, and beside it what has places."""
    rest = range(1, len(args))
    lines = ["k_ = 0", "for v0_ in of0_:"]
    lines += [f"    if k_ >= len(of{k}_):\n        break" for k in rest]
    lines += [f"    v{k}_ = of{k}_[k_]" for k in rest]
    items = ", ".join(f"v{k}_" for k in range(len(args)))
    lines += ["    k_ = k_ + 1", f"    yield {items},"]
    checks = [f"count_of_(of{k}_)" for k in rest]
    first, *others = numbered("of", args)
    return Written("\n".join([*checks, *lines]), tuple(others), (first,))


_SPELLED_OUT = (itertools.count, itertools.repeat, itertools.cycle)
"""What each element is without asking."""


def _round(b: Builder, call: gast.Call) -> bool:
    return len(call.args) == 1 and not call.keywords and _goes_round(b, call.args[0])


def _zip(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    """With counts, with what is repeated, and with generators that may as well run beforehand."""
    strict = words.get("strict")
    if isinstance(strict, gast.Constant) and strict.value is False:
        words = {k: v for k, v in words.items() if k != "strict"}
    if words or not any(is_lazy(b, a) for a in args) or not plain(b, args):
        return None
    made = [a for a in args if is_lazy(b, a)]
    counts = isinstance(args[0], gast.Call) and b.means(args[0].func) in _SPELLED_OUT
    if made == [args[0]] and not counts and not as_well_beforehand(b, made[0]):
        return _beside(b, args)
    before: list[str] = []
    after: list[str] = []
    first_of_all: list[str] = []
    items: list[str] = []
    given: list[tuple[str, gast.expr]] = []
    sources: list[str] = []
    for k, a in enumerate(args):
        meant = b.means(a.func) if isinstance(a, gast.Call) else MISSING
        if isinstance(a, gast.Call) and meant is itertools.count and not a.keywords:
            first, step = _counted(a.args)
            given += [(f"start{k}_", first), (f"step{k}_", step)]
            before.append(f"k{k}_ = start{k}_")
            after.append(f"    k{k}_ = k{k}_ + step{k}_")
            items.append(f"k{k}_")
        elif isinstance(a, gast.Call) and meant is itertools.repeat and len(a.args) == 1:
            if a.keywords:
                return None
            given.append((f"value{k}_", a.args[0]))
            items.append(f"value{k}_")
        elif isinstance(a, gast.Call) and meant is itertools.cycle and _round(b, a):
            given.append((f"of{k}_", a.args[0]))
            before += [f"pool{k}_ = list(of{k}_)", f"k{k}_ = 0"]
            first_of_all.append(f"    if len(pool{k}_) == 0:\n        break")
            items.append(f"pool{k}_[k{k}_ % len(pool{k}_)]")
            after.append(f"    k{k}_ = k{k}_ + 1")
        else:
            lazy = is_lazy(b, a)
            if lazy and not as_well_beforehand(b, a):
                return None
            given.append((f"of{k}_", a))
            if lazy:
                before.append(f"pool{k}_ = list(of{k}_)")
            sources.append(f"{'pool' if lazy else 'of'}{k}_")
            items.append(f"v{k}_")
    if not sources:
        return None
    named = [i for i in items if i.startswith("v") and not i.startswith("value")]
    many = len(sources) > 1
    target = ", ".join(named)
    source = f"zip({', '.join(sources)})" if many else sources[0]
    each = f"    yield {', '.join(items)},"
    loop = [f"for {target} in {source}:", *first_of_all, each, *after]
    inside = tuple(g for g in given if g[0].startswith("of"))
    return Written("\n".join([*before, *loop]), tuple(g for g in given if g not in inside), inside)


_UNEQUAL = """\
    if max(sizes_) > least_:
        k_ = sizes_.index(least_) or [size_ > least_ for size_ in sizes_].index(True)
        how_ = "longer" if sizes_[k_] > least_ else "shorter"
        others_ = " 1" if k_ == 1 else f"s 1-{k_}"
        raise ValueError(f"zip() argument {k_ + 1} is {how_} than argument{others_}")"""
"""What `strict` adds: the error of Python."""


def _transposed(b: Builder, args: Args, words: dict[str, gast.expr]) -> Written | None:
    """`zip(*rows)`."""
    strict = words.pop("strict", None)
    if words or not (strict is None or isinstance(strict, gast.Constant)):
        return None
    shortest = "min([count_of_(v_) for v_ in pool_])"
    lines = ["pool_ = list(of0_)", "if len(pool_) > 0:"]
    if strict is not None and strict.value:
        lines += ["    sizes_ = [count_of_(v_) for v_ in pool_]", "    least_ = min(sizes_)"]
        shortest = "least_"
    lines.append(f"    for k_ in range({shortest}):")
    lines.append("        yield tuple([v_[k_] for v_ in pool_])")
    text = "\n".join(lines + ([_UNEQUAL] if shortest == "least_" else []))
    return Written(text, inside=numbered("of", args))


def _ndenumerate(numpy: gast.expr, args: Args, words: dict[str, gast.expr]) -> Written | None:
    if words or len(args) != 1:
        return None
    text = "of_ = asarray_(of0_)\nfor k_ in ndindex_(of_.shape):\n    yield k_, of_[k_]"
    named = [(f"{n}_", gast.Attribute(numpy, n, gast.Load())) for n in ("asarray", "ndindex")]
    return Written(text, numbered("of", args), calls=tuple(named))


def written(b: Builder, node: gast.Call) -> tuple[gast.FunctionDef, dict[str, object]] | None:
    """The generator that a call of `itertools` stands for, and what its parameters are given."""
    meant, args = b.means(node.func), list(node.args)
    if any(isinstance(n, gast.NamedExpr) for a in (*args, *node.keywords) for n in gast.walk(a)):
        return None  # what is gone through beforehand would bind its name too early
    writer = _enumerate if meant is enumerate else _zip if meant is zip else writer_of(meant)
    words = {str(k.arg): k.value for k in node.keywords}
    if any(isinstance(a, gast.Starred) for a in args):
        if meant not in (itertools.chain, zip) or len(args) != 1:
            return None
        assert isinstance(args[0], gast.Starred)
        writer, args = _chained if meant is itertools.chain else _transposed, [args[0].value]
    made = None if writer is None else writer(b, args, words)
    if meant is np.ndenumerate and isinstance(node.func, gast.Attribute):
        made = _ndenumerate(node.func.value, args, words)
    if made is None:
        return None
    body = gast.parse(made.body).body
    used = {n.id for s in body for n in gast.walk(s) if isinstance(n, gast.Name)}
    if any(b.is_local(n) or b.resolve(n) is not _USED[n] for n in used & _USED.keys()):
        return None  # the name means something else here
    named, calls = dict(made.inside), {**dict(made.calls), "same_": node.func}
    if "count_of_" in used:
        counted = b.names.fresh("count_of")
        b.imported[counted] = count_of
        calls["count_of_"] = name_node(counted, node)
    local = sorted(used - _USED.keys() - named.keys() - calls.keys())
    own = {n: b.temp(n.rstrip("_0123456789")) for n in local}
    params = [name_node(own[n], node, gast.Param()) for n, _ in made.given]
    takes = gast.arguments(list(params), [], None, [], [], None, [])
    fn = gast.FunctionDef("iterated", takes, body, [], None, None, [])
    for n in gast.walk(fn):
        if isinstance(n, gast.expr | gast.stmt):
            gast.copy_location(n, node)
        if isinstance(n, gast.Name):
            n.id = own.get(n.id, n.id)
    for n in list(gast.walk(fn)):
        for field, held in gast.iter_fields(n):
            if isinstance(held, gast.Call) and isinstance(held.func, gast.Name):
                if held.func.id in calls:
                    setattr(n, field, _called(calls[held.func.id], held))
    _put(fn, named)
    return fn, {own[name]: value for name, value in made.given}


def _put(tree: gast.AST, named: dict[str, gast.expr]) -> None:
    """Puts expressions in the place of names, but not into each other."""
    for n in list(gast.walk(tree)):
        for field, held in gast.iter_fields(n):
            if isinstance(held, gast.Name) and held.id in named:
                setattr(n, field, named[held.id])
            elif isinstance(held, list):
                for k, h in enumerate(held):
                    if isinstance(h, gast.Name) and h.id in named:
                        held[k] = named[h.id]


def _called(fn: gast.expr, call: gast.Call) -> gast.expr:
    """`fn(...)`, of a lambda its body."""
    if isinstance(fn, gast.Lambda):
        names = [p.id for p in fn.args.args]
        inner = (*Scope, *Comprehension, gast.NamedExpr)
        plain = len(names) == len(call.args) and not any(
            (fn.args.vararg, fn.args.kwarg, fn.args.kwonlyargs, fn.args.defaults)
        )
        simple = all(isinstance(a, gast.Name) for a in call.args)
        if plain and simple and not any(isinstance(n, inner) for n in gast.walk(fn.body)):
            body = gast.Expr(copy.deepcopy(fn.body))
            _put(body, dict(zip(names, call.args, strict=True)))
            return body.value
    call.func = fn
    return call

