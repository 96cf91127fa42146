"""Whether statements make keys of dictionaries of a number that a loop counts, or of a text.

    for k in range(2):
        x = x @ p[f"W{k}"]        of `k`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, names_in, reads_of, statements
from adtrans.lower.opaque import is_text

MakesKeys = Callable[[object, int | str], bool]


def makes_keys(s: S.Stmt, made: set[str], texts: set[str], makes: MakesKeys) -> bool:
    """Whether a statement, or one inside it, makes keys of dictionaries of the variables `made`, or
    gives calls such `texts`, or what functions make keys of."""
    for t in statements((s,)):
        match t:
            case S.Bind(target=v, value=value) if _is_text(value, texts, made):
                texts.add(v)
            case S.Alias(target=v, source=source) if source in texts:
                texts.add(v)
            case S.Load(items=(item,)) | S.Store(items=(item,)) | S.Update(items=(item,)):
                if _is_text(item, texts, made) or names_in(item) & texts:
                    return True
            case S.Invoke(fn=E.Ref(value=fn), args=args, kwargs=kwargs):
                given: list[tuple[int | str, E.Atom]] = [*enumerate(args), *kwargs]
                for k, a in given:
                    if isinstance(a, E.Name) and a.id in made | texts and makes(fn, k):
                        return True
            case S.Bind(value=E.Call() as call):
                args_of = (*call.args, *(v for _, v in call.kwargs))
                if texts & {n for a in args_of for n in names_in(a)}:
                    return True
            case _:
                pass
        if isinstance(t, S.Bind | S.Load | S.Unpack | S.Alias) and reads_of(t) & made:
            made |= {*binds_of(t)}
    return False


def texts_among(target: S.Target, value: object) -> Iterator[str]:
    """The variables of a target that get texts."""
    if isinstance(target, str):
        if isinstance(value, str):
            yield target
    elif isinstance(value, tuple) and len(value) == len(target):
        for t, v in zip(target, value, strict=True):
            yield from texts_among(t, v)


def _is_text(e: E.Expr, texts: set[str], made: set[str]) -> bool:
    """Whether an expression is a text that is made of variables in `made`, or one of `texts`."""
    match e:
        case E.Verbatim(reads=reads):
            return is_text(e) and bool({*reads} & (made | texts))
        case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=v),)) if fn is str:
            return v in made
        case E.Binary(op="+", left=left, right=right):
            parts = (left, right)
            text = any(isinstance(p, E.Const) and isinstance(p.value, str) for p in parts)
            return (text and bool(names_in(e) & (made | texts))) or any(
                _is_text(p, texts, made) for p in parts
            )
        case E.Binary(op="%", left=E.Const(value=str())):
            return bool(names_in(e) & (made | texts))
        case E.Name(id=v):
            return v in texts
        case _:
            return False
