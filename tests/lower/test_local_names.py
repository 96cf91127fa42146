"""Which names are local, by Python's rules of scopes: each `q` is looked at."""

import gast
import pytest

from adtrans.lower.local_names import LocalNames

SCOPES = """
def f(x, default=q):
    a = q  # outside
    g = lambda q: q  # local
    b = [q for q in x]  # local
    c = [p for p in q]  # outside
    d = [p for p in q for q in p]  # outside
    e = {q: p for p in x for q in p}  # local
    def inner(y=q):  # outside
        return (lambda: q)  # outside
    def binds(y):
        h = lambda: q  # local
        for q in y: pass
        return h
    def given(*q):
        return [q for y in x]  # local
    def excepts():
        try: pass
        except ValueError as q: return q  # local
    def imports():
        import q.r
        return q  # local
    def matches():
        match x:
            case [1, *q]: return q  # local
    def walrus():
        if any((q := y) for y in x): return q  # local
    def defines():
        class q: pass
        return q  # local
    def deletes():
        del q
        return q  # local
    def writes():
        def deeper():
            nonlocal q
            q = 1
            return q  # local
        q = 2
        return deeper
    class Box:
        q = 1
        r = q  # local
        s = [q for _ in x]  # outside
        t = [p for p in q]  # local
        def method(self): return q  # outside
        def other(self, y=q): return y  # local
    def same():
        global q
        return lambda: q  # outside
    return q  # outside
"""

CHANGED = """
def f(x):
    def changes():
        global q
        q = 1
    changes()
    return q  # local
"""

OWN = """
def f(q):
    def inner(y):
        return [q for _ in y]  # local
    class Box:
        def method(self): return q  # local
    return q  # local
"""


@pytest.mark.parametrize("text", [SCOPES, CHANGED, OWN])
def test_where_names_are_local(text: str) -> None:
    node = gast.parse(text).body[0]
    lines = text.splitlines()
    names = LocalNames(node)
    looked_at = 0
    for n in (n for part in node.body for n in gast.walk(part)):
        if isinstance(n, gast.Name) and n.id == "q" and isinstance(n.ctx, gast.Load):
            looked_at += 1
            assert lines[n.lineno - 1].endswith("local" if names.is_local(n) else "outside")
    assert looked_at == sum(line.endswith(("# local", "# outside")) for line in lines)


def test_how_often_names_are_bound() -> None:
    text = """
def f(x):
    once = x
    twice = 1
    def inner(twice): return once * twice
    def inside():
        also_outside = x
    class Box:
        of_class = 1
    def declares():
        global of_all
        of_all = 1
    return inner(also_outside)
"""
    times = LocalNames(gast.parse(text).body[0]).times()
    found = {name: times.get(name) for name in ("once", "twice", "inner", "x")}
    assert found == {"once": 1, "twice": 2, "inner": 1, "x": 1}
    assert not {"also_outside", "of_class", "of_all"} & times.keys()


def test_a_copy_counts_as_local() -> None:
    node = gast.parse("def f(x):\n    g = lambda q: q\n    return q").body[0]
    names = LocalNames(node)
    assert not names.is_local(node.body[1].value)
    assert names.is_local(gast.parse("q").body[0].value)
    assert not names.is_local(gast.parse("p").body[0].value)
