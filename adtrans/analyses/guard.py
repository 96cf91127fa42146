"""A conflict that the run decides: what is noted at the use, and what is asked at the write.

>>> from adtrans.analyses.needs import Need
>>> g = Guard(Need(4, "y", "value", ""), 9, "flag", "y", None, ("y",), ())
>>> g.form, g.key
('flag', (4, 'y', False, 'flag', 'y'))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from adtrans.analyses.needed import Need
from adtrans.ir import expr as E


@dataclass(frozen=True, slots=True)
class Guard:
    """The statement `write` may overwrite what `need` is about.

    `form`: "flag", the use has run since `root` was made; "elements", it has used elements of
    `root` that are written (`mark` is the part that it uses, `asked` the part that is written);
    "object", it has used the very array that one of `through` refers to now; "frozen", the writer
    is an unknown function, and the arrays `through` that it is given cannot be written meanwhile.
    """

    need: Need
    write: int
    form: Literal["flag", "elements", "object", "frozen"]
    root: str | None
    mark: E.Expr | None
    through: tuple[str, ...]
    asked: tuple[E.Expr, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """Guards of one key share what is noted at the use."""
        return (self.need.site, self.need.var, self.need.result, self.form, self.root)
