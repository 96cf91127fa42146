"""The feature matrix: a small program for each construct, and what each mode makes of it."""
