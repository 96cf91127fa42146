"""The generated functions of small programs, by name and as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from adtrans.pipeline import Compiled
from tests.texts import compiled


def derivative(f: Callable[..., Any], *args: object, wrt: Any = 0, **options: Any) -> Compiled:
    """`f` compiled for these arguments."""
    return compiled({"f": f, "ARGS": args, "WRT": wrt}, **options)


def forward(c: Compiled) -> str:
    """The text of the forward function, without its header."""
    return _body(c.source, c.main[0])


def pullback(c: Compiled) -> str:
    """The text of the pullback, without its header and the comments."""
    return re.sub(r" *#.*", "", _body(c.source, c.main[1]))


def _body(source: str, name: str) -> str:
    found = re.search(rf"^def {name}\(.*?\):\n((?:[ \n].*\n?)*)", source, re.MULTILINE)
    assert found is not None, source
    return found[1].rstrip() + "\n"
