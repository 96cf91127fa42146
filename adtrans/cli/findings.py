"""What `adtrans check` found out, function by function, before it is printed in some format."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from adtrans.annotations.kind_texts import parse_type
from adtrans.annotations.of_classes import kinds_of_parameters
from adtrans.arguments.inputs import Target, target_of
from adtrans.cli.command_targets import functions, load
from adtrans.cli.common import options_of
from adtrans.cli.exit_codes import UsageError
from adtrans.cli.types import parse_types
from adtrans.cli.unimported import Found, Tree, Unreadable, unclear_names
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import AdtransError, CompileError, InternalError
from adtrans.diagnostics.span import Span
from adtrans.dispatch.at_work import too_deep
from adtrans.dispatch.dispatcher import Dispatcher
from adtrans.driver.options import Options
from adtrans.driver.report import Report
from adtrans.ir.effort import TooMuch, at_most
from adtrans.ir.kinds import PY_FLOAT, Array, Instance, Kind, is_differentiable
from adtrans.pipeline import Compiled
from adtrans.recorder.fallback import falls
from adtrans.recorder.foretold import refuses
from adtrans.recorder.rewritten import tree_rewritten

Status = Literal["accepted", "recorded", "refused", "unclear", "failed"]
_NOT_SEARCHED = frozenset({"__pycache__", "node_modules", "build", "dist", "site-packages"})
_UNKNOWN = ("AD201", "AD205", "AD206", "AD401", "AD402", "AD403")  # of what is not known
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")  # analysed where objects are made


@dataclass(frozen=True, slots=True)
class Outcome:
    """One function: accepted; recorded, because of `diagnostics`, which are notes; refused with
    `diagnostics`; unclear, because that depends on what the
    parameters `missing` are; or failed, by a defect of adtrans."""

    name: str
    file: str
    line: int
    status: Status
    report: Report | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    missing: tuple[str, ...] = ()
    compiled: Compiled | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, or a function of one, that was not analysed, and why; `broken`: it is not Python."""

    file: str
    reason: str
    line: int = 1
    name: str = ""
    broken: bool = False


def find(args: argparse.Namespace) -> Iterator[Outcome | Skipped]:
    """The outcome for everything that the command line names.

    Raises:
        UsageError: where something named does not exist.
    """
    for place in args.places:
        path = Path(place)
        if not path.exists():
            yield outcome(place, load(place), args)
        elif args.run_modules:
            decorated = list(functions(path, everything=args.all))
            for name, fn in decorated or functions(path, everything=True):
                yield outcome(name, fn, args)
        else:
            yield from in_files(path, args)


def in_files(path: Path, args: argparse.Namespace) -> Iterator[Outcome | Skipped]:
    """The outcomes for a file, or for the files below a directory, none of which is imported."""
    tree = Tree((path.resolve(), Path.cwd()) if path.is_dir() else (Path.cwd(),))
    for file in files_below(path) if path.is_dir() else [path]:
        try:
            unit = tree.read(file)
        except Unreadable as problem:
            yield Skipped(str(file), str(problem), broken=True)
            continue
        plain = [f for f in unit.functions if f.name.rpartition(".")[2] not in _CONSTRUCTORS]
        chosen = [f for f in unit.functions if f.options is not None]
        if args.all or (not chosen and not path.is_dir()):
            chosen = [f for f in unit.functions if f in plain or f in chosen]
        for found in chosen:
            why = unclear_names(found.fn, tree)
            if not inspect.signature(found.fn).parameters:
                continue  # nothing to differentiate with respect to
            if why:
                reason = "; ".join(why[name] for name in sorted(why))
                yield Skipped(str(file), reason, found.line, found.name)
            else:
                yield outcome(f"{file}:{found.name}", found.fn, args, found)
        for name, (line, reason) in sorted(unit.left_out.items()):
            yield Skipped(str(file), reason, line, name)


def what_they_are(o: Outcome) -> str:
    """The parameters of unknown kind: `` `u` is ``, or `` `u`, `v` are ``."""
    names = ", ".join(f"`{name}`" for name in o.missing)
    return f"{names} {'is' if len(o.missing) == 1 else 'are'}"


def files_below(path: Path) -> Iterator[Path]:
    """The Python files below a directory, in order; not those of hidden directories,
    environments, and directories of generated files."""
    try:
        inside = sorted(path.iterdir())
    except OSError:
        return
    for p in inside:
        if p.is_dir():
            known = p.name in _NOT_SEARCHED or p.name.startswith(".")
            if not known and not p.is_symlink() and not (p / "pyvenv.cfg").exists():
                yield from files_below(p)
        elif p.suffix == ".py":
            yield p


def outcome(
    name: str, fn: Callable[..., Any], args: argparse.Namespace, found: Found | None = None
) -> Outcome:
    """What becomes of one function."""
    code = getattr(fn, "__code__", None)
    file, line = (code.co_filename, code.co_firstlineno) if code is not None else ("", 1)
    line = line if found is None else found.line
    kinds = kinds_of_parameters(fn)
    if args.types:
        kinds |= parse_types(args.types)
    kinds = {p: _with_axes(k) for p, k in kinds.items()}
    steps = getattr(args, "steps", 0)
    try:
        with at_most(steps):
            return _told(name, fn, args, kinds, found, (file, line))
    except (TooMuch, RecursionError) as stopped:
        place = Span(file, line, 0, line, 0)
        deep = isinstance(stopped, RecursionError)
        problem = too_deep("its calls are too deep", place) if deep else _too_much(steps, place)
        params = tuple(inspect.signature(fn).parameters)
        unknown = tuple(p for p in params if p not in kinds)
        options = chosen_options(args, {} if found is None else found.options or {})
        if not unknown and options.on_unfollowed == "record":
            return recorded(name, file, line, (problem,))
        missing = unknown or params
        return Outcome(name, file, line, "unclear", None, (problem,), missing)


def _too_much(steps: int, place: Span) -> Diagnostic:
    return Diagnostic(
        "AD208",
        f"the analysis takes more than {steps} steps",
        place,
        why="what it calls has many versions, for the kinds that may reach it",
        fixes=[
            Fix("say what the parameters are, by annotations or `--types`"),
            Fix("allow more with `--steps`; 0 is without a bound"),
        ],
    )


def _told(
    name: str,
    fn: Callable[..., Any],
    args: argparse.Namespace,
    kinds: dict[str, Kind],
    found: Found | None,
    place: tuple[str, int],
) -> Outcome:
    """What becomes of one function whose parameters are of these kinds."""
    file, line = place
    try:
        options = chosen_options(args, {} if found is None else found.options or {})
        if options.on_unfollowed == "always":
            return recorded(name, file, line, ())
        target = target_of(fn)
        wrt = target.select(options.wrt or what_varies(target, kinds))
        dispatcher = Dispatcher(target, replace(options, wrt=None), wrt)
        compiled = dispatcher.general(kinds).compiled
    except InternalError as error:
        return Outcome(name, file, line, "failed", None, error.diagnostics)
    except AdtransError as error:
        report, problems = getattr(error, "report", None), error.diagnostics
        missing = tuple(p for p in inspect.signature(fn).parameters if p not in kinds)
        vague = tuple(p for p in kinds if _is_vague(kinds[p]))
        if isinstance(error, CompileError) and (missing or vague):
            problems = _in_any_case(problems, dispatcher, kinds, missing, vague)
            if missing:  # keys of what may be a dictionary
                problems = tuple(d for d in problems if d.code != "AD207")
        objects = tuple(p for p in kinds if isinstance(kinds[p], Instance))
        if objects:
            problems = tuple(d for d in problems if d.code not in _UNKNOWN)
        if problems and falls(error, options):
            try:
                tree_rewritten(target.fn)
            except CompileError as other:  # asynchronous code, or no source
                return Outcome(name, file, line, "refused", report, other.diagnostics)
            certain = tuple(d for d in problems if d.callee is not None and refuses(d.callee))
            if not certain:
                return recorded(name, file, line, problems)
            problems = certain
        if problems:
            return Outcome(name, file, line, "refused", report, problems)
        missing = missing + vague + objects
        return Outcome(name, file, line, "unclear", report, error.diagnostics, missing)
    report = compiled.report
    return Outcome(name, file, line, "accepted", report, report.notes, (), compiled)


def recorded(name: str, file: str, line: int, problems: tuple[Diagnostic, ...]) -> Outcome:
    """The outcome for a function that is recorded, as the compiler cannot follow it."""
    report = Report(name.rpartition(":")[2], (), recorded=problems)
    notes = tuple(replace(d, severity="note") for d in problems)
    return Outcome(name, file, line, "recorded", report, notes)


def _with_axes(kind: Kind) -> Kind:
    """`kind`, where an array of which nobody says how many axes it has has one at least: nearly all
    do, and operations on one without axes give numbers."""
    if isinstance(kind, Array) and kind.dims is None and not kind.least:
        return replace(kind, least=1)
    return kind


def _is_vague(kind: Kind) -> bool:
    """Whether all that is known is that it is an array."""
    return isinstance(kind, Array) and kind.dims is None


def what_varies(target: Target, kinds: Mapping[str, Kind]) -> tuple[str, ...] | None:
    """Where the first parameter is an object, or there is none but that of a method: the numbers
    and arrays in it; None for what is usual."""
    first = next(iter(target.visible or target.params), "")
    kind = kinds.get(first)
    if not isinstance(kind, Instance):
        return None
    return tuple(_numbers_in(first, kind)) or None


def _numbers_in(path: str, kind: Kind) -> Iterator[str]:
    if isinstance(kind, Instance):
        for name, field in kind.fields:
            yield from _numbers_in(f"{path}.{name}", field)
    elif is_differentiable(kind):
        yield path


def _in_any_case(
    problems: tuple[Diagnostic, ...],
    dispatcher: Dispatcher,
    kinds: dict[str, Kind],
    missing: tuple[str, ...],
    vague: tuple[str, ...],
) -> tuple[Diagnostic, ...]:
    """The problems that remain whether the parameters of unknown kind are numbers or arrays, and
    however many axes arrays have of which nobody says it."""
    for given in _cases(kinds, missing, vague):
        if not problems:
            break
        try:
            dispatcher.compile(given)
        except InternalError:
            return ()
        except AdtransError as error:
            here = {(d.code, d.primary.span) for d in error.diagnostics}
            problems = tuple(d for d in problems if (d.code, d.primary.span) in here)
        else:
            return ()
    return problems


def _cases(
    kinds: dict[str, Kind], missing: tuple[str, ...], vague: tuple[str, ...]
) -> Iterator[dict[str, Kind]]:
    """The kinds of all parameters, with those that are not known replaced by what they may be."""
    for kind in (PY_FLOAT, Array("float64", None)) if missing else (PY_FLOAT,):
        guessed = {**dict.fromkeys(missing, kind), **kinds}
        yield guessed
        for axes in (":", ":,:", ":,:,:") if vague else ():
            yield guessed | {p: parse_type(f"{_dtype(kinds[p])}[{axes}]", p) for p in vague}


def _dtype(kind: Kind) -> str:
    return (kind.dtype if isinstance(kind, Array) else None) or "float64"


def chosen_options(args: argparse.Namespace, given: Mapping[str, Any]) -> Options:
    """What the command line says, and for the rest what the decorator does."""
    typed = options_of(args)
    usual = Options()
    names = ("wrt", "on_overwrite", "on_unproven", "on_unfollowed")
    of = {n: getattr(typed, n) for n in names if getattr(typed, n) != getattr(usual, n)}
    return Options(**{k: v for k, v in given.items() if k in names} | of)


def line_of(text: str) -> tuple[Path, int] | None:
    """`heat.py:14` as a file and a line, None for anything else.

    Raises:
        UsageError: where there is no such file or line.
    """
    place, _, number = text.rpartition(":")
    if not place or not number.isdigit():
        return None
    path = Path(place)
    if not path.is_file():
        raise UsageError(f"there is no file `{place}`")
    return path, int(number)
