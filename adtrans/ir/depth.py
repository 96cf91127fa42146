"""The recursion limit: a call in the user's program is several in what compiles or records it.

>>> deepest(100) >= 100
True
"""

from __future__ import annotations

import contextlib
import sys
import threading

_FRAMES = 8  # for each call of the user's
_BYTES = 640  # of the stack, for a frame; that of a sort which calls back is the largest measured
_STACK = 8 << 20  # of a thread, where nothing is known


def deepest(limit: int) -> int:
    """The raised limit: before Python 3.12 the stack of the thread has to suffice for it."""
    wanted = _FRAMES * limit
    if sys.version_info >= (3, 12):
        return wanted
    size = 0 if threading.current_thread() is threading.main_thread() else threading.stack_size()
    if not size:
        size = _STACK
        with contextlib.suppress(ImportError):
            import resource

            soft = resource.getrlimit(resource.RLIMIT_STACK)[0]
            size = soft if 0 < soft < 1 << 40 else size
    return max(min(wanted, size // _BYTES), min(limit, 1000))


class Depth:
    """Raises the limit while a program is compiled or recorded, and puts it back."""

    lock = threading.Lock()
    count = before = raised = 0

    @classmethod
    def enter(cls) -> None:
        """Something begins that goes as deep as the program does, and several times that."""
        with cls.lock:
            if cls.count == 0:
                cls.before = cls.raised = sys.getrecursionlimit()
            wanted = deepest(cls.before)
            if cls.count == 0 or wanted < sys.getrecursionlimit():
                with contextlib.suppress(RecursionError):  # it is deeper than that already
                    sys.setrecursionlimit(wanted)
                    cls.raised = wanted
            cls.count += 1

    @classmethod
    def leave(cls) -> None:
        """It has ended; the user may have set another limit meanwhile."""
        with cls.lock:
            cls.count -= 1
            if cls.count == 0 and sys.getrecursionlimit() == cls.raised:
                sys.setrecursionlimit(cls.before)
