"""What active values were put into in a run: the record keeps no object of the user's alive.

A plain run frees an object when nothing holds it any more, and weak references tell. Lists and
dictionaries, of which nobody can tell, are held until it is looked which are held elsewhere.

>>> class Agent:
...     pass
>>> touched, agent = Touched(), Agent()
>>> touched[id(agent)] = agent
>>> len(touched.holders())
1
>>> del agent
>>> touched.holders()
[]
"""

from __future__ import annotations

import sys
import weakref
from typing import Any


class Touched(dict[int, Any]):
    """Objects by their identities; `weak`: those that can be referred to without being held."""

    def __init__(self) -> None:
        super().__init__()
        self.weak: dict[int, weakref.ref[Any]] = {}
        self.limit = 4096

    def __setitem__(self, key: int, holder: Any) -> None:
        if type(holder).__flags__ & (1 << 9):  # of a class that is written in Python
            known = self.weak.get(key)
            if known is not None and known() is holder:
                return
            try:
                self.weak[key] = weakref.ref(holder)
            except TypeError:  # its class has slots, and none for that
                super().__setitem__(key, holder)
        else:
            super().__setitem__(key, holder)
        if len(self) + len(self.weak) > self.limit:
            del holder
            for k in [*self]:
                if sys.getrefcount(self[k]) <= 2:  # that of this table, and the one that asks
                    del self[k]
            self.weak = {k: ref for k, ref in self.weak.items() if ref() is not None}
            self.limit = max(4096, 2 * (len(self) + len(self.weak)))

    def holders(self) -> list[Any]:
        """All of them that are alive."""
        return [*self.values(), *(v for ref in self.weak.values() if (v := ref()) is not None)]

    def absorb(self, other: Touched) -> None:
        """Add what was touched in a run within this one."""
        self.update(other)
        self.weak.update(other.weak)
