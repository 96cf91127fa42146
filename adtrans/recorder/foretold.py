"""What will be refused when it is recorded, told before anything runs.

>>> import array, zlib
>>> refuses(array.array), refuses(zlib.crc32), refuses(dict), refuses(lambda x: x)
(True, True, False, False)
"""

from __future__ import annotations

from adtrans.recorder import calls, constructing
from adtrans.recorder.unseen import opaque
from adtrans.rules import lookup
from adtrans.rules.rule import Rule


def refuses(callee: object) -> bool:
    """Is a call refused that is given something active, and for which there is no formula?"""
    if isinstance(callee, type) and lookup(callee) is None:
        return constructing.is_unseen(callee)
    if isinstance(callee, Rule) or lookup(callee) is not None:
        return calls.python_source(callee) is None
    return callable(callee) and calls.handler_of(callee)[0] is opaque
