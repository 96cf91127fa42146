"""What `dataclasses` makes of an object whose class is known, written out.

b = replace(a, x=v)     ->   t = a.y
                             b = C(x=v, y=t)
d = asdict(a)           ->   t = deepcopy(a.x); u = deepcopy(a.y)
                             d = {"x": t, "y": u}
t = astuple(a)          ->   the same with a tuple
"""

from __future__ import annotations

import copy
import dataclasses

from adtrans import runtime
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.model import OTHER, Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S

_PLAIN = ("float", "int", "bool", "complex", "str", "np.ndarray", "numpy.ndarray", "ndarray",
          "NDArray", "np.float64")  # fmt: skip


def made_of_fields(
    s: S.Invoke, v: E.Name, cls: type, o: Objects, where: S.Place
) -> tuple[S.Stmt, ...] | None:
    """The statements for a call of one of these functions with the object `v` of the class `cls`;
    None for all else."""
    fn = s.fn.value if isinstance(s.fn, E.Ref) else None
    if not dataclasses.is_dataclass(cls):
        return None
    if fn is dataclasses.replace:
        return _replaced(s, v, cls, where)
    if fn is dataclasses.asdict or fn is dataclasses.astuple:
        return _listed(s, v, cls, o, where, keyed=fn is dataclasses.asdict)
    return None


def _replaced(s: S.Invoke, v: E.Name, cls: type, where: S.Place) -> tuple[S.Stmt, ...] | None:
    given = dict(s.kwargs)
    if hasattr(cls, "__replace__") and (
        not getattr(cls.__replace__, "__module__", "").startswith("dataclasses")
    ):
        return None
    plain = "__post_init__" not in dir(cls) or not any(
        str(getattr(f, "type", "")).startswith("InitVar") for f in dataclasses.fields(cls)
    )
    names = [f.name for f in dataclasses.fields(cls) if f.init]
    if not plain or given.keys() - set(names):
        return None
    out: list[S.Stmt] = []
    for name in names:
        if name not in given:
            t = f"{name}@kept{s.site}"
            out.append(S.Bind(t, E.Attribute(v, name), **where))
            given[name] = E.Name(t)
    words = tuple((name, given[name]) for name in names)
    return (*out, S.Invoke(s.target, E.Ref(cls.__name__, cls), (), words, **where))


def _listed(
    s: S.Invoke, v: E.Name, cls: type, o: Objects, where: S.Place, *, keyed: bool
) -> tuple[S.Stmt, ...] | None:
    """A dictionary or tuple of copies; None where one of the fields is such an object itself, of
    which there would be a dictionary, too. Where that is not known it is looked at."""
    fields = dataclasses.fields(cls)
    if s.kwargs or len(s.args) != 1 or s.target is None:
        return None
    key, unsure = o.of(v), {f.name for f in fields if _shown(f.type) not in _PLAIN}
    if any(_holds_objects(owner, o, ()) for owner in ([key] if key else o.values_of(v))):
        return None
    out: list[S.Stmt] = []
    items: list[E.Name] = []
    for f in fields:
        held, own = f"{f.name}@held{s.site}", f"{f.name}@copied{s.site}"
        out.append(S.Bind(held, E.Attribute(v, f.name), **where))
        if f.name in unsure:
            check = E.Call(E.Ref("check_no_fields", runtime.check_no_fields), (E.Name(held),))
            out.append(S.Bind(f"{f.name}@looked{s.site}", check, **where))
        copies = E.Ref("deepcopy", copy.deepcopy)
        out.append(S.Invoke(own, copies, (E.Name(held),), **where))
        items.append(E.Name(own))
    if not keyed:
        return (*out, S.Pack(s.target, "tuple", tuple(items), **where))
    out.append(S.Pack(s.target, "dict", (), **where))
    for f, item in zip(fields, items, strict=True):
        out.append(S.Store(s.target, (E.Const(f.name),), item, **where))
    return tuple(out)


def _holds_objects(key: Key, o: Objects, around: tuple[Key, ...]) -> bool:
    """Whether there are objects in what an object or container holds, and not only numbers."""
    key = o.one(key)
    found = {o.one(k) for (owner, _), keys in o.contents.items() if o.one(owner) == key
             for k in o.told(keys) - {OTHER}}  # fmt: skip
    return any(
        k in around or o.classes.get(k) not in CONTAINERS or _holds_objects(k, o, (*around, key))
        for k in found
    )


def _shown(annotation: object) -> str:
    if isinstance(annotation, str):
        plain = annotation.strip("'\"")
        return plain.partition("[")[0] if plain.startswith("NDArray") else plain
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)
