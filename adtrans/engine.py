"""Everything that is needed once a function is differentiated; `api` and `modes` load it then.

Importing adtrans, and decorating functions, costs next to nothing because of that.

>>> recipe_of(lambda x: x, Options()).select()
('x',)
"""

from adtrans.derivative import Derived, Gradient, as_called, recipe_of
from adtrans.diagnostics.errors import CompileError
from adtrans.elementwise import ElementwiseGradient
from adtrans.inputs import refuse
from adtrans.jacobians import Hessian, Jacobian
from adtrans.linear import Linear, run_linearize
from adtrans.operations import operation
from adtrans.options import Options
from adtrans.pullbacks import Pullback, run_vjp
from adtrans.recipes import Recipe
from adtrans.report import Report
from adtrans.tangents import run_hvp, run_jvp
from adtrans.wholes import in_attributes

__all__ = [
    "CompileError", "Derived", "ElementwiseGradient", "Gradient", "Hessian", "Jacobian", "Linear",
    "Options", "Pullback", "Recipe", "Report", "as_called", "in_attributes", "operation",
    "recipe_of", "refuse", "run_hvp", "run_jvp", "run_linearize", "run_vjp",
]  # fmt: skip
