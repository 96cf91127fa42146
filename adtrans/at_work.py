"""What is being compiled at the moment, so that nothing waits for itself.

    def f(v, n):
        return np.sum(ad.grad(f)(v, n - 1))      # its gradient needs its gradient, and so on

Python ends this when `n` is 0, which is known when it runs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.inputs import Target
from adtrans.ir.kinds import Kind

_LOCAL = threading.local()


@contextmanager
def at_work(who: object, target: Target, kinds: Mapping[str, Kind]) -> Iterator[None]:
    """While `who` compiles for these kinds.

    Raises:
        CompileError: AD410, if it does so already, further out.
    """
    before: list[tuple[object, Mapping[str, Kind]]] = _LOCAL.__dict__.setdefault("before", [])
    if any(w is who and k == kinds for w, k in before):
        code = target.fn.__code__
        place = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
        raise CompileError(
            Diagnostic(
                "AD410",
                f"the derivative of `{target.fn.__name__}` needs itself",
                place,
                why="it differentiates itself, for arguments of the same kinds: to what order is "
                "not known before it runs",
                fixes=[Fix("write a function of its own for each order")],
            )
        )
    before.append((who, kinds))
    try:
        yield
    finally:
        before.pop()
