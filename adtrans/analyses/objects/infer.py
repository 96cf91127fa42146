"""Which variables mean which objects, which attributes are written, and what is lost from sight.

Flow-insensitive on webs, repeated until nothing is added. An object that is stored in a list,
passed to unknown code, or is one of several that a variable may mean, is lost: it is not followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from adtrans import runtime
from adtrans.analyses.kinds import kind_of_value
from adtrans.analyses.objects.apart import harmless, is_plain
from adtrans.analyses.objects.classes import (
    can_follow,
    in_place,
    is_method,
    member,
    operator,
    unary,
)
from adtrans.analyses.objects.containers import Containers, elements
from adtrans.analyses.objects.copies import original, pairs
from adtrans.analyses.objects.displays import CONTAINERS, VIEWS, counts, sources
from adtrans.analyses.objects.displays import is_plain as is_simple
from adtrans.analyses.objects.following import maker, reason
from adtrans.analyses.objects.found import Call, Functions, Objects
from adtrans.analyses.objects.model import (
    NONE,
    OTHER,
    GlobalObject,
    Key,
    Root,
    Shape,
    is_shared,
    shape_of_kind,
)
from adtrans.analyses.objects.pools import ITEMS, Pools
from adtrans.analyses.objects.pools import instead as from_pools
from adtrans.analyses.objects.spelling import compared, followed_class, instead
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, names_in, operands, reads_of
from adtrans.lower.opaque import is_text
from adtrans.rules import lookup, method
from adtrans.rules.rule import Rule
from adtrans.source.bound import implemented
from adtrans.source.reach import values_written

_UNTOLD = ("part", "other", "none")
_HARMLESS = frozenset({
    "isinstance", "type", "id", "print", "repr", "str", "callable", "hasattr", "key_of",
    "is_one_of",
})  # fmt: skip


def infer(
    fn: S.Function,
    params: Mapping[str, Shape],
    functions: Functions,
    lost: Mapping[Key, str] | None = None,
    home: int = 0,
    unlike: frozenset[Key] = frozenset(),
    blank: frozenset[int] = frozenset(),
    pools: Pools | None = None,
) -> Objects:
    """Follow the objects of `fn`, given the shapes of those among its parameters.

    `lost`: objects that cannot be followed for another reason; `home` identifies the function;
    `unlike`: new objects that are two though one variable means them in turn; `blank`: statements
    that say that an object is not there yet; `pools`: classes that are followed together.
    """
    run = _Inference(fn, params, functions, unlike, pools)
    run.blank = blank
    run.o.lost.update(lost or {})
    run.o.home = home
    run.fixed_point()
    return run.o


class _Inference(Containers):
    """What each statement adds."""

    blank: frozenset[int] = frozenset()

    def fixed_point(self) -> None:
        while self.changed:
            self.changed = False
            self.o.instead.clear()
            self.o.split.clear()
            self.block(self.fn.body)
            self.unite()
            self.close()
        self.check_live()
        self.close()

    def block(self, body: S.Block) -> None:
        """The statements, but for those in loops that will be written out."""
        for s in body:
            self.statement(s)
            if s.site not in self.o.loops:
                for inner in blocks_of(s):
                    self.block(inner)

    # -- statements ----------------------------------------------------------------------------

    def statement(self, s: S.Stmt) -> None:
        if s.site in self.blank:
            return
        for e in operands(s):
            self.globals_in(e)
        if self.o.several and not self.o.several.isdisjoint(reads_of(s)) and not harmless(s):
            test = isinstance(s, S.If) and not E.is_atom(s.test)
            if is_plain(s) or test:
                self.o.split.add(s.site)
                return
        meant = instead(s, self.o, self.classes, self.own)
        meant = self.called(s) if meant is None else meant
        if meant is not None:
            self.o.instead[s.site] = meant
            return
        if self.pools is not None:
            if self.pools.final and (own := from_pools(s, self.o, self.pools)) is not None:
                self.o.instead[s.site] = own
                return
            if self.of_list(s):
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
                return  # such as `print(obj)` or `assert obj.a > 0`: the object is as it should be
            case S.If() | S.While():
                plain = isinstance(s.test, E.Name)
                for n in names_in(s.test):
                    self.truth(n) if plain else self.compared(s.test, n)
            case S.With(context=E.Call(fn=E.Ref(value=manager))) if manager is runtime.leaving:
                return
            case S.Pack(cls=None):
                self.pack(s)
            case S.Unpack() if (held := self.container(E.Name(s.source))) is not None:
                self.unpack(s, held)
            case S.For() if self.is_unrolled(s):
                self.o.loops.add(s.site)
            case S.For() if self.run_over(s):
                self.o.loops.discard(s.site)
            case S.For():
                self.o.loops.discard(s.site)
                viewed = {self.o.views.get(v, (v, ""))[0] for v in sources(s.iter)}
                self.lose_names({*reads_of(s), *viewed}, reason(s))
                for v in binds_of(s):
                    self.add(v, self.parts(reads_of(s)))
            case S.Return():
                for atom in s.values:
                    if self.container(atom) is not None:
                        self.lose(self.o.values_of(atom), "it is returned")
            case S.Try() | S.Onward():
                return
            case _:
                self.lose_names(reads_of(s), reason(s))
                for v in binds_of(s):
                    self.add(v, self.parts(reads_of(s)))

    def called(self, s: S.Stmt) -> tuple[S.Stmt, ...] | None:
        """A call of a name for a method, as a call of the method; the name is not needed then."""
        match s:
            case S.Bind(target=name) if name in self.methods:
                return () if self.is_method(self.methods[name]) else None
            case S.Invoke(fn=E.Name(id=name), args=args, kwargs=kwargs) if name in self.methods:
                bound = self.methods[name]
                if not self.is_method(bound):
                    return None
                target = s.target or f"{name}@called{s.site}"
                call = E.Call(bound, args, kwargs)
                return (S.Bind(target, call, site=s.site, span=s.span, origin=0),)
            case _:
                return None

    def is_method(self, bound: E.Attribute) -> bool:
        """Whether an attribute is a method that the class of an object has."""
        key = self.o.of(bound.base)
        return key is not None and member(self.o.classes[key], bound.attr).form == "method"

    # -- lists that are followed as a whole ------------------------------------------------------

    def of_list(self, s: S.Stmt) -> bool:
        """A statement about lists that may hold objects of a pool; False for any other."""
        match s:
            case S.Load(base=base) if held := self.lists(base):
                for i in s.items:
                    self.lose_names(names_in(i), "it is used as an index")
                cut = any(isinstance(i, E.Slice) for i in s.items)
                found = held if cut else self.held_in(held)
                self.add(s.target, found | (self.parts({base}) - {OTHER}))
            case S.Store(base=base, value=value) if held := self.lists(base):
                for i in s.items:
                    self.lose_names(names_in(i), "it is used as a key")
                self.into(held, {value})
            case S.Update(base=base, items=None, value=value) if held := self.lists(base):
                self.into_all(held, value)
            case S.Edit(base=base, target=target, op=op, args=args) if held := self.lists(base):
                return self.edited(target, op, args, held)
            case S.Bind(
                target=target,
                value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr=op), args=given, kwargs=()),
            ) if held := self.lists(base):
                args = tuple(a for a in given if isinstance(a, E.Name | E.Const | E.Ref))
                return len(args) == len(given) and self.edited(target, op, args, held)
            case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(E.Name(id=var),))) if (
                fn is len and self.lists(var)
            ):
                self.add(s.target, {OTHER})
            case S.Unpack(source=source) if held := self.lists(source):
                for k, v in enumerate(s.targets):
                    self.add(v, held if k == s.star else self.held_in(held))
            case S.For() if any(map(self.lists, sources(s.iter))) and is_simple(s.iter):
                self.o.loops.discard(s.site)
                for name, of in elements(s.target, s.iter, {}):
                    held = self.lists(of) if of else set()
                    other = set() if held else self.parts(reads_of(s))
                    self.add(name or None, self.held_in(held) | other)
                named = {v for v, _ in elements(s.target, s.iter, {})}
                for v in set(binds_of(s)) - named:
                    self.add(v, self.parts(reads_of(s)))
                others = [v for v in sources(s.iter) if not self.lists(v)]
                self.lose_names(set(others), reason(s))
            case _:
                return False
        return True

    def into(self, lists: set[Key], values: set[E.Atom]) -> None:
        """Something is put into lists."""
        for v in values:
            self.touch(v)
            for k in lists:
                self.add_content(k, ITEMS, self.put_there(v))

    def into_all(self, lists: set[Key], value: E.Expr) -> None:
        """The items of another list are put into lists."""
        others = self.o.shared_values(value)
        for k in lists:
            self.add_content(k, ITEMS, self.held_in(set(others)) if others else {OTHER})
        if not others:
            self.lose(self.o.values_of(value), "its items are put into a list")

    def edited(
        self, target: str | None, op: str, args: tuple[E.Atom, ...], lists: set[Key]
    ) -> bool:
        """An operation of lists, or dictionaries; False for one that is not known."""
        match op:
            case "append" | "insert" | "appendleft" if args:
                self.into(lists, {args[-1]})
                self.add(target, {OTHER})
            case "extend" | "splice" if args:
                self.into_all(lists, args[-1])
                self.add(target, {OTHER})
            case "pop" | "popleft" | "get" | "setdefault":
                if len(args) > 1:
                    self.into(lists, {args[1]})
                self.add(target, self.held_in(lists))
                if op == "get" and len(args) == 1 and target is not None:
                    self.add(target, {NONE})
            case "clear" | "reverse" | "argsort" | "keys":
                self.add(target, {OTHER})
            case "copy" | "list" | "repeat" | "take" | "freeze" | "concat" | "values":
                more = {k for a in args for k in self.o.shared_values(a) if k[0] == "list"}
                if op == "concat" and not more:
                    return False
                self.add(target, lists | more)
            case _:
                return False
        return True

    # -- expressions ---------------------------------------------------------------------------

    def globals_in(self, e: E.Expr) -> None:
        """Objects that global names mean come into sight where they are used."""
        for sub in (e, *E.children(e)):
            if isinstance(sub, E.Ref) and id(sub.value) not in self.o.refs:
                shape = shape_of_kind(kind_of_value(sub.value), can_follow)
                if shape is not None and shape.cls not in CONTAINERS and lookup(sub.value) is None:
                    self.o.refs[id(sub.value)] = GlobalObject(sub, shape)
                    self.enter(("global", id(sub.value)), shape)
                    self.changed = True

    def truth(self, name: str) -> None:
        for k in self.o.values.get(name, set()):
            cls = self.o.classes.get(self.o.one(k))
            if cls is not None and (hasattr(cls, "__bool__") or hasattr(cls, "__len__")):
                self.lose({k}, "its truth value is computed")

    def compared(self, test: E.Expr, name: str) -> None:
        if not (isinstance(test, E.Compare) and set(test.ops) <= {"is", "is not"}):
            self.lose(self.o.values.get(name, set()), "it takes part in a comparison")

    def bind(self, s: S.Bind) -> None:
        match s.value:
            case E.Call(
                fn=E.Attribute(base=E.Name(id=var) as base, attr=attr), args=(), kwargs=()
            ) if attr in VIEWS and s.target in self.only_looped and (
                (held := self.container(base)) is not None and self.o.classes[held] is dict
            ):
                self.o.views[s.target] = (var, attr)
            case E.Call(fn=E.Ref(value=fn), args=(arg,)) if fn is len and (
                counts(self.o, self.container(arg)) is not None
            ):
                self.add(s.target, {OTHER})
            case E.Const() | E.Ref():
                self.add(s.target, self.o.values_of(s.value))
            case E.Attribute(base=base, attr=attr):
                self.attribute(s, base, attr)
            case E.Call(fn=E.Ref(text="object.__new__"), args=(E.Ref(value=cls),)):
                key: Key = ("new", s.site)
                assert isinstance(cls, type)
                if self.pools is not None and cls in self.pools.classes:
                    self.add(s.target, self.came(frozenset({("pool", cls)})))
                    return
                self.enter(key, Shape.of(cls))
                self.add(s.target, {key})
            case E.Call(fn=E.Ref(value=fn), args=(E.Name() as base, E.Const(value=str(attr)))) if (
                fn is runtime.object_of
            ):
                self.attribute(s, base, attr)
            case E.Call(fn=E.Attribute(base=base)) if self.is_undecided(base):
                return
            case E.Call(fn=E.Attribute(base=base, attr=attr)) if self.o.of(base) is not None:
                self.method(s, base, attr, s.value)
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(), E.Ref(value=type() as cls))) if (
                fn is runtime.one_of
            ):
                self.add(s.target, self.came(frozenset({("pool", cls)})))
            case E.Call(fn=E.Ref() as fn) if fn.text in _HARMLESS:
                self.add(s.target, {OTHER})
            case E.Call(fn=E.Ref(value=fn), args=(E.Name() as arg,)) if fn is len and (
                (cls := followed_class(arg, self.o)) is not None
            ):
                self.call_or_lose(s, member(cls, "__len__").value, (arg,), s.target)
            case E.Call():
                self.primitive(s, s.value)
            case E.Binary(op=op, left=left, right=right):
                self.binary(s, op, left, right)
            case E.Unary(op=op, operand=operand) if self.o.of(operand) is not None:
                self.call_or_lose(s, unary(self.class_of(operand), op), (operand,), s.target)
            case E.Compare(ops=("is" | "is not",)):
                self.add(s.target, {OTHER})
            case E.Compare() if (called := compared(s.value, self.o)) is not None:
                self.call_or_lose(s, implemented(called[0]), called[1], s.target)
            case E.Verbatim() if is_text(s.value):
                self.add(s.target, {OTHER})
            case _:
                self.lose_names(names_in(s.value), reason(s))
                self.add(s.target, self.parts(names_in(s.value)))

    def is_undecided(self, e: E.Expr) -> bool:
        """Whether an atom means several objects about which `unite` has not decided yet."""
        keys = {self.o.one(k) for k in self.o.values_of(e) if k[0] not in _UNTOLD}
        return len(keys) > 1 and not keys & self.o.lost.keys()

    def class_of(self, e: E.Expr) -> type:
        key = self.o.of(e)
        assert key is not None
        return self.o.classes[key]

    def attribute(self, s: S.Bind, base: E.Expr, attr: str) -> None:
        key = self.o.of(base)
        if self.pools is not None and isinstance(base, E.Name) and not self.o.values_of(base):
            return  # not known yet
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
            if key[0] == "pool":
                if found.form == "data" and held:
                    self.lose({key}, f"`{attr}` is an attribute of the class, too")
                self.add(s.target, self.came(frozenset(held - {NONE} if OTHER in held else held)))
                if not held and found.form == "data":
                    self.add(s.target, {OTHER})
                return
            if not held:
                self.o.read.add((key, attr))
            self.add(s.target, held or {("part", key, attr)})
        else:
            if found.form not in ("static",):
                self.lose({key}, f"`{attr}` is used without being called")
            self.add(s.target, {OTHER})

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
        keywords = {k for k, _ in call.kwargs}
        writes = rule is None or rule.form in ("writes", "scatter") or "out" in keywords
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
        fn = None if a is None else implemented(operator(self.o.classes[a], op))
        if fn is not None:
            self.call_or_lose(s, fn, (left, right), s.target)
            return
        fn = None if b is None else implemented(operator(self.o.classes[b], op, reflected=True))
        self.call_or_lose(s, fn if a is None else None, (right, left), s.target)

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
            method = implemented(in_place(self.o.classes[key], s.op))
            self.call_or_lose(s, method, (E.Name(s.base), s.value), s.base)
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
        if found.form not in ("data", "instance") or s.attr.startswith("__"):
            self.lose({key}, f"`{s.attr}` is assigned")
        self.write(key, s.attr)
        keys = {k for k in self.o.values_of(s.value) if k[0] != "part"}
        if key[0] == "pool":
            self.touch(s.value)
            keys = self.put_there(s.value)
        self.add_content(key, s.attr, keys)

    # -- calls ---------------------------------------------------------------------------------

    def copied(self, s: S.Invoke, old: Key, deep: bool) -> None:
        """A copy of an object has what the original has. One that is lost takes the other along."""
        new: Key = ("new", s.site)
        found = pairs(new, old, self.o) if deep else [(new, old)]
        if found is None:
            self.lose({old}, "it is copied with what it holds")
            self.add(s.target, {OTHER})
            return
        for made, of in found:
            made, of = self.o.one(made), self.o.one(of)
            self.enter(made, Shape.of(self.o.classes[of]))
            self.o.copies[made] = of
            for attr in list(self.o.written.get(of, ())):
                self.write(made, attr)
            if maker(of)[0] in ("param", "global"):
                for attr in list(self.o.written.get(made, ())):
                    self.write(of, attr)
            for owner, attr in list(self.o.contents):
                if owner == of:
                    held = self.o.contents[owner, attr]
                    if deep and any(k != OTHER for k in held):
                        held = {("attribute", made, attr)}
                    self.add_content(made, attr, held)
            for one, other in ((made, of), (of, made)):
                if one in self.o.lost:
                    self.lose({other}, "it is a copy of what is lost, or copied so")
        self.add(s.target, {new})

    def invoke(self, s: S.Invoke) -> None:
        of = original(s, self.o)
        if of is not None and of[0][0] == "pool":
            self.lose({of[0]}, "it is copied")
            self.add(s.target, {OTHER})
            return
        if of is not None:
            self.copied(s, *of)
            return
        args = (*s.args, *(v for _, v in s.kwargs))
        key = self.o.of(s.fn) if E.is_atom(s.fn) else None
        if key is not None:
            fn = member(self.o.classes[key], "__call__").value
            self.call_or_lose(s, fn, (s.fn, *s.args), s.target, dict(s.kwargs))
            return
        if isinstance(s.fn, E.Ref) and s.fn.text in _HARMLESS:
            self.add(s.target, {OTHER})
            return
        for a in args:
            self.touch(a)
        fn = s.fn.value if isinstance(s.fn, E.Ref) else None
        if not self.call(s, fn, s.args, s.target, dict(s.kwargs)):
            names = {n for a in args for n in names_in(a)}
            self.lose_names(names, f"it is passed to `{s.fn}`")
            for a in args:
                self.lose(self.o.values_of(a), f"it is passed to `{s.fn}`")
            self.behind(s.fn)
            for a in args:
                self.behind(a)
            self.add(s.target, self.parts(names))

    def behind(self, e: E.Expr) -> None:
        """The objects that a function which is not followed may change by their global names."""
        for name, value in values_written(e.value) if isinstance(e, E.Ref) else ():
            if can_follow(type(value)):
                self.globals_in(E.Ref(name, value))
                key: Key = ("global", id(value))
                self.lose({key} & self.o.classes.keys(), "it may be changed behind a call")

    def call_or_lose(
        self,
        s: S.Stmt,
        fn: object,
        args: tuple[E.Expr, ...],
        target: str | None,
        kwargs: dict[str, E.Expr] | None = None,
    ) -> None:
        atoms = tuple(a for a in args if isinstance(a, E.Name | E.Const | E.Ref))
        words = {
            k: v for k, v in (kwargs or {}).items() if isinstance(v, E.Name | E.Const | E.Ref)
        }
        if len(atoms) == len(args) and self.call(s, fn, atoms, target, words):
            return
        for e in (*args, *(kwargs or {}).values()):
            self.lose(self.o.values_of(e), reason(s))
        self.add(target, {OTHER})

    def call(
        self,
        s: S.Stmt,
        fn: object,
        args: tuple[E.Atom, ...],
        target: str | None,
        kwargs: dict[str, E.Atom],
    ) -> bool:
        """A call of a Python function; False where nothing is known about it."""
        bound = self.functions.bound(fn, args, kwargs)
        if bound is None:
            return False
        shared = self.shared_arguments(fn, bound)
        given = {
            p: k for p, a in bound.items() if p not in shared and (k := self.o.of(a)) is not None
        }
        for k in given.values():
            if self.o.classes[k] is tuple:
                self.lose({k}, "it is passed on")
        shapes = {p: self.o.shape(k) for p, k in given.items()}
        made_now = None
        for p, k in given.items():
            if bound[p] == E.Name(self.first_uses.get(s.site, "")):
                made_now, shapes[p] = k, Shape.of(self.o.classes[k])
        round_about = [k for p, k in given.items() if shapes[p] is None]
        self.lose(set(round_about), "objects hold each other in a circle")
        known = {p: shape for p, shape in shapes.items() if shape is not None} | shared
        seen = self.functions.seen(fn, known)
        self.o.calls[s.site] = Call(fn, bound, len(args), seen, known)
        for number, g in seen.globals.items():
            if number not in self.o.refs:
                self.o.refs[number] = g
                self.enter(("global", number), g.shape)
        roots: dict[Root, Key] = {("param", p): k for p, k in given.items()}
        roots.update({("global", n): ("global", n) for n in seen.globals})
        ways: Counter[Key] = Counter()
        for k in given.values():
            ways.update([self.o.one(k)] if made_now == k else self.ways_down(k))
        for number in seen.globals:
            ways.update(self.ways_down(("global", number)))
        for place in seen.written:
            assigned = self.reach(roots.get(place.root), place.path)
            if assigned is not None and ways[assigned] > 1:
                self.lose({assigned}, "it is passed twice to what assigns its attributes")
        for root, why in seen.lost.items():
            if root in roots:
                self.lose({roots[root]}, why)
        for (root, path), why in seen.inside.items():
            below = self.reach(roots.get(root), path)
            if below is not None:
                self.lose({below}, why)
        for place in seen.written:
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                self.write(key, place.attr)
                if s.site in self.interrupted:  # an exception may leave it half done
                    self.lose({key}, "a call inside `try` or `with` changes it")
        for place in seen.read:
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                self.o.read.add((key, place.attr))
        for place, shape in seen.made.items():
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                made: Key = ("made", s.site, place.root, place.path, place.attr)
                self.enter(made, shape)
                self.add_content(key, place.attr, {made})
        for place, root, path in seen.stored:
            owner = self.reach(roots.get(place.root), place.path)
            inner = self.reach(roots.get(root), path)
            if owner is not None and inner is not None:
                self.add_content(owner, place.attr, {inner})
            elif inner is not None:
                self.lose({inner}, "it is assigned to an attribute of what is not followed")
        for place, keys in seen.held.items():
            key = self.reach(roots.get(place.root), place.path)
            if key is not None:
                self.add_content(key, place.attr, self.came(keys))
        if self.pools is not None and not seen.known:
            return True  # what it returns is not known yet
        if seen.returns:
            self.add(target, self.came(seen.returns))
        elif isinstance(seen.result, Shape):
            self.enter(("result", s.site), seen.result)
            self.add(target, {("result", s.site)})
        elif seen.result is not None:
            self.add(target, {roots[seen.result]} if seen.result in roots else {OTHER})
        else:
            held = {n for a in args for n in names_in(a)}
            self.add(target, self.parts(held))
        return True

    def shared_arguments(self, fn: object, bound: Mapping[str, E.Atom]) -> dict[str, Shape]:
        """The arguments that mean what is the same in each function."""
        if self.pools is None:
            return {}
        found: dict[str, Shape] = {}
        for p, a in bound.items():
            keys = self.o.values_of(a)
            if any(map(is_shared, keys)) and all(is_shared(k) or k == OTHER for k in keys):
                found[p] = Shape.among(keys)
        for p in self.functions.left_out(fn, bound):
            found[p] = Shape.among({NONE})
        return found


def _rule(call: E.Call) -> Rule | None:
    if isinstance(call.fn, E.Ref):
        return lookup(call.fn.value)
    return method(call.fn.attr) if isinstance(call.fn, E.Attribute) else None
