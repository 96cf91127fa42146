"""The functions of source files, without running the files.

A file is parsed and compiled, and nothing of it runs. Its functions are made from their compiled
code; names of NumPy, SciPy and the standard library mean these modules, names imported from files
of the same tree mean what is in those files, and constants are what `constants` makes of them. What
a name means that only a run could tell is noted, and who uses it cannot be analysed.
"""

from __future__ import annotations

import ast
import importlib
import linecache
import tokenize
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adtrans.cli.module_constants import UNCLEAR, evaluate
from adtrans.source.parsed import ParsedFile, parse

_TRUSTED = frozenset({
    "__future__", "abc", "adtrans", "bisect", "cmath", "collections", "copy", "dataclasses",
    "decimal", "enum", "fractions", "functools", "itertools", "math", "numbers", "numpy",
    "operator", "random", "scipy", "statistics", "string", "time", "types", "typing", "warnings",
})  # fmt: skip
_HOOKS = frozenset({"__getattr__", "__dir__"})  # of a module; they would run when it is looked into
_ANNOTATION = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp,
    ast.BitOr, ast.Slice, ast.Load, ast.UnaryOp, ast.USub,
)  # fmt: skip


class Unreadable(Exception):
    """A file that cannot be analysed; the message says why."""


@dataclass
class Found:
    """A function of a file: its name there, and the options that its decorator gives, if
    `differentiable` decorates it."""

    name: str
    fn: types.FunctionType
    line: int
    end: int
    options: Mapping[str, Any] | None = None


@dataclass
class Unimported:
    """One file: its functions, why some names have no known meaning, and the functions that cannot
    be had, each with its line and the reason."""

    path: Path
    module: types.ModuleType
    source: ParsedFile
    functions: list[Found] = field(default_factory=list)
    unclear: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, tuple[int, str]] = field(default_factory=dict)


@dataclass
class Tree:
    """Files that may import each other, each read once. `roots`: where absolute imports are
    looked for, besides the directories above each file that hold its packages."""

    roots: tuple[Path, ...] = ()
    files: dict[Path, Unimported] = field(default_factory=dict)
    depth: int = 0
    again: list[tuple[ast.Import | ast.ImportFrom, Unimported]] = field(default_factory=list)

    def read(self, path: Path) -> Unimported:
        """The file at `path`.

        Raises:
            Unreadable: where it cannot be read or is not Python.
        """
        path = path.resolve()
        if path not in self.files:
            source = parsed(path)
            module = types.ModuleType(path.stem)
            module.__file__ = str(path)
            here = self.files[path] = Unimported(path, module, source)
            self.depth += 1
            self.fill(here)
            self.depth -= 1
            if not self.depth:  # what files that import each other had not yet defined
                waiting, self.again = self.again, []
                for s, other in waiting:
                    self.imports(s, other)
                self.again = []
        return self.files[path]

    def fill(self, here: Unimported) -> None:
        """Bind the names of a file, statement by statement."""
        names = vars(here.module)
        for s in _statements(here.source.tree.body):
            match s:
                case ast.Import() | ast.ImportFrom():
                    self.imports(s, here)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.define(s, here)
                case ast.ClassDef():
                    self.define_class(s, here)
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ) if s.value is not None:
                    value = evaluate(s.value, names)
                    if value is UNCLEAR:
                        names.pop(name, None)
                        here.unclear[name] = f"`{name}` is computed when the module runs"
                    else:
                        names[name] = value
                        here.unclear.pop(name, None)
                case ast.Expr() | ast.Pass() | ast.Assert():
                    pass
                case _:
                    for name in _bound(s):
                        names.pop(name, None)
                        here.unclear[name] = f"`{name}` depends on how the module runs"

    # -- imports -----------------------------------------------------------------------------------

    def imports(self, s: ast.Import | ast.ImportFrom, here: Unimported) -> None:
        """Bind the names of an import: modules that are trusted, and files of the tree."""
        names = vars(here.module)
        value: object | None
        for alias in s.names:
            if isinstance(s, ast.Import):
                bound = alias.asname or alias.name.partition(".")[0]
                value = self.module(alias.name if alias.asname else bound, here.path)
                if not alias.asname and isinstance(value, types.ModuleType):
                    self.attach(value, alias.name, here.path)
            elif alias.name == "*":
                self.star(s, here)
                continue
            else:
                bound = alias.asname or alias.name
                value = self.member(s, alias.name, here)
            if value is None:
                names.pop(bound, None)
                here.unclear[bound] = f"`{bound}` is imported from a module that is not read"
                self.again.append((s, here))
            else:
                names[bound] = value
                here.unclear.pop(bound, None)

    def attach(self, package: types.ModuleType, name: str, path: Path) -> None:
        """Make `a.b` an attribute of `a`, as importing it does."""
        parts = name.split(".")
        for k in range(1, len(parts)):
            inner = self.module(".".join(parts[: k + 1]), path)
            if inner is None:
                return
            vars(package).setdefault(parts[k], inner)
            package = inner

    def member(self, s: ast.ImportFrom, name: str, here: Unimported) -> object | None:
        origin = self.origin(s, here.path)
        module = self.module(origin, here.path) if isinstance(origin, str) else self.at(origin)
        found: object | None = getattr(module, name, None) if module is not None else None
        if found is not None:
            return found
        if isinstance(origin, str):
            return self.module(f"{origin}.{name}", here.path)
        return self.at(origin / name) if origin is not None else None

    def star(self, s: ast.ImportFrom, here: Unimported) -> None:
        origin = self.origin(s, here.path)
        module = self.module(origin, here.path) if isinstance(origin, str) else self.at(origin)
        if module is None:
            return
        public = getattr(module, "__all__", None) or [n for n in vars(module) if n[:1] != "_"]
        for name in public:
            if hasattr(module, name):
                vars(here.module)[name] = getattr(module, name)

    def origin(self, s: ast.ImportFrom, path: Path) -> str | Path | None:
        """The dotted name, or (for a relative import) the place of the module."""
        if not s.level:
            return s.module or ""
        place = path.parent
        for _ in range(s.level - 1):
            place = place.parent
        return place.joinpath(*(s.module or "").split(".")) if s.module else place

    def module(self, name: str, path: Path) -> types.ModuleType | None:
        """The module with a dotted name: one that may be imported, or a file of the tree."""
        parts = name.split(".")
        if parts[0] in _TRUSTED:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return importlib.import_module(name)
            except ImportError:
                return None
        found = (self.at(root.joinpath(*parts)) for root in (*_roots(path), *self.roots))
        return next((module for module in found if module is not None), None)

    def at(self, place: Path | None) -> types.ModuleType | None:
        """The module whose file (or package) is at `place`, None where there is none."""
        if place is None:
            return None
        for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if file.is_file():
                try:
                    return self.read(file).module
                except Unreadable:
                    return None
        if place.is_dir():  # a package without `__init__`
            return types.ModuleType(place.name)
        return None

    # -- definitions -------------------------------------------------------------------------------

    def define(self, s: ast.FunctionDef | ast.AsyncFunctionDef, here: Unimported) -> None:
        """Bind a function; what its decorators do is not done."""
        names = vars(here.module)
        made = made_function(s, here)
        if isinstance(made, str):
            names.pop(s.name, None)
            here.unclear[s.name] = made
            here.left_out[s.name] = s.lineno, made
            return
        if s.name not in _HOOKS:
            names[s.name] = made
        here.unclear.pop(s.name, None)
        here.functions.append(Found(s.name, made, s.lineno, _end(s), decorated(s, names)))

    def define_class(self, s: ast.ClassDef, here: Unimported) -> None:
        """Bind a class with its methods and constants."""
        names = vars(here.module)
        names.pop(s.name, None)
        bases = [evaluate(b, names) for b in s.bases]
        if s.keywords or any(not isinstance(b, type) for b in bases):
            here.unclear[s.name] = f"the class `{s.name}` has bases that are not known"
            return
        members: dict[str, Any] = {"__module__": "__main__", "__annotations__": {}}
        found: list[Found] = []
        itself = types.CellType()
        for inner in s.body:
            match inner:
                case ast.FunctionDef():
                    made = made_function(inner, here, itself)
                    if isinstance(made, str):
                        here.left_out[f"{s.name}.{inner.name}"] = inner.lineno, made
                    else:
                        made.__qualname__ = f"{s.name}.{inner.name}"
                        options = decorated(inner, names)
                        name = made.__qualname__
                        found.append(Found(name, made, inner.lineno, _end(inner), options))
                        members[inner.name] = _wrapped(inner, made)
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as e)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as e)
                ) if (value := evaluate(e, {**names, **members})) is not UNCLEAR:
                    members[name] = value
            if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
                hint = evaluate(inner.annotation, {**names, **members})
                members["__annotations__"][inner.target.id] = (
                    object if hint is UNCLEAR or isinstance(hint, str) else hint
                )
        try:
            cls = types.new_class(s.name, tuple(bases), {}, lambda space: space.update(members))
            for d in s.decorator_list:
                if evaluate(d.func if isinstance(d, ast.Call) else d, names) is dataclass:
                    cls = dataclass(cls)
        except Exception as problem:  # whatever a base class does when it is inherited from
            here.unclear[s.name] = f"the class `{s.name}` cannot be made: {problem}"
            return
        itself.cell_contents = cls
        names[s.name] = cls
        here.unclear.pop(s.name, None)
        here.functions.extend(found)


def parsed(path: Path) -> ParsedFile:
    """A file as a tree and as code. Raises `Unreadable`."""
    try:
        with tokenize.open(path) as file:
            text = file.read()
        linecache.checkcache(str(path))  # where the file was read before and has changed
        return parse(str(path), text)
    except SyntaxError as problem:
        where = f" in line {problem.lineno}" if problem.lineno else ""
        raise Unreadable(f"not Python: {problem.msg}{where}") from problem
    except (OSError, UnicodeError, ValueError, RecursionError, MemoryError) as problem:
        raise Unreadable(f"cannot be read: {problem or type(problem).__name__}") from problem


def unclear_names(fn: types.FunctionType, tree: Tree) -> dict[str, str]:
    """Why names that a function uses, or a function of the tree that it calls, are not known."""
    by_file = {str(path): unit for path, unit in tree.files.items()}
    found: dict[str, str] = {}
    seen: set[int] = set()
    waiting = [fn]
    while waiting:
        f = waiting.pop()
        if id(f) in seen:
            continue
        seen.add(id(f))
        unit = by_file.get(f.__code__.co_filename)
        if unit is None:
            continue
        for name in _names_of(f.__code__):
            if name in unit.unclear:
                found[name] = unit.unclear[name]
            value = vars(unit.module).get(name)
            if isinstance(value, types.FunctionType):
                waiting.append(value)
    return found


def decorated(
    s: ast.FunctionDef | ast.AsyncFunctionDef, names: Mapping[str, object]
) -> Mapping[str, Any] | None:
    """The options of `differentiable` above a function; None where that is not there."""
    import adtrans

    for d in s.decorator_list:
        call = d if isinstance(d, ast.Call) else None
        if evaluate(call.func if call else d, names) is adtrans.differentiable:
            keywords = call.keywords if call else []
            values = {str(k.arg): evaluate(k.value, names) for k in keywords if k.arg}
            return {k: v for k, v in values.items() if v is not UNCLEAR}
    return None


def made_function(
    s: ast.FunctionDef | ast.AsyncFunctionDef,
    here: Unimported,
    itself: types.CellType | None = None,
) -> types.FunctionType | str:
    """The function that `s` defines, without its decorators; or why it cannot be had."""
    names = vars(here.module)
    code = here.source.code_of(s, s.name)
    if code is None:
        return f"`{s.name}` is in a part of the file that never runs, as behind a `raise`"
    args, a = [], s.args
    for default in a.defaults:
        args.append(evaluate(default, names))
    keywords = {
        p.arg: evaluate(d, names) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d
    }
    if any(value is UNCLEAR for value in (*args, *keywords.values())):
        return f"a default of `{s.name}` is computed when the module runs"
    if any(name != "__class__" for name in code.co_freevars):
        return f"`{s.name}` captures variables of a class body"
    cells = tuple(itself or types.CellType() for _ in code.co_freevars)
    fn = types.FunctionType(code, names, s.name, tuple(args), cells)
    fn.__kwdefaults__ = keywords
    given = ((p.arg, p.annotation) for p in (*a.posonlyargs, *a.args, *a.kwonlyargs))
    fn.__annotations__ = {name: text for name, e in given if (text := _annotation(e)) is not None}
    return fn


def _annotation(e: ast.expr | None) -> str | None:
    """An annotation as text; None where evaluating it could run something."""
    if e is None:
        return None
    text = e.value if isinstance(e, ast.Constant) and isinstance(e.value, str) else ast.unparse(e)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return text  # not an expression, but perhaps `float64[:]` written in another way
    return text if all(isinstance(n, _ANNOTATION) for n in ast.walk(tree)) else None


def _end(s: ast.stmt) -> int:
    return s.end_lineno or s.lineno


def _wrapped(s: ast.FunctionDef, fn: types.FunctionType) -> object:
    """A method as its class holds it."""
    names = {d.id for d in s.decorator_list if isinstance(d, ast.Name)}
    if "staticmethod" in names:
        return staticmethod(fn)
    if "classmethod" in names:
        return classmethod(fn)
    return property(fn) if "property" in names else fn


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module that take effect when it is imported, as far as that is plain."""
    for s in body:
        match s:
            case ast.If(test=test) if "TYPE_CHECKING" in ast.unparse(test):
                yield from _statements(s.body)
            case ast.If(test=test) if "__name__" in ast.unparse(test):
                continue
            case ast.Try():
                yield from _statements((*s.body, *s.orelse, *s.finalbody))
            case _:
                yield s


def _bound(s: ast.stmt) -> set[str]:
    """The names that a statement may bind."""
    found: set[str] = set()
    for n in ast.walk(s):
        match n:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.add(name)
            case ast.alias():
                found.add(n.asname or n.name.partition(".")[0])
            case _:
                pass
    return found


def _names_of(code: types.CodeType) -> set[str]:
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return {*code.co_names}.union(*(_names_of(c) for c in inner))


def _roots(path: Path) -> tuple[Path, ...]:
    """The directory that holds the outermost package of a file, and the file's own directory."""
    place = path.parent
    while (place / "__init__.py").is_file() and place.parent != place:
        place = place.parent
    return (place,) if place == path.parent else (path.parent, place)
