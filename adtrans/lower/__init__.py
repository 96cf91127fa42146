"""From syntax trees to the small language: names resolved, expressions flat, exits structured."""

from adtrans.lower.function import lower
from adtrans.lower.syntax import free_names

__all__ = ["free_names", "lower"]
