"""Mutants of the analyser: what is changed (`rules`, `dropped`), which tests may notice it."""
