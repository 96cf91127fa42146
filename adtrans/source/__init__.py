"""From a function object to its syntax tree, with positions and the meaning of its free names."""

from adtrans.source.find import SourceFunction, get_source, is_generated
from adtrans.source.positions import span_of
from adtrans.source.scope import MISSING, resolve
from adtrans.source.unwrap import Unwrapped, unwrap

__all__ = [
    "MISSING", "SourceFunction", "Unwrapped", "get_source", "is_generated", "resolve", "span_of",
    "unwrap",
]  # fmt: skip
