"""The one table of codes: what can be wrong, in the user's words.

>>> info("AD301").title
'overwritten before the gradient has used it'
>>> [c for c in CODES if c.startswith("AD5")]
['AD501']

The hundreds say where a problem lies: AD1xx the source, AD2xx the language, AD3xx values that are
overwritten, AD4xx rules and inputs, AD5xx backends, AD6xx the values of a call, AD9xx adtrans
itself. A code never changes its meaning and is never used again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """One row of the table. `page` is the file in `diagnostics/pages` that explains the code."""

    code: str
    title: str
    summary: str
    severity: Severity = "error"

    @property
    def page(self) -> str:
        """The name of the page, `AD301.md`."""
        return f"{self.code}.md"


def _rows() -> Iterator[CodeInfo]:
    # AD1xx: finding the source
    yield CodeInfo(
        "AD101",
        "the source of the function is not available",
        "adtrans reads a function's source, and none is stored for this one.",
    )
    yield CodeInfo(
        "AD102",
        "the source changed since the function was imported",
        "The file no longer holds the function that Python has in memory.",
    )
    yield CodeInfo(
        "AD103",
        "the function was typed at a plain prompt",
        "The plain Python prompt does not store what is typed, so there is no source to read.",
    )
    yield CodeInfo(
        "AD104",
        "a compiled function",
        "The function is written in C; it has no Python source to differentiate.",
    )
    yield CodeInfo(
        "AD105",
        "a name cannot be resolved",
        "The function uses a name that is defined nowhere.",
    )
    yield CodeInfo(
        "AD106",
        "not a function",
        "Only Python functions, methods and lambdas can be differentiated.",
    )
    # AD2xx: the language
    yield CodeInfo(
        "AD201",
        "a statement that cannot carry a derivative",
        "The statement is not supported where a value that depends on the inputs goes through it.",
    )
    yield CodeInfo(
        "AD202",
        "an expression that cannot carry a derivative",
        "The expression is not supported where a value that depends on the inputs goes through it.",
    )
    yield CodeInfo(
        "AD203",
        "a nonlocal name is rebound, or a global is assigned or written",
        "A derivative cannot leave the function through a nonlocal name, nor through a global.",
    )
    yield CodeInfo(
        "AD204",
        "a generator or an async function",
        "Functions that suspend (`yield`, `await`) cannot be differentiated.",
    )
    yield CodeInfo(
        "AD205",
        "`+=` on something that may be a number or an array",
        "On an array that others see `+=` writes, on a number it rebinds; here it can be either.",
    )
    yield CodeInfo(
        "AD206",
        "cannot tell which array a name means",
        "The name may mean one of several arrays, and one of them is written.",
    )
    yield CodeInfo(
        "AD207",
        "a container operation that cannot carry a derivative",
        "This operation on a list, dictionary or object is not supported for values that depend "
        "on the inputs.",
    )
    yield CodeInfo(
        "AD208",
        "a function takes too long to analyse",
        "So much is spent on one function and no more, so that compiling comes to an end.",
    )
    # AD3xx: values that are overwritten
    yield CodeInfo(
        "AD301",
        "overwritten before the gradient has used it",
        "An array is written in place although the derivative of an earlier line needs what was "
        "in it.",
    )
    yield CodeInfo(
        "AD302",
        "overwritten through an alias or a view",
        "The write goes through another name or view of an array that the derivative still needs.",
    )
    yield CodeInfo(
        "AD303",
        "a called function overwrites what is still needed",
        "A call writes into an array that the caller's derivative needs, or the caller into one "
        "that the call's derivative needs.",
    )
    yield CodeInfo(
        "AD304",
        "overwritten in a later iteration of a loop",
        "What one iteration's derivative needs is overwritten by a later iteration.",
    )
    yield CodeInfo(
        "AD305",
        "an index, a mask or a loop bound changed after it was used",
        "The pullback follows the path that the function took; what chose that path was changed.",
    )
    yield CodeInfo(
        "AD306",
        "a float written into an integer array",
        "The array rounds what is written into it, so the derivative would be lost.",
    )
    yield CodeInfo(
        "AD307",
        "an unknown function may overwrite what is still needed",
        "Nothing is known about a function that receives an array the derivative needs.",
    )
    yield CodeInfo(
        "AD308",
        "two arguments share memory",
        "Two arguments overlap, one of them is written, and the derivative needs the other; or "
        "elements of one that is written overlap.",
    )
    yield CodeInfo(
        "AD311",
        "an argument is written",
        "The caller sees what the function writes into its argument; the gradient is for the "
        "contents on entry.",
        "note",
    )
    yield CodeInfo(
        "AD312",
        "a value is rounded to a lower precision",
        "An array of float32, say, receives values of float64, which lose digits.",
        "note",
    )
    yield CodeInfo(
        "AD313",
        "a write into a temporary is lost",
        "What is written goes into a copy that has no name, so nothing reads it.",
        "note",
    )
    # AD4xx: rules and inputs
    yield CodeInfo(
        "AD401",
        "no derivative rule for a function",
        "The function is a primitive (not looked through) and no rule for it is known.",
    )
    yield CodeInfo(
        "AD402",
        "an input that has no derivative",
        "Only floating-point inputs can be differentiated, not integers, strings or booleans.",
    )
    yield CodeInfo(
        "AD403",
        "`wrt` names no parameter",
        "The parameter to differentiate with respect to does not exist.",
    )
    yield CodeInfo(
        "AD404",
        "the result is not a scalar",
        "A gradient needs a function whose result is one number.",
    )
    yield CodeInfo(
        "AD405",
        "a cotangent of the wrong shape or structure",
        "What is passed to a pullback (or as a tangent) must have the shape and structure of the "
        "result (or the argument).",
    )
    yield CodeInfo(
        "AD406",
        "a cotangent of the wrong dtype",
        "What is passed to a pullback must be a float of the result's kind.",
    )
    yield CodeInfo(
        "AD407",
        "a complex input",
        "Complex inputs are not supported here.",
    )
    yield CodeInfo(
        "AD408",
        "an array of another class",
        "Subclasses of `np.ndarray` and arrays of other libraries behave differently from plain "
        "arrays.",
    )
    yield CodeInfo(
        "AD409",
        "no derivative with respect to this parameter",
        "The function has a rule, but not for the argument that depends on the inputs.",
    )
    yield CodeInfo(
        "AD410",
        "an option or argument that does not fit",
        "An option has a value that it cannot have.",
    )
    yield CodeInfo(
        "AD411",
        "`final` names no written argument",
        "`final=` gives cotangents for arguments that the function writes; this is none of them.",
    )
    yield CodeInfo(
        "AD412",
        "a rule that does not fit its function",
        "A rule declared with `ad.rule` takes, or returns, something else than it must.",
    )
    yield CodeInfo(
        "AD413",
        "a checkpoint that may not run twice",
        "A function under `ad.checkpoint` is computed again in the pullback; this one does more "
        "than compute.",
    )
    # AD5xx: backends
    yield CodeInfo(
        "AD501",
        "a backend that is not installed",
        "The backend that was asked for needs a package that cannot be imported.",
    )
    # AD6xx: the values of a call
    yield CodeInfo(
        "AD601",
        "another value than the derivative was made for",
        "A value has another type, shape or form in this call than what the derivative was "
        "generated for.",
    )
    yield CodeInfo(
        "AD602",
        "a complex value where a real one was expected",
        "The derivative was generated for real numbers, and a result is complex in this call.",
    )
    yield CodeInfo(
        "AD603",
        "no derivative at the values of this call",
        "What is computed has no derivative at just these values, or only an infinite one.",
    )
    yield CodeInfo(
        "AD604",
        "a numerical method did not come to its end",
        "The derivative is that of a solution, and a solver, an integral or a minimiser found none "
        "in this call.",
    )
    yield CodeInfo(
        "AD606",
        "memory that the derivative needs was overwritten, or is shared",
        "A check found in this call what could not be decided before.",
    )
    yield CodeInfo(
        "AD607",
        "a function that is not element-wise",
        "`ad.elementwise_grad` is for functions that treat each element by itself.",
    )
    # AD9xx: adtrans itself
    yield CodeInfo(
        "AD901",
        "an internal failure of adtrans",
        "This is a defect of adtrans and not of your program; please report it.",
    )


CODES: Mapping[str, CodeInfo] = MappingProxyType({row.code: row for row in _rows()})


def info(code: str) -> CodeInfo:
    """The row for `code`.

    Raises:
        KeyError: if there is no such code.

    >>> info("AD901").page
    'AD901.md'
    """
    try:
        return CODES[code]
    except KeyError:
        raise KeyError(f"{code!r} is not in the table of codes") from None
