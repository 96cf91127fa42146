"""Rules about what comes from outside and may change, what is asked once, and what a list holds."""

from __future__ import annotations

from tests.mutation.model import Mutant

ANALYSES = "adtrans/analyses/"
CONTAINERS, CLASSES = "adtrans/driver/changed_containers.py", "adtrans/driver/class_data.py"
FIXED, ACTING, REPEATABLE = (
    "adtrans/analyses/fixed.py",
    "adtrans/analyses/acting.py",
    "adtrans/analyses/repeatable.py",
)
ROWS, LISTS = "adtrans/analyses/nested_rows.py", "adtrans/analyses/kinds/lists.py"
ADDRESSED, ALIASING = "adtrans/analyses/addressed.py", "adtrans/analyses/aliasing.py"
PLACES, FLAT = "adtrans/analyses/places.py", "adtrans/analyses/flat.py"
STORES = "adtrans/analyses/refused/unknown_stores.py"
CHANGED, IN_CLASSES = ("tests/memory/test_changed_containers.py",), (
    "tests/memory/test_class_data.py",)
ASKED = ("tests/analyses/test_fixed.py", "tests/language/order/test_conditions.py",
    "tests/memory/test_read_again.py")
ONCE = ("tests/memory/test_run_once.py",)
SECOND = ("tests/modes/test_second_order_objects.py", *ONCE)
JOINED = ("tests/language/containers/test_joined_lists.py",)
HELD = ("tests/analyses/test_lists_of_kinds.py", "tests/language/containers/test_values_or_none.py")
FATE = "tests/suites/test_corpus.py::test_fate"
RANKS, SIDES = (f"{FATE}[ranks-",), (f"{FATE}[side_by_side-",)

OUTSIDE = (
    # containers that a function got
    Mutant("changed containers: no other name means the container", CONTAINERS,
           "case S.Alias(source=source) if E.Name(source) not in seen:",
           "case S.Alias(source=source) if False:", CHANGED),
    Mutant("changed containers: a method that is taken under a name changes nothing", CONTAINERS,
           "case E.Ref(text=text, value=BuiltinMethodType(__self__=c, __name__=attr)):",
           "case E.Ref(text=text, value=BuiltinMethodType(__self__=c, __name__=attr)) if 0:",
           CHANGED),
    Mutant("changed containers: another function changes them before the call", CONTAINERS,
           "if m.source is source and not _may_follow(change, call, ir):",
           "if m.source is not source or not _may_follow(change, call, ir):", CHANGED),
    Mutant("changed containers: a loop goes round once", CONTAINERS,
           "if change.span in inside and any(", "if False and any(", CHANGED),
    # attributes of classes
    Mutant("class data: no function that is followed assigns them", CLASSES,
           "stored |= set_in_classes(ir.body)", "pass", IN_CLASSES),
    Mutant("class data: no other function assigns them", CLASSES,
           "if isinstance(f, FunctionType) and id(f) not in lowered:", "if False:", IN_CLASSES),
    # what stays what it is
    Mutant("fixed: lists are", FIXED, "_FIXED = (\n    int,", "_FIXED = (\n    list, int,", ASKED),
    Mutant("fixed: a tuple is, whatever it holds", FIXED,
           "return all(is_fixed(v) for v in value)", "return True", ASKED),
    Mutant("fixed: a member of an enumeration has no truth of its own", FIXED,
           'return not any(isinstance(f, FunctionType) and f.__module__ != "enum" for f in asked)',
           "return True", ASKED),
    Mutant("fixed: no attribute is assigned", FIXED,
           "return False  # what may be assigned", "return True", ASKED),
    Mutant("fixed: a method asks its arguments only", FIXED,
           "return is_fixed(of) and all(", "return all(", ASKED),
    # what runs code of the user's
    Mutant("acting: conditions and loops ask nothing", ACTING,
           "if isinstance(s, S.If | S.While | S.For) and any(acts(e, facts) for e in operands(s)):",
           "if False:", ONCE),
    Mutant("acting: properties do nothing", ACTING,
           "return isinstance(found, property | functools.cached_property)", "return False",
           ONCE),
    Mutant("acting: attributes that are not there are not asked for", ACTING,
           'if any(n in ("__getattr__", "__getattribute__") for n, _ in members(cls)):',
           "if False:", ONCE),
    # what may be run again
    Mutant("repeatable: what is written outlasts no run", REPEATABLE,
           'if any(o.form not in ("site", "list", "param", "held") for o in facts.memory.written):',
           "if False:", SECOND),
    Mutant("repeatable: functions that are called may be", REPEATABLE,
           "return unit is not None and unit.summary.repeatable", "return True", SECOND),
    Mutant("repeatable: primitives have no effect", REPEATABLE,
           "if app is not None and app.rule.impure and not _is_identity(s):",
           "if False:", SECOND),
    Mutant("repeatable: calls of what is not known are pure", REPEATABLE,
           "case ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Global():",
           "case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Global():", SECOND),
    # lists of lists, and what lists hold
    Mutant("nested rows: lists of lists are lists of numbers", ROWS,
           "if is_differentiable(kind) and has_lists(kind):", "if False:", JOINED),
    Mutant("nested rows: tuples hold no lists", ROWS,
           "if isinstance(item, ListOf):", "if False:", JOINED),
    Mutant("lists: what is narrowed holds at once", LISTS,
           "if self._found == self._content:\n            return True\n        self._narrow",
           "if True:\n            return True\n        self._narrow", HELD),
    Mutant("lists: what is not known is nothing", LISTS,
           "added = added if self._careful else so_far", "added = so_far", HELD),
    Mutant("lists: a method under a name puts nothing into them", LISTS,
           "yield var, UNKNOWN  # a method under a name, which may be called anywhere",
           "yield var, NEVER", HELD),
    # arrays of several ranks, targets of loops, flat positions
    Mutant("addressed: numbers have addresses", ADDRESSED,
           "if not isinstance(kind, Array) or not (kind.least_ndim or self.is_single(var, kind)):",
           "if not isinstance(kind, Array):", RANKS),
    Mutant("aliasing: no two targets of a loop look into one array", ALIASING,
           "near |= receiving[i] if linked[k] & linked[i] else 0", "pass",
           SIDES),
    Mutant("places: the row of a loop is known after it", PLACES,
           "return self.row(header, var, depth) if inside else SOME",
           "return self.row(header, var, depth)", SIDES),
    Mutant("places: a loop backwards goes forwards", PLACES,
           "base == source and k == position(loop) and facts is not None",
           "base == source and facts is not None", SIDES),
    Mutant("flat: what is assigned is not repeated", FLAT,
           "return (base, value) if isinstance(kind, Array) and kind.ndim else None",
           "return None", (f"{FATE}[flat-",)),
    Mutant("stores: an array has its shape for ever", STORES,
           "            isinstance(facts.kinds.at(s.site, base), Array)\n        ):\n",
           "            False\n        ):\n",
           ("tests/analyses/test_refusals.py",)),
)  # fmt: skip
