"""Which variables mean which objects, which attributes are written, and what is lost from sight.

Flow-insensitive on webs, repeated until nothing is added. An object that is stored in a list,
passed to unknown code, or is one of several that a variable may mean, is lost: it is not followed.
"""

from __future__ import annotations

from collections.abc import Mapping

from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.objects.classes import (
    comes_first,
    in_place,
    is_method,
    member,
    operated,
    operator,
    unary,
)
from adtrans.analyses.objects.displays import CONTAINERS, counts
from adtrans.analyses.objects.following import reason
from adtrans.analyses.objects.looking import changed_by_looking
from adtrans.analyses.objects.model import OTHER, Key, Shape, maker
from adtrans.analyses.objects.object_facts import Functions, Objects, is_tree
from adtrans.analyses.objects.passed import is_harmless
from adtrans.analyses.objects.statement_meanings import Meanings
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.effort import spend
from adtrans.ir.walk import binds_of, blocks_of, names_in, operands, reads_of, statements
from adtrans.lower.opaque import is_text
from adtrans.rules import lookup, method
from adtrans.rules.rule import Rule
from adtrans.source.bound import implemented

_ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")  # without these, objects raise
_UNTOLD = ("part", "other")


def infer(
    fn: S.Function,
    params: Mapping[str, Shape],
    functions: Functions,
    lost: Mapping[Key, str] | None = None,
    home: int = 0,
) -> Objects:
    """Follow the objects of `fn`, given the shapes of those among its parameters.

    `lost`: objects that cannot be followed for another reason; `home` identifies the function.
    """
    run = _Inference(fn, params, functions)
    run.o.lost.update(lost or {})
    run.o.home = home
    run.fixed_point()
    return run.o


class _Inference(Meanings):
    """What each statement adds."""

    def fixed_point(self) -> None:
        while self.changed:
            self.changed = False
            for found in (self.o.instead, self.o.calls):
                found.clear()  # what was told by less than is known now
            self.block(self.fn.body)
            self.span = None  # what follows is about no statement
            self.unite()
            self.check_remembered()
            self.close()
        self.check_live()
        self.close()

    def block(self, body: S.Block) -> None:
        """The statements in turn."""
        spend(2 * len(body))
        for s in body:
            self.statement(s)
            if isinstance(s, S.If) and (left := self.o.instead.get(s.site)) is not None:
                if left is s.then or left is s.orelse:  # what is done there may be another answer
                    self.block(left)
            else:
                for inner in blocks_of(s):
                    self.block(inner)

    # -- statements ----------------------------------------------------------------------------

    def statement(self, s: S.Stmt) -> None:
        self.span = s.span
        for e in operands(s):
            self.globals_in(e)
        meant = self.meant(s)
        if meant is None:
            self.lose({*changed_by_looking(s, self.o)}, "it is changed where it is looked at")
        if meant is not None:
            self.o.instead[s.site] = meant
            return
        match s:
            case S.Bind():
                self.bind(s)
            case S.Alias():
                self.add(s.target, self.o.values_of(E.Name(s.source)))
            case S.SetAttr(mirror=True):
                return  # nothing reads it from the object
            case S.SetAttr():
                self.set_attr(s)
            case S.Load():
                self.load(s)
            case S.Store() | S.Update():
                self.store(s)
            case S.Invoke():
                self.invoke(s)
            case S.Keep(form="plain" | "raise") if not s.binds:
                if s.unbinds:  # a use that comes after it raises, so that the name must stay one
                    later = self.live.out.get(s.site, frozenset())
                    self.lose_names({*s.unbinds} & later, "it is used after `del`")
                return  # such as `print(obj)` or `assert obj.a > 0`: the object is as it should be
            case S.If() | S.While():
                self.test(s.test)
            case S.Pack(cls=None):
                self.pack(s)
            case S.Unpack() if (held := self.container(E.Name(s.source))) is not None:
                self.unpack(s, held)
            case S.Return():
                entry = self.o.home == self.functions.entry  # whose callers look into trees
                for atom in s.values:
                    key = self.container(atom)
                    if key is None or (entry and is_tree(self.o, key)):
                        continue
                    if not entry and s.is_tuple and maker(key)[0] in ("param", "global"):
                        continue  # callers know that they get it back
                    known = counts(self.o, key) is not None
                    if entry or not (known and self.holds_one_each(key)):
                        self.lose(self.o.values_of(atom), "it is returned")
            case S.Try() | S.Onward():
                for v in binds_of(s):
                    self.add(v, {OTHER})  # an exception
            case _:
                self.lose_names(reads_of(s), reason(s))
                for v in binds_of(s):
                    self.add(v, self.parts(reads_of(s)))

    # -- expressions ---------------------------------------------------------------------------

    def truth(self, name: str) -> None:
        for k in self.o.values.get(name, set()):
            cls = self.o.classes.get(self.o.one(k))
            if cls is not None and (hasattr(cls, "__bool__") or hasattr(cls, "__len__")):
                self.lose({k}, "its truth value is computed")

    def test(self, e: E.Expr) -> None:
        """What the test of a branch or loop does with objects."""
        match e:
            case E.Name():
                self.truth(e.id)
            case E.BoolOp(values=parts):
                for part in parts:
                    self.test(part)
            case E.Unary(op="not", operand=operand):
                self.test(operand)
            case E.Compare() if self.is_identity(e):
                return
            case _:
                self.lose_names(names_in(e), "it takes part in a comparison")

    def is_identity(self, e: E.Compare) -> bool:
        """Whether a comparison asks for objects themselves, not for what they hold."""
        if set(e.ops) <= {"is", "is not"}:
            return True
        keys = {self.o.one(k) for part in (e.left, *e.rights) for k in self.o.values_of(part)}
        classes = [self.o.classes.get(k) for k in keys if k != OTHER]
        alone = all(E.is_atom(part) for part in (e.left, *e.rights))
        equal = set(e.ops) <= {"==", "!="}
        names = ("__eq__", "__ne__") if equal else ("__eq__", *_ORDERS)
        return alone and equal and bool(classes) and all(
            getattr(cls, n, None) is getattr(object, n) for cls in classes for n in names
        )  # fmt: skip

    def bind(self, s: S.Bind) -> None:
        match s.value:
            case E.Call(fn=E.Ref(value=fn), args=(arg,)) if fn is len and (
                counts(self.o, self.container(arg)) is not None
            ):
                self.add(s.target, {OTHER})
            case E.Const() | E.Ref():
                self.add(s.target, self.o.values_of(s.value))
            case E.Attribute(base=base, attr=attr):
                self.attribute(s, base, attr)
            case E.Call(fn=E.Ref(value=fn), args=(E.Ref(value=type() as of),)) if makes_new(fn):
                key: Key = ("new", s.site)
                self.enter(key, Shape.of(of))
                self.add(s.target, {key})
            case E.Call(fn=E.Attribute(base=base)) if self.is_undecided(base):
                return
            case E.Call(fn=E.Attribute(base=base, attr=attr)) if self.o.of(base) is not None:
                self.method(s, base, attr, s.value)
            case E.Call(fn=E.Ref(value=fn), args=args) if is_harmless(fn, args):
                self.add(s.target, {OTHER})
            case E.Call():
                self.primitive(s, s.value)
            case E.Binary(op=op, left=left, right=right):
                self.binary(s, op, left, right)
            case E.Unary(op=op, operand=operand) if self.o.of(operand) is not None:
                self.call_or_lose(s, unary(self.class_of(operand), op), (operand,), s.target)
            case E.Compare() if self.is_identity(s.value):
                self.add(s.target, {OTHER})
            case E.Verbatim() if is_text(s.value):
                self.add(s.target, {OTHER})
            case _:
                self.lose_names(names_in(s.value), reason(s))
                self.add(s.target, self.parts(names_in(s.value)))

    def is_undecided(self, e: E.Expr) -> bool:
        """Whether an atom means several objects about which `unite` has not decided yet."""
        keys = {self.o.one(k) for k in self.o.values_of(e) if k[0] not in _UNTOLD}
        return len(keys) > 1 and not keys & self.o.lost.keys()

    def attribute(self, s: S.Bind, base: E.Expr, attr: str) -> None:
        key = self.o.of(base)
        if key is None:  # where it is one of several, `unite` decides
            self.add(s.target, self.parts(names_in(base)))
            return
        found = member(self.o.classes[key], attr)
        if found.form == "property":
            assert isinstance(found.value, property)
            self.call_or_lose(s, found.value.fget, (base,), s.target)
        elif found.form in ("data", "instance") or attr in ("__dict__",):
            if attr in ("__dict__", "__class__"):
                self.lose({key}, f"`{attr}` is used")
            held = self.o.contents.get((key, attr), set())
            if not held:
                self.o.read.add((key, attr))
            if held and (key, attr) in self.o.plain and not self.assigned_before(s, key, attr):
                held = held | {OTHER}
            self.add(s.target, held or {("part", key, attr)})
        else:
            if found.form not in ("static",):
                self.lose({key}, f"`{attr}` is used without being called")
            self.add(s.target, {OTHER})

    def assigned_before(self, s: S.Stmt, key: Key, attr: str) -> bool:
        """Whether the function certainly assigns to an attribute before `s` reads it."""
        block: S.Block | None = self.fn.body
        while block:
            inside: S.Block | None = None
            for t in block:
                if isinstance(t, S.SetAttr) and t.attr == attr and self.o.of(t.base) == key:
                    return True
                own = (b for b in blocks_of(t) if any(u.site == s.site for u in statements(b)))
                inside = next(own, None)
                if inside is not None or t.site == s.site:
                    break
            block = inside
        return False

    def method(self, s: S.Bind, base: E.Expr, attr: str, call: E.Call) -> None:
        found = member(self.class_of(base), attr)
        args = tuple(a for a in call.args if E.is_atom(a))
        if len(args) < len(call.args) or not all(E.is_atom(v) for _, v in call.kwargs):
            self.lose_names(names_in(call), "a list of values is passed to a method")
            self.add(s.target, {OTHER})
            return
        if found.form == "instance" and self.class_of(base) not in CONTAINERS:
            self.o.held.add(s.site)
        if found.form == "other":
            self.lose(self.o.values_of(base), f"`{attr}` is called")
        first = (base,) if found.form == "method" else ()
        fn = found.value if found.form in ("method", "static") else None
        if found.form == "class":
            fn = getattr(self.class_of(base), attr)
        self.call_or_lose(s, fn, (*first, *args), s.target, dict(call.kwargs))

    def primitive(self, s: S.Bind, call: E.Call) -> None:
        """A call with a rule, or of a method of something that is not followed."""
        rule = _rule(call)
        count = len(call.args) + isinstance(call.fn, E.Attribute)
        writes = rule is None or rule.fills(count, [k for k, _ in call.kwargs])
        if rule is not None and rule.custom is not None and rule.form != "constant":
            self.read_behind(rule.custom.fn)
        names = names_in(call)
        self.lose_names(names, f"it is passed to `{call.fn}`")
        if writes:
            for n in names:
                self.touch(E.Name(n))
        shared = writes or rule is None or rule.result != "fresh"
        self.add(s.target, self.parts(names) if shared else {OTHER})

    def binary(self, s: S.Bind, op: str, left: E.Expr, right: E.Expr) -> None:
        a, b = self.o.of(left), self.o.of(right)
        if a is None and b is None:
            self.add(s.target, {OTHER})
            return
        if a is None:
            assert b is not None
            fn = implemented(operator(self.o.classes[b], op, reflected=True))
            self.call_or_lose(s, fn, (right, left), s.target)
        else:
            self.operated(s, op, left, right, s.target)

    def operated(
        self, s: S.Bind | S.Update, op: str, left: E.Expr, right: E.Expr, target: str
    ) -> None:
        """An operator with an object on the left."""
        own, b = self.class_of(left), self.o.of(right)
        others = {self.o.classes.get(self.o.one(k)) for k in self.o.values_of(right)} - {None}
        fn, swapped = operated(op, own, None if b is None else self.o.classes[b])
        if b is None and any(comes_first(op, own, c) for c in others if c is not None):
            fn = None  # it depends on which object that is
        args = (right, left) if swapped else (left, right)
        self.call_or_lose(s, implemented(fn), args, target)

    def load(self, s: S.Load) -> None:
        key = self.o.of(E.Name(s.base))
        for i in s.items:
            self.lose_names(names_in(i), "it is used as an index")
        if key is None:
            self.add(s.target, self.parts({s.base}))
            return
        if self.o.classes[key] in CONTAINERS:
            self.take(s.target, key, self.item(key, s.items))
            return
        fn = member(self.o.classes[key], "__getitem__").value
        simple = len(s.items) == 1 and E.is_atom(s.items[0])
        args = (E.Name(s.base), *s.items)
        self.call_or_lose(s, fn if simple else None, args, s.target)

    def store(self, s: S.Store | S.Update) -> None:
        key = self.o.of(E.Name(s.base))
        self.touch(E.Name(s.base))
        if key is not None and self.o.classes[key] in CONTAINERS:
            self.changed_item(s, key)
            return
        if isinstance(s, S.Update) and s.items is None and key is not None:
            method = in_place(self.o.classes[key], s.op)
            if method is None:
                self.operated(s, s.op, E.Name(s.base), s.value, s.base)
            else:
                self.call_or_lose(s, implemented(method), (E.Name(s.base), s.value), s.base)
            return
        if isinstance(s, S.Store) and key is not None and len(s.items) == 1:
            fn = member(self.o.classes[key], "__setitem__").value
            simple = E.is_atom(s.items[0])
            args = (E.Name(s.base), s.items[0], s.value)
            self.call_or_lose(s, fn if simple else None, args, None)
            return
        self.lose_names(reads_of(s), reason(s))

    def set_attr(self, s: S.SetAttr) -> None:
        classes = {self.o.classes.get(self.o.one(k)) for k in self.o.values_of(s.base)}
        if any(is_method(cls, s.attr) for cls in classes if cls is not None):
            self.functions.replaces(s.span, s.attr)
        key = self.o.of(s.base)
        if key is None:
            if not any(k in self.o.classes for k in self.o.values_of(s.base)):
                why = "it is assigned to an attribute of what is not followed"
                self.lose(self.o.values_of(s.value), why)
            return
        found = member(self.o.classes[key], s.attr)
        if found.form == "property":
            assert isinstance(found.value, property)
            self.call_or_lose(s, found.value.fset, (s.base, s.value), None)
            return
        if found.form not in ("data", "instance") or (
            s.attr.startswith("__") and s.attr != "__self__"
        ):
            self.lose({key}, f"`{s.attr}` is assigned")
        self.write(key, s.attr)
        keys = self.o.told(self.o.values_of(s.value))
        if OTHER in keys and s.value != E.NONE:
            self.o.plain.add((key, s.attr))
        if found.form == "data" and found.value is not None:
            keys |= {OTHER}  # what the class has, until it is assigned
        self.add_content(key, s.attr, keys)


def _rule(call: E.Call) -> Rule | None:
    if isinstance(call.fn, E.Ref):
        return lookup(call.fn.value)
    return method(call.fn.attr) if isinstance(call.fn, E.Attribute) else None
