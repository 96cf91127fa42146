"""Which errors of the compiler lead to the recorder."""

from __future__ import annotations

import logging
from collections.abc import Hashable

from adtrans.diagnostics.errors import (
    AdtransError,
    CompileError,
    InputError,
    InternalError,
    MutationError,
)
from adtrans.driver.options import Options

log = logging.getLogger("adtrans")

_PROVED = frozenset({"AD301"})
_STAYS = frozenset({"AD410", "AD412", "AD501"})


def falls(error: AdtransError, options: Options) -> bool:
    """Is a function recorded that ended in this error of the compiler?

    A proved overwrite of a needed value is an error in any way of differentiating, unless copies
    are allowed. Then the error tells of writes only: the rest would have been recorded. Nothing is
    proved of a value whose kind is not known: it may be a number, which nobody overwrites; nor
    beside a container that cannot be followed: what is written may be another item.
    """
    if options.on_unfollowed != "record":
        return False
    if isinstance(error, InternalError):
        log.warning("the compiler failed; the function is recorded instead: %s",
                    error.diagnostics[0].title)  # fmt: skip
        return True
    if isinstance(error, InputError) and error.diagnostics:
        first = error.diagnostics[0]  # of a form that is not compiled
        return first.code == "AD409" or first.title.startswith("`scipy.")
    if isinstance(error, MutationError):  # arguments that share memory, before anything has run
        return error.code == "AD308" and not any(d.sure for d in error.diagnostics)
    if not isinstance(error, CompileError):
        return False
    codes = {d.code for d in error.diagnostics}
    if codes & _STAYS:
        return False
    proved = any(d.code in _PROVED and d.sure for d in error.diagnostics)
    if options.on_overwrite == "save" or not proved or "AD207" in codes:
        return True
    error.diagnostics = tuple([d for d in error.diagnostics if d.code.startswith("AD3")])
    error.args = (error.diagnostics,)
    return False


def sizeless(key: Hashable) -> Hashable:
    """A key of arguments (`dispatch.exact_key`) with the ranks of arrays instead of their shapes.

    >>> sizeless(((3, 4), float)), sizeless(((), (list, ((5,),))))
    ((('shape', 2), <class 'float'>), (('shape', 0), (<class 'list'>, (('shape', 1),))))
    """
    if not isinstance(key, tuple):
        return key
    return tuple([
        ("shape", len(k)) if isinstance(k, tuple) and all(type(n) is int for n in k)
        else sizeless(k) for k in key
    ])  # fmt: skip
