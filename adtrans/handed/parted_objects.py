"""An object that is called beside a function which is handed over, made of its parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.dispatch.flattened_arguments import Made, Path, making, word
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.handed.read import Read


def made_of(made: Made) -> tuple[Read, list[tuple[Path, str]]]:
    """A function that makes an object of its parts; what it returns has no derivative, and cannot
    write the arrays that it holds, because nobody would see that."""
    own = Words(("value",))
    names = {p: own["_".join(("value", *map(word, p)))] for p in made.leaves()}
    locked = own.of("locked", _locked)
    lines = [f"{n} = {locked}({n})" for n in names.values()]
    lines += [*making("value", made, (), names, own), "return value"]
    name = own.as_it_is
    text = f"def {name}({', '.join(names.values())}):\n    " + "\n    ".join(lines) + "\n"
    fn = load(text, name, own.objects)[name]
    return Read("as_it_is", ", ".join(names.values()), fn), [*names.items()]


def _locked(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value
