"""Frames as the program sees them: without those of adtrans that stand between its functions."""

from __future__ import annotations

import collections
import inspect
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def is_ours(frame: FrameType) -> bool:
    """Is a frame one of adtrans?"""
    return str(frame.f_globals.get("__name__")).partition(".")[0] == "adtrans"


def before(frame: FrameType) -> FrameType | None:
    """`frame.f_back`"""
    found = frame.f_back
    while found is not None and is_ours(found):
        found = found.f_back
    return found


def user_frame(depth: int = 0) -> FrameType:
    """`sys._getframe(depth)`"""
    frame = before(sys._getframe())
    for _ in range(depth):
        frame = None if frame is None else before(frame)
    if frame is None:
        raise ValueError("call stack is not deep enough")
    return frame


def stack(context: int = 1) -> list[Any]:
    """`inspect.stack(context)`"""
    return [found for found in inspect.stack(context) if not is_ours(found.frame)]


def from_here(f: Any) -> Callable[..., Any]:
    """A function of `traceback` that goes through the frames from its caller on."""
    return lambda frame=None, *rest, **words: f(frame or user_frame(), *rest, **words)


def namedtuple(*args: Any, module: str | None = None, **words: Any) -> Any:
    """`collections.namedtuple`: the class belongs to the module of whoever asks for it."""
    name = user_frame().f_globals.get("__name__", "__main__")
    return collections.namedtuple(*args, module=module or name, **words)
