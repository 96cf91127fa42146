"""The arguments, seeds and results of a derivative, checked and taken apart."""
