"""The functions of one compilation: their instances, and the solver that goes over them."""
