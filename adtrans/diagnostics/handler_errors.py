"""Exceptions that a handler of the user's raises while adtrans works: no defect of adtrans.

A handler of `signal` runs between any two instructions, those of the compiler included; what it
raises, a timeout say, passes as it is.
"""

from __future__ import annotations

import signal


def from_a_handler(error: BaseException) -> bool:
    """Whether an exception was raised by a handler of a signal.

    >>> def late(number, frame):
    ...     raise TimeoutError
    >>> before = signal.signal(signal.SIGINT, late)
    >>> try:
    ...     signal.raise_signal(signal.SIGINT)
    ... except TimeoutError as error:
    ...     from_a_handler(error), from_a_handler(TimeoutError())
    ... finally:
    ...     _ = signal.signal(signal.SIGINT, before)
    (True, False)
    """
    handlers = (signal.getsignal(s) for s in signal.valid_signals())
    found = {getattr(h, "__code__", None) for h in handlers} - {None}
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code in found:
            return True
        tb = tb.tb_next
    return False
