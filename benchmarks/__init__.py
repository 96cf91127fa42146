"""How fast the generated gradients are, beside adjoints written by hand."""
