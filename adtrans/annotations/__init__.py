"""Kinds that annotations, classes and texts state."""
