"""`match` as tests and bindings: one case after the other, each pattern from the outside in.

    match (n, x):                     t = n == 0
        case (0, a): body       =>    if t:
        case _: rest                      a = x
                                          body
                                      else: rest

A pattern that takes more than one test, or has a guard, notes in a flag whether it matched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import expressions
from adtrans.lower.builder import Builder
from adtrans.lower.looked_up import may_act
from adtrans.lower.syntax import bound_names

Success = Callable[[], None]
Body = Callable[[Sequence[gast.stmt]], None]
Captures = list[tuple[str, S.Atom]]

_WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def match(b: Builder, node: gast.Match, body: Body) -> None:
    """A whole `match` statement; `body` lowers statements into the current block."""
    with b.alone(node.subject):
        subject = _subject(b, node)
    _cases(b, subject, list(node.cases), body)


class Parts(tuple[S.Atom, ...]):
    """A subject that is displayed as a tuple: its items, without the tuple."""


Subject = S.Atom | Parts


def _subject(b: Builder, node: gast.Match) -> Subject:
    bound = bound_names([node])
    items = node.subject.elts if isinstance(node.subject, gast.Tuple) else []
    shown = bool(items) and not any(isinstance(e, gast.Starred) for e in items)
    atoms = []
    for e in items if shown else [node.subject]:
        atom = expressions.value(b, e)
        if isinstance(atom, E.Name) and atom.id in bound:  # a capture may rebind it
            atom = b.alias(b.temp(), atom.id, e)
        atoms.append(atom)
    return Parts(atoms) if shown else atoms[0]


def _cases(b: Builder, subject: Subject, cases: list[gast.match_case], body: Body) -> None:
    if not cases:
        return
    case, *rest = cases
    captures: Captures = []
    test = None if case.guard is not None else _single(b, case.pattern, subject, captures)
    if test is None:
        hit = b.temp("matched")
        b.bind(hit, E.Const(False), case.pattern)

        def matched() -> None:
            _bind(b, captures, case)
            value: E.Expr = E.Const(True)
            if case.guard is not None:
                with b.alone(case.guard):
                    expressions.value(b, case.guard, hit)
            else:
                b.bind(hit, value, case.pattern)

        _attempt(b, case.pattern, subject, captures, matched)
        test, captures = E.Name(hit), []
    if test == E.Const(True):
        _bind(b, captures, case)
        body(case.body)
        return
    with b.nested() as then:
        _bind(b, captures, case)
        body(case.body)
    with b.nested() as orelse:
        _cases(b, subject, rest, body)
    b.branch(test, then, orelse, case.pattern)


def _bind(b: Builder, captures: Captures, case: gast.match_case) -> None:
    for name, atom in captures:
        b.assign(name, atom, case.pattern)
        b.forget()


def _single(
    b: Builder, pattern: gast.pattern, subject: Subject, captures: Captures
) -> E.Expr | None:
    """The test of a pattern that takes one; None for one that takes several."""
    match pattern:
        case gast.MatchAs(pattern=None):
            _capture(b, pattern, pattern.name, subject, captures)
            return E.Const(True)
        case gast.MatchAs(pattern=gast.pattern() as inner):
            test = _single(b, inner, subject, captures)
            if test is not None:
                _capture(b, pattern, pattern.name, subject, captures)
            return test
        case gast.MatchValue() if not isinstance(subject, Parts):
            return _compared(b, pattern, subject)
        case gast.MatchSingleton() if not isinstance(subject, Parts):
            return E.Compare(subject, ("is",), (E.Const(pattern.value),))
        case gast.MatchOr() if not isinstance(subject, Parts):
            values = [p for p in pattern.patterns if isinstance(p, gast.MatchValue)]
            if len(values) < len(pattern.patterns):
                return None
            return E.BoolOp("or", tuple(_compared(b, p, subject) for p in values))
        case _:
            return None


def _compared(b: Builder, pattern: gast.MatchValue, subject: S.Atom) -> E.Expr:
    return E.Compare(subject, ("==",), (expressions.value(b, pattern.value),))


def _capture(
    b: Builder, node: gast.pattern, name: str | None, subject: Subject, captures: Captures
) -> None:
    if name is None:
        return
    if isinstance(subject, Parts):
        made = b.temp()
        b.block.append(
            S.Pack(made, "tuple", tuple(subject), site=b.site(), span=b.span(node), origin=b.origin)
        )
        subject = E.Name(made)
    captures.append((name, subject))


def _attempt(
    b: Builder, pattern: gast.pattern, subject: Subject, captures: Captures, then: Success
) -> None:
    """Emits the tests of a pattern; where they succeed, what `then` emits."""
    single = _single(b, pattern, subject, captures)
    if single is not None:
        _when(b, single, then, pattern)
        return
    match pattern:
        case gast.MatchAs(pattern=gast.pattern() as inner):
            _capture(b, pattern, pattern.name, subject, captures)
            _attempt(b, inner, subject, captures, then)
        case gast.MatchOr():
            _either(b, pattern, subject, captures, then)
        case gast.MatchSequence():
            _sequence(b, pattern, subject, captures, then)
        case gast.MatchMapping() if not getattr(pattern, "rest", None):
            _mapping(b, pattern, _whole(b, pattern, subject), captures, then)
        case gast.MatchClass():
            _class(b, pattern, _whole(b, pattern, subject), captures, then)
        case gast.MatchValue() | gast.MatchSingleton():
            pass  # a tuple is neither equal to a literal nor None
        case _:
            b.report(
                "AD201",
                "this pattern is not supported",
                pattern,
                why="what is left of a mapping would have to be copied",
                fix="take the items out of the mapping with assignments",
            )


def _whole(b: Builder, node: gast.pattern, subject: Subject) -> S.Atom:
    if not isinstance(subject, Parts):
        return subject
    found: Captures = []
    _capture(b, node, b.temp(), subject, found)
    return found[0][1]


def _when(b: Builder, test: E.Expr, then: Success, node: gast.AST) -> None:
    if test == E.Const(True):
        then()
        return
    with b.nested() as inside:
        then()
    b.branch(test, inside, [], node)


def _check(b: Builder, fn: object, name: str, *args: E.Expr, node: gast.AST) -> E.Name:
    return b.bind(b.temp(), E.Call(E.Ref(name, fn), args), node)


def _each(
    b: Builder, parts: list[tuple[gast.pattern, S.Atom]], captures: Captures, then: Success
) -> None:
    """Several patterns that must all match."""
    if not parts:
        then()
        return
    (pattern, atom), *rest = parts
    _attempt(b, pattern, atom, captures, lambda: _each(b, rest, captures, then))


def _either(
    b: Builder, node: gast.MatchOr, subject: Subject, captures: Captures, then: Success
) -> None:
    """Alternatives; what each captures goes through variables of its own."""
    hit = b.temp("matched")
    b.bind(hit, E.Const(False), node)
    names = {name: b.temp() for name in bound_names([node])}
    for k, pattern in enumerate(node.patterns):
        mine: Captures = []

        def matched(mine: Captures = mine) -> None:
            for name, atom in mine:
                b.assign(names[name], atom, node)
            b.bind(hit, E.Const(True), node)

        def one(pattern: gast.pattern = pattern, mine: Captures = mine) -> None:
            _attempt(b, pattern, subject, mine, matched)

        if k == 0:
            one()
        else:
            _when(b, E.Unary("not", E.Name(hit)), one, node)
    captures += [(name, E.Name(made)) for name, made in names.items()]
    _when(b, E.Name(hit), then, node)


def _sequence(
    b: Builder, node: gast.MatchSequence, subject: Subject, captures: Captures, then: Success
) -> None:
    patterns = list(node.patterns)
    stars = [k for k, p in enumerate(patterns) if isinstance(p, gast.MatchStar)]
    least = len(patterns) - len(stars)
    if isinstance(subject, Parts):
        if len(subject) != least if not stars else len(subject) < least:
            return
        atoms = list(subject)
        if stars:
            k, more = stars[0], len(atoms) - least
            rest = tuple(atoms[k : k + more])
            made = b.temp()
            b.block.append(
                S.Pack(made, "list", rest, site=b.site(), span=b.span(node), origin=b.origin)
            )
            atoms[k : k + more] = [E.Name(made)]
        _items(b, patterns, atoms, captures, then)
        return
    source = subject.id if isinstance(subject, E.Name) else b.bind(b.temp(), subject, node).id

    def long_enough() -> None:
        size = E.Call(E.Ref("len", len), (E.Name(source),))
        enough = b.bind(
            b.temp(), E.Compare(size, (">=" if stars else "==",), (E.Const(least),)), node
        )
        _when(b, enough, lambda: _items(b, patterns, loaded(), captures, then), node)

    def loaded() -> list[S.Atom]:
        return [load(k, p) for k, p in enumerate(patterns)]

    def load(k: int, pattern: gast.pattern) -> S.Atom:
        after = len(patterns) - k
        if isinstance(pattern, gast.MatchStar):
            stop = None if after == 1 else E.Const(1 - after)
            part = _load(b, source, E.Slice(E.Const(k), stop, None), pattern)
            return _check(b, list, "list", part, node=pattern)
        behind = bool(stars) and k > stars[0]
        return _load(b, source, E.Const(-after if behind else k), pattern)

    text = E.Sequence("tuple", tuple(E.Ref(t.__name__, t) for t in (str, bytes, bytearray)))
    is_text = _check(b, isinstance, "isinstance", E.Name(source), text, node=node)
    is_sequence = _check(
        b, isinstance, "isinstance", E.Name(source), E.Ref("Sequence", Sequence), node=node
    )
    test = E.BoolOp("and", (is_sequence, E.Unary("not", is_text)))
    _when(b, test, long_enough, node)


def _items(
    b: Builder,
    patterns: list[gast.pattern],
    atoms: list[S.Atom],
    captures: Captures,
    then: Success,
) -> None:
    plain = []
    for pattern, atom in zip(patterns, atoms, strict=True):
        if isinstance(pattern, gast.MatchStar):
            _capture(b, pattern, pattern.name, atom, captures)
        else:
            plain.append((pattern, atom))
    _each(b, plain, captures, then)


def _load(b: Builder, base: str, item: E.Expr, node: gast.AST) -> E.Name:
    made = b.temp()
    b.block.append(S.Load(made, base, (item,), site=b.site(), span=b.span(node), origin=b.origin))
    return E.Name(made)


def _mapping(
    b: Builder, node: gast.MatchMapping, subject: S.Atom, captures: Captures, then: Success
) -> None:
    source = subject.id if isinstance(subject, E.Name) else b.bind(b.temp(), subject, node).id
    keys = [expressions.value(b, k) for k in node.keys]
    is_mapping = _check(
        b, isinstance, "isinstance", E.Name(source), E.Ref("Mapping", Mapping), node=node
    )

    def has(rest: list[S.Atom]) -> None:
        if rest:
            there = b.bind(b.temp(), E.Compare(rest[0], ("in",), (E.Name(source),)), node)
            _when(b, there, lambda: has(rest[1:]), node)
        else:
            parts = [(p, _load(b, source, k, p)) for p, k in zip(node.patterns, keys, strict=True)]
            _each(b, list(parts), captures, then)

    _when(b, is_mapping, lambda: has(keys), node)


def _class(
    b: Builder, node: gast.MatchClass, subject: S.Atom, captures: Captures, then: Success
) -> None:
    positional = list(getattr(node, "patterns", None) or [])
    names = list(getattr(node, "kwd_attrs", None) or [])
    patterns = list(getattr(node, "kwd_patterns", None) or [])
    meant = b.means(node.cls)
    cls = expressions.value(b, node.cls)
    itself = positional if meant in _WHOLE else []
    if not itself and positional:
        fields = list(getattr(meant, "__match_args__", ()))
        if not isinstance(meant, type) or len(fields) < len(positional):
            b.report(
                "AD201",
                "the attributes of this pattern are not known",
                node,
                why="positional patterns follow the `__match_args__` of the class",
                fix="name the attributes in the pattern",
            )
            return
        names, patterns = fields[: len(positional)] + names, positional + patterns

    once = isinstance(meant, type) and any(may_act(meant, name) for name in names)
    found: dict[str, S.Atom] = {}

    def inside() -> None:
        parts: list[tuple[gast.pattern, S.Atom]] = [(p, subject) for p in itself]
        for name, p in zip(names, patterns, strict=True):
            read = found.get(name) or b.bind(b.temp(), E.Attribute(subject, name), p)
            parts.append((p, read))
        _each(b, parts, captures, then)

    def has(rest: list[str]) -> None:
        if not rest:
            inside()
            return
        if once:
            there, found[rest[0]] = _read_once(b, subject, rest[0], node)
        else:
            there = _check(b, hasattr, "hasattr", subject, E.Const(rest[0]), node=node)
        _when(b, there, lambda: has(rest[1:]), node)

    test = _check(b, isinstance, "isinstance", subject, cls, node=node)
    _when(b, test, lambda: has(names), node)


def _read_once(b: Builder, subject: S.Atom, name: str, node: gast.AST) -> tuple[E.Name, E.Name]:
    """An attribute that runs code, and whether it is there: asked for once."""
    there, read = b.temp("there"), b.temp()
    b.bind(there, E.Const(False), node)
    with b.nested() as body:
        b.bind(read, E.Attribute(subject, name), node)
    with b.nested() as orelse:
        b.bind(there, E.Const(True), node)
    handler = S.Handler(E.Ref("AttributeError", AttributeError), None, ())
    b.block.append(
        S.Try(
            tuple(body), (handler,), tuple(orelse), (),
            site=b.site(), span=b.span(node), origin=b.origin,
        )
    )  # fmt: skip
    return E.Name(there), E.Name(read)
