"""Whether a function is what compiling a text gave: instruction by instruction.

>>> def f(x): return x - 1
>>> def g(x): return x - 1
>>> def h(x): return 1 - x
>>> same(f.__code__, g.__code__), same(f.__code__, h.__code__)
(True, False)

Test runners write more for an `assert` than Python does. Such a function is compared without its
asserts, which are told by their places; what an assert names has to be the same.
"""

from __future__ import annotations

import ast
import types
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from dis import Bytecode, Instruction, hasjabs, hasjrel

_FORM = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount")
_NAMES = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars")
_FLAGS = 0x4 | 0x8 | 0x20 | 0x80 | 0x200  # `*args`, `**kwargs`, generator, coroutine, both

_NOTHING = ("RESUME", "CACHE", "NOP", "PRECALL", "EXTENDED_ARG", "NOT_TAKEN")
_ALSO = {
    "LOAD_FAST_CHECK": "LOAD_FAST", "LOAD_FAST_BORROW": "LOAD_FAST", "LOAD_METHOD": "LOAD_ATTR",
    "LOAD_SMALL_INT": "LOAD_CONST",
}  # fmt: skip
_TWO = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": ("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}
_NAMING = ("LOAD_FAST", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_CLASSDEREF")
_WRITING = ("STORE_", "DELETE_")
_ERROR = "AssertionError"
_RUNNER = "@py"  # how the names begin that pytest puts in
_RUNNER_ASKS = ("locals", "append", _ERROR)

_AWAY = ("JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD")
_LAST = ("RETURN", "RAISE", "RERAISE")

Place = tuple[int, int]
Begin = tuple["int | None", "int | None"]
Word = tuple[str, str]


def same(a: types.CodeType, b: types.CodeType) -> bool:
    """Whether two functions are compiled alike."""
    if any(getattr(a, n) != getattr(b, n) for n in (*_NAMES, *_FORM)):
        return False
    table = "co_exceptiontable"  # from Python 3.11 on
    if getattr(a, table, b"") != getattr(b, table, b"") or (a.co_flags ^ b.co_flags) & _FLAGS:
        return False
    return len(a.co_consts) == len(b.co_consts) and all(
        _same_const(x, y) for x, y in zip(a.co_consts, b.co_consts, strict=True)
    )


def _same_const(x: object, y: object) -> bool:
    if isinstance(x, types.CodeType):
        return isinstance(y, types.CodeType) and same(x, y)
    return _literal(x) == _literal(y)


def _literal(value: object) -> str:
    """A constant as text that tells 1 from 1.0, and does not depend on the order of a set."""
    if isinstance(value, tuple):
        return f"({', '.join(_literal(v) for v in value)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(_literal(v) for v in value))}}}"
    return f"{type(value).__name__} {value!r}"


def same_but_for_asserts(actual: types.CodeType, expected: types.CodeType, node: ast.AST) -> bool:
    """Whether `actual` is what `expected` is, which was compiled from `node`, but for what a test
    runner makes of asserts."""
    asserts = [n for n in ast.walk(node) if isinstance(n, ast.Assert)]
    first = actual.co_firstlineno
    found = _Told(asserts, _alone(node, asserts)).read(actual, 0)
    wanted = _Told(asserts, found.alone).read(expected, expected.co_firstlineno - first)
    if found.rest != wanted.rest:
        return False
    return all(map(_is_rewritten, found.inside, wanted.inside, asserts))


def _alone(node: ast.AST, asserts: Sequence[ast.Assert]) -> frozenset[int]:
    """The lines of asserts on which nothing else begins or ends."""
    inside = {id(n) for a in asserts for n in ast.walk(a)}
    others = {
        line
        for n in ast.walk(node)
        if isinstance(n, ast.stmt) and id(n) not in inside
        for line in ({n.lineno} if hasattr(n, "body") else range(n.lineno, _end(n)[0] + 1))
    }
    return frozenset({v for a in asserts for v in range(a.lineno, _end(a)[0] + 1)} - others)


def _end(node: ast.stmt) -> Place:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


@dataclass
class _Told:
    """What a function does outside its asserts, in its order, and in each of them."""

    asserts: Sequence[ast.Assert]
    alone: frozenset[int]
    rest: list[object] = field(default_factory=list)
    inside: list[list[Word]] = field(default_factory=list)

    def read(self, code: types.CodeType, shift: int) -> _Told:
        self.inside = [[] for _ in self.asserts]
        self.rest = self._of(code, shift)
        return self

    def _of(self, code: types.CodeType, shift: int) -> list[object]:
        form = (*(getattr(code, n) for n in _FORM), code.co_flags & _FLAGS)
        count = form[0] + form[2] + bool(form[3] & 0x4) + bool(form[3] & 0x8)
        every = [(op, self._which(place, shift)) for op, place in _instructions(code)]
        for op, at in every:
            if at is not None and op.opname not in _NOTHING:
                self.inside[at] += _words(op)
        flow = _Flow([op for op, _ in every], [_is_done(op) and at is None for op, at in every])
        handlers = getattr(Bytecode(code), "exception_entries", ())
        out: list[object] = [form, code.co_varnames[:count]]
        for k in flow.kept:
            op = every[k][0]
            caught = [
                (flow.reached(flow.at(h.target)), h.lasti)
                for h in handlers
                if h.start <= op.offset < h.end
            ]
            inner = op.argval
            done = self._of(inner, shift) if isinstance(inner, types.CodeType) else [*_each(op)]
            out.append((done, flow.after(k), caught))
        return out

    def _which(self, place: Begin, shift: int) -> int | None:
        """The assert that a place is in, where it is in one."""
        line, column = place
        if line is None:
            return None
        line -= shift
        for k, a in enumerate(self.asserts):
            if column is None:
                if line in self.alone and a.lineno <= line <= _end(a)[0]:
                    return k
            elif (a.lineno, a.col_offset) <= (line, column) < _end(a):
                return k
        return None


@dataclass
class _Flow:
    """Which instructions follow each other, where those that are not `done` are left out."""

    every: list[Instruction]
    done: list[bool]
    kept: list[int] = field(init=False)
    _offsets: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.kept = [k for k, done in enumerate(self.done) if done]
        self._offsets = [op.offset for op in self.every]

    def at(self, offset: int) -> int:
        return bisect_left(self._offsets, offset)

    def after(self, k: int) -> list[list[int]]:
        """The kept instructions that may follow the one at `k`: if it tests, where that is true and
        where it is not."""
        op = self.every[k]
        ways = [self.reached(v) for v in self._next(op, k)]
        return ways[::-1] if _is_negative(op) else ways

    def reached(self, k: int) -> list[int]:
        """The next kept instructions from `k` on, -1 for a return that is none."""
        found, waiting, seen = set[int](), [k], set[int]()
        while waiting:
            k = waiting.pop()
            if k in seen or k >= len(self.every):
                continue
            seen.add(k)
            if self.done[k]:
                found.add(bisect_left(self.kept, k))
            elif self.every[k].opname.startswith("RETURN"):
                found.add(-1)
            else:
                waiting += self._next(self.every[k], k)
        return sorted(found)

    def _next(self, op: Instruction, k: int) -> list[int]:
        if op.opname.startswith(_LAST):
            return []
        jumps = op.opcode in hasjabs or op.opcode in hasjrel
        target = [self.at(op.argval)] if jumps else []
        return target if op.opname.startswith(_AWAY) else [*target, k + 1]


def _is_done(op: Instruction) -> bool:
    """Whether an instruction does anything itself."""
    return op.opname not in _NOTHING and not op.opname.startswith(_AWAY)


def _is_negative(op: Instruction) -> bool:
    """Whether a test jumps where it is not so."""
    return op.opname.startswith("POP_JUMP") and op.opname.endswith(("IF_FALSE", "IF_NOT_NONE"))


def _instructions(
    code: types.CodeType,
) -> Iterator[tuple[Instruction, Begin]]:
    """The instructions, one by one, with their lines, and columns from Python 3.11 on."""
    line: int | None = None
    waiting: Instruction | None = None  # the second half of one that may be of two statements
    starts = {start: at for start, _, at in code.co_lines()}
    for op in Bytecode(code):
        line = starts.get(op.offset, line)
        known = getattr(op, "positions", None)
        place = (line, None) if known is None else (known.lineno, known.col_offset)
        if waiting is not None:
            yield waiting, place
            waiting = None
        if op.opname in _TWO and isinstance(op.argval, tuple):
            first, second = _TWO[op.opname]
            yield op._replace(opname=first, argval=op.argval[0]), place
            rest = op._replace(opname=second, argval=op.argval[1])
            if first != second:
                waiting = rest
            else:
                yield rest, place
        elif op.opname == "KW_NAMES" and op.arg is not None:
            yield op._replace(argval=code.co_consts[op.arg]), place
        else:
            yield op, place


def _each(op: Instruction) -> Iterator[Word]:
    """An instruction, or the ones that it stands for, each with what it is about."""
    if op.opname == "RETURN_CONST":
        yield "LOAD_CONST", _literal(op.argval)
        yield "RETURN_VALUE", "NoneType None"
    elif op.opcode in hasjabs or op.opcode in hasjrel:  # where to is told elsewhere
        name = op.opname.replace("_FORWARD_", "_").replace("_BACKWARD_", "_")
        if name.startswith("POP_JUMP"):
            name = "POP_JUMP_IF_NONE" if name.endswith("NONE") else "POP_JUMP_IF_TRUE"
        yield name, ""
    else:
        yield _ALSO.get(op.opname, op.opname), _literal(op.argval)


def _words(op: Instruction) -> Iterator[Word]:
    """What an instruction of an assert names, or computes."""
    if isinstance(op.argval, types.CodeType):
        for inner, _ in _instructions(op.argval):
            yield from _words(inner)
        return
    for name, value in _each(op):
        if name in _NAMING:
            yield "name", _name(value)
        elif name.startswith("LOAD_ATTR"):
            yield "attribute", _name(value)
        elif name.startswith(_WRITING):
            yield name, _name(value)
        elif name == "LOAD_CONST":
            yield "const", value
        elif name == "LOAD_ASSERTION_ERROR" or (name, value) == ("LOAD_COMMON_CONSTANT", "int 0"):
            yield "name", _ERROR
        elif name.startswith(("BINARY", "INPLACE", "COMPARE", "CONTAINS")):
            yield "operation", f"{name} {value}"


def _name(value: str) -> str:
    """The text that `_literal` makes of a name, without what it adds."""
    return value.removeprefix("str ").strip("'")


def _is_rewritten(
    actual: list[Word], expected: list[Word], node: ast.Assert
) -> bool:
    """Whether an assert does all that it should, and names nothing more but what asserts need."""
    literals = {_literal(n.value) for n in ast.walk(node) if isinstance(n, ast.Constant)}
    wanted = Counter(
        w for w in expected if w[1] in literals or (w[0] != "const" and w != ("name", _ERROR))
    )  # what is computed from literals may have been so before
    known = {*expected} | {("name", v) for kind, v in expected if kind.startswith("STORE")}
    for kind, value in actual:
        own = value.startswith(("_", _RUNNER)) or value in _RUNNER_ASKS
        if kind not in ("const", "operation") and (kind, value) not in known and not own:
            return False
    if expected and ("name", _ERROR) not in actual:
        return False
    return not wanted - Counter(actual)
