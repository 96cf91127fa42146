"""Which kind of value each variable holds at each place, by abstract interpretation."""

from adtrans.analyses.iterations import LoopFacts
from adtrans.analyses.kinds.expression_kinds import kind_of_expr
from adtrans.analyses.kinds.infer import infer
from adtrans.analyses.kinds.kind_facts import Kinds
from adtrans.analyses.kinds.kind_keys import kinds_key, may_become_another, outside_key
from adtrans.analyses.kinds.lattice import join
from adtrans.analyses.kinds.values import kind_of_default, kind_of_value, param_kinds

__all__ = [
    "Kinds", "LoopFacts", "infer", "join", "kind_of_default", "kind_of_expr", "kind_of_value",
    "kinds_key", "may_become_another", "outside_key", "param_kinds",
]  # fmt: skip
