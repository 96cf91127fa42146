"""JSON Schema, as much of it as the schemas of this project use.

>>> problems({"type": "array", "items": {"type": "integer"}}, [1, "a"])
["$[1]: 'a' is not of type integer"]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_KNOWN = {
    "$schema", "$defs", "$ref", "type", "const", "enum", "pattern", "minimum", "required",
    "properties", "additionalProperties", "items", "anyOf", "minItems",
}  # fmt: skip


def problems(schema: dict[str, Any], value: Any) -> list[str]:
    """Everything in `value` that does not fit the schema, with its place."""
    return list(_problems(schema, value, "$", schema))


def _problems(s: dict[str, Any], v: Any, place: str, root: dict[str, Any]) -> Iterator[str]:
    assert set(s) <= _KNOWN, f"a keyword that is not understood: {set(s) - _KNOWN}"
    if "$ref" in s:
        yield from _problems(root["$defs"][s["$ref"].rpartition("/")[2]], v, place, root)
    if "const" in s and v != s["const"]:
        yield f"{place}: {v!r} is not {s['const']!r}"
    if "enum" in s and v not in s["enum"]:
        yield f"{place}: {v!r} is none of {s['enum']}"
    if "type" in s:
        types = s["type"] if isinstance(s["type"], list) else [s["type"]]
        fits = any(isinstance(v, _TYPES[t]) for t in types)
        if not fits or (isinstance(v, bool) and "boolean" not in types):
            yield f"{place}: {v!r} is not of type {' or '.join(types)}"
            return
    if "pattern" in s and not re.search(s["pattern"], v):
        yield f"{place}: {v!r} does not match {s['pattern']}"
    if "minimum" in s and v < s["minimum"]:
        yield f"{place}: {v!r} is less than {s['minimum']}"
    if "anyOf" in s and all(list(_problems(one, v, place, root)) for one in s["anyOf"]):
        yield f"{place}: {v!r} fits none of the alternatives"
    if isinstance(v, dict):
        yield from (f"{place}: `{k}` is missing" for k in s.get("required", ()) if k not in v)
        for k, inner in v.items():
            more = s.get("additionalProperties", {})
            if k in s.get("properties", {}):
                yield from _problems(s["properties"][k], inner, f"{place}.{k}", root)
            elif more is False:
                yield f"{place}: `{k}` is not known"
            else:
                yield from _problems(more, inner, f"{place}.{k}", root)
    if isinstance(v, list):
        if len(v) < s.get("minItems", 0):
            yield f"{place}: too few items"
        for n, inner in enumerate(v):
            yield from _problems(s.get("items", {}), inner, f"{place}[{n}]", root)
