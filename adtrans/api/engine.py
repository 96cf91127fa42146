"""Everything that is needed once a function is differentiated; `api` and `modes` load it then.

Importing adtrans, and decorating functions, costs next to nothing because of that.

>>> recipe_of(lambda x: x, Options()).select()
('x',)
"""

from adtrans.api.compiled_calls import operation
from adtrans.api.derived import Derived, as_called, recipe_of
from adtrans.api.elementwise import ElementwiseGradient
from adtrans.api.gradients import Gradient
from adtrans.api.jacobians import Hessian, Jacobian
from adtrans.api.linearized import Linear, run_linearize
from adtrans.api.pullbacks import Pullback, run_vjp
from adtrans.api.pushforwards import run_hvp, run_jvp
from adtrans.arguments.inputs import refuse
from adtrans.arguments.object_trees import in_attributes
from adtrans.diagnostics.errors import CompileError
from adtrans.dispatch.recipes import Recipe
from adtrans.driver.options import Options
from adtrans.driver.report import Report

__all__ = [
    "CompileError", "Derived", "ElementwiseGradient", "Gradient", "Hessian", "Jacobian", "Linear",
    "Options", "Pullback", "Recipe", "Report", "as_called", "in_attributes", "operation",
    "recipe_of", "refuse", "run_hvp", "run_jvp", "run_linearize", "run_vjp",
]  # fmt: skip
