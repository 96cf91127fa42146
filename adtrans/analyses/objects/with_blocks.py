"""`with` over an object of the user's: the calls of its methods, and what becomes of exceptions.

    with a as b:                  b = a.__enter__()
        body                      try:
                          =>          body
                                  except BaseException as error:
                                      if not a.__exit__(type(error), error, error.__traceback__):
                                          raise
                                  else:
                                      a.__exit__(None, None, None)
"""

from __future__ import annotations

from dataclasses import replace

from adtrans import runtime
from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.displays import jumps
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower.exits import may_end_exits
from adtrans.lower.opaque import raised_again
from adtrans.lower.swallowing import keeps_back
from adtrans.source.bound import of_exit, of_exit_after


def entered(
    s: S.With, v: E.Name, cls: type, where: S.Place, noticed: bool
) -> tuple[S.Stmt, ...] | None:
    """The statements that `with v:` stands for; None where they are not known. `noticed`: an
    exception of the block does not just end the function. Where it does, what is done then is left
    to a manager that lets it through."""
    method = member(cls, "__exit__").value
    left, after = of_exit(method), of_exit_after(method)
    if jumps(s.body) or left is None or member(cls, "__enter__").form != "method":
        return None
    var = f"{s.target or 't'}@entered{s.site}"
    enter = E.Call(E.Attribute(v, "__enter__"), ())
    before: list[S.Stmt] = [S.Bind(var, enter, **where)]
    before += () if s.target is None else (S.Alias(s.target, var, **where),)
    inside: S.Place = {**where, "site": -1}
    name = f"{cls.__name__}___exit__"
    leave = S.Invoke(f"t@left{s.site}", E.Ref(name, left), (v,), **inside)
    keeps = keeps_back(method)
    if keeps and may_end_exits(s.body):
        after = None
    if after is not None and (noticed or keeps):
        error, kept = f"error@left{s.site}", f"kept@left{s.site}"
        caught: S.Block = (S.Invoke(kept, E.Ref(name, after), (v, E.Name(error)), **inside),)
        again: S.Stmt = raised_again(inside)
        if keeps:
            again = S.If(E.Unary("not", E.Name(kept)), (again,), (), **inside)
        handler = S.Handler(E.Ref("BaseException", BaseException), error, (*caught, again))
        return (*before, S.Try(s.body, (handler,), (leave,), (), **where))
    if noticed:
        return None
    manager = E.Call(E.Ref("leaving", runtime.leaving), (v,))
    return (*before, replace(s, context=manager, target=None, trusted=True), leave)
