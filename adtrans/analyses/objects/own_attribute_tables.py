"""The attributes that an object has of its own, written out.

d = attributes_of(p)   ->   check_attributes(p, ("a", "b"))
                            t = p.a; u = p.b
                            d = {"a": t, "b": u}

Which they are is read off from what makes the object, and compared when the program runs.
"""

from __future__ import annotations

from adtrans import runtime
from adtrans.analyses.objects.classes import member
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.source.new_attributes import new_attributes


def are_known(cls: type) -> bool:
    """Whether the attributes are known that an object has when it is made, and nothing else reads
    them."""
    names = tuple(new_attributes(cls))
    plain = all(member(cls, n).form in ("data", "instance") for n in names)
    return bool(names) and plain and bool(cls.__dictoffset__)


def attributes_of(
    s: S.Invoke, v: E.Name | E.Ref, cls: type, where: S.Place
) -> tuple[S.Stmt, ...] | None:
    """The statements for the dictionary; None where the attributes are not known."""
    if s.target is None or not are_known(cls):
        return None
    names = tuple(dict.fromkeys(new_attributes(cls)))
    check = E.Call(
        E.Ref("check_attributes", runtime.check_attributes),
        (v, E.Sequence("tuple", tuple(map(E.Const, names)))),
    )
    out: list[S.Stmt] = [S.Bind(f"checked@own{s.site}", check, **where)]
    for n in names:
        out.append(S.Bind(f"{n}@own{s.site}", E.Attribute(v, n), **where))
    out.append(S.Pack(s.target, "dict", (), **where))
    for n in names:
        out.append(S.Store(s.target, (E.Const(n),), E.Name(f"{n}@own{s.site}"), **where))
    return tuple(out)
