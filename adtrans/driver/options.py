"""The options that every entry point takes, checked once.

>>> Options().on_overwrite
'refuse'
>>> Options(wrt=("x", 2)).wrt
('x', 2)
"""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias, get_args

from adtrans.diagnostics.span import Span

Selector: TypeAlias = "int | str"
Wrt: TypeAlias = "Selector | tuple[Selector, ...] | None"
OnOverwrite: TypeAlias = Literal["refuse", "save"]
OnUnproven: TypeAlias = Literal["check", "refuse"]
OnUnfollowed: TypeAlias = Literal["record", "refuse", "always"]

UNFOLLOWED: OnUnfollowed = "record"
"""What is done, unless an option says otherwise, with a function that cannot be compiled."""

BACKENDS = ("numpy", "numba")


@dataclass(frozen=True, slots=True)
class Options:
    """How to differentiate a function.

    `wrt`: a name, a position, or a tuple of them; None is the first parameter (after `self`).
    `on_overwrite`: what to do where a needed value is overwritten, "refuse" or "save" a copy.
    `on_unproven`: where that cannot be decided before the run, "check" at run time or "refuse".
    `on_unfollowed`: a function that cannot be compiled is recorded ("record") or refused
    ("refuse"); "always" records without asking the compiler.
    Raises `InputError` (AD410) for anything else.
    """

    wrt: Wrt = None
    on_overwrite: OnOverwrite = "refuse"
    on_unproven: OnUnproven = "check"
    backend: str = "numpy"
    on_unfollowed: OnUnfollowed | None = None

    def __post_init__(self) -> None:
        given: object = self.wrt
        if isinstance(given, list):
            object.__setattr__(self, "wrt", tuple(given))
        _check_wrt(self.wrt)
        _check_choice("on_overwrite", self.on_overwrite, get_args(OnOverwrite))
        _check_choice("on_unproven", self.on_unproven, get_args(OnUnproven))
        if self.on_unfollowed is None:
            object.__setattr__(self, "on_unfollowed", UNFOLLOWED)
        _check_choice("on_unfollowed", self.on_unfollowed, get_args(OnUnfollowed))
        _check_choice("backend", self.backend, BACKENDS)


def caller_span() -> Span:
    """Where the code outside adtrans stands that led here: the innermost such line.

    >>> caller_span().line > 0
    True
    """
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__")):
        frame = frame.f_back
    file, line = frame.f_code.co_filename, frame.f_lineno
    text = linecache.getline(file, line).rstrip()
    return Span(file, line, len(text) - len(text.lstrip()), line, len(text))


def _is_ours(module: object) -> bool:
    return isinstance(module, str) and module.partition(".")[0] == "adtrans"


def _check_wrt(wrt: object) -> None:
    selectors = wrt if isinstance(wrt, tuple) else () if wrt is None else (wrt,)
    if isinstance(wrt, tuple) and not wrt:
        _refuse("`wrt` is empty", "there is nothing to differentiate with respect to")
    for s in selectors:
        if isinstance(s, bool) or not isinstance(s, int | str):
            _refuse(
                f"`wrt` cannot be {s!r}",
                "`wrt` takes the name of a parameter, its position, or a tuple of these",
            )
    if len(set(selectors)) != len(selectors):
        _refuse(f"`wrt` names a parameter twice: {wrt!r}", "each parameter has one gradient")


def _check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        allowed = " or ".join(f'"{c}"' for c in choices)
        _refuse(f"`{option}` cannot be {value!r}", f"`{option}` is {allowed}")


def _refuse(title: str, why: str) -> NoReturn:
    from adtrans.diagnostics.diagnostic import Diagnostic
    from adtrans.diagnostics.errors import InputError  # not before there is one

    raise InputError(Diagnostic("AD410", title, caller_span(), why=why))
