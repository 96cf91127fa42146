"""The versions of a derivative, chosen by the arguments of a call."""
