"""Primitives that are handed a function: their derivatives are made from that function's."""
