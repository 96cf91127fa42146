"""Functions made from changed trees, executable like the function that they come from.

They see its globals and its closure cells, and each other.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import gast

from adtrans.source.find import MADE, SourceFunction


def made_functions(
    source: SourceFunction,
    node: gast.FunctionDef,
    inner: Sequence[gast.FunctionDef],
    others: Mapping[str, object] = MappingProxyType({}),
    wrapped: Mapping[str, Callable[..., object]] = MappingProxyType({}),
) -> SourceFunction:
    """`source` with the tree `node`, in which the names of the functions `inner` are free, and
    those of `others`. `wrapped`: the decorators of some of the functions."""
    cells = dict(
        zip(source.fn.__code__.co_freevars, source.fn.__closure__ or (), strict=True)
    )
    cells.update({n.name: types.CellType() for n in inner})
    cells.update({name: types.CellType(value) for name, value in others.items()})
    for n in inner:
        name = f"{source.qualname}.<locals>.{n.name}"
        fn = _made(source, n, cells, name)
        fn.__name__ = n.name
        cells[n.name].cell_contents = wrapped.get(n.name, _itself)(fn)
    outer = _function(source, node, cells)
    outer.__defaults__, outer.__kwdefaults__ = source.fn.__defaults__, source.fn.__kwdefaults__
    return replace(source, node=node, fn=outer)


SPOKEN = "__adtrans_spoken__"
"""Of a class whose objects stand for functions defined inside: what messages call one of them."""


def made_class(
    source: SourceFunction,
    name: str,
    qualname: str,
    methods: Sequence[gast.FunctionDef],
    bases: tuple[type, ...] = (),
    held: Mapping[str, object] = MappingProxyType({}),
) -> type:
    """A class with these methods, which see what `source` sees. `held`: what else it has."""
    cells = dict(zip(source.fn.__code__.co_freevars, source.fn.__closure__ or (), strict=True))
    found: dict[str, object] = {"__module__": source.fn.__module__ or "", "__qualname__": qualname}
    found.update(held)
    for n in methods:
        found[n.name] = _made(source, n, cells, f"{name}.{n.name}")
    return type(name, bases, found)


def _made(
    source: SourceFunction, node: gast.FunctionDef, cells: dict[str, types.CellType], name: str
) -> types.FunctionType:
    """A function of this tree that knows its source."""
    fn = _function(source, node, cells)
    fn.__qualname__ = name
    fn.__dict__[MADE] = replace(
        source,
        name=node.name,
        qualname=name,
        node=node,
        fn=fn,
        signature=inspect.signature(fn),
        bound_args=(),
        bound_kwargs={},
        is_method=False,
    )
    return fn


def _function(
    source: SourceFunction, node: gast.FunctionDef, cells: dict[str, types.CellType]
) -> types.FunctionType:
    """The function that `node` defines, with these closure cells."""
    names = [gast.Name(n, gast.Param(), None, None) for n in cells if n != node.name]
    args = gast.arguments(names, [], None, [], [], None, [])
    # a global function that calls itself means the global one
    own = node.name if node.name in cells else f"{node.name}_here"
    plain = gast.FunctionDef(own, node.args, node.body, [], None, None, [])
    gast.copy_location(plain, node)
    around: gast.stmt = gast.FunctionDef("around", args, [plain], [], None, None, [])
    owner = source.fn.__qualname__.split(".<locals>")[0].rpartition(".")[0]
    if owner:  # names with two underscores in front belong to the class
        around = gast.ClassDef(owner.rpartition(".")[2], [], [], [around], [], [])
    tree = ast.fix_missing_locations(gast.gast_to_ast(gast.Module([around], [])))
    assert isinstance(tree, ast.Module)
    codes = _codes(compile(tree, source.file, "exec", dont_inherit=True))
    first = next(c for c in codes if c.co_name == "around")
    code = next(c for c in first.co_consts if isinstance(c, types.CodeType))
    code = code.replace(co_name=node.name)
    # `super(type(self), self)` wants to know the class here, also where it does not in yours
    unknown = {"__class__": types.CellType()} | cells
    closure = tuple(unknown[n] for n in code.co_freevars)
    fn = types.FunctionType(code, source.fn.__globals__, node.name, None, closure)
    defaults = [_constant(d) for d in node.args.defaults]
    fn.__defaults__ = tuple(defaults) or None
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    fn.__kwdefaults__ = {p.id: _constant(d) for p, d in pairs if d is not None} or None
    return fn


def _itself(fn: types.FunctionType) -> object:
    return fn


def _constant(node: gast.expr) -> object:
    """The value of a literal default; other defaults are set by the caller."""
    try:
        return ast.literal_eval(gast.unparse(node))
    except ValueError:
        return None


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _codes(const)
