"""Finds what a folder offers, so that a new format or tool is one new file.

Every module of a package is imported and its module-level values of the wanted type are collected
under their ``name``; other people's packages add theirs through an entry point group that is named
like the package. An entry of theirs that cannot be used is left out and told of; it stops nothing.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Any, Protocol, TypeVar

from spotlab.errors import Cancelled
from spotlab.interruption import noticing_ctrl_c
from spotlab.representation import visible

_PLAIN: dict[str, Any] = {
    "str": str, "int": int, "bool": bool, "float": (int, float), "tuple[str, ...]": tuple
}  # fmt: skip
LONGEST = 300  # characters of somebody else's message that are repeated


class Named(Protocol):
    """Anything that can be registered."""

    @property
    def name(self) -> str:
        """The name for users, in commands and in menus."""


Kind = TypeVar("Kind", bound=Named)

_problems: list[str] = []  # each one once, in the order in which they were met
_owners: dict[int, tuple[str, Any]] = {}  # of entry points' values, by id; they are kept for that
_listeners: list[Callable[[str], object]] = []


@cache
def discover(
    package: str,
    kind: type[Kind],
    taken: frozenset[str] = frozenset(),
    modules: tuple[str, ...] | None = None,
) -> dict[str, Kind]:
    """All values of type ``kind`` that the modules of ``package`` and entry points define.

    An entry point that fails to load, is of another type or has a name that is taken is left out;
    `problems` says so.

    Parameters
    ----------
    package : str
        Dotted name, also the entry point group.
    kind : type
        What to collect.
    taken : frozenset of str
        Further names that no entry point may have.
    modules : tuple of str, optional
        Dotted names of the modules that hold the built-in values; by default those of ``package``,
        which otherwise is only the name of the entry point group.

    Returns
    -------
    dict of str to kind
        By name, in alphabetical order of modules; entry points last.

    Raises
    ------
    ValueError
        Two different values in the package itself have the same name.
    """
    found: dict[str, Kind] = {}
    for name in modules_of(package) if modules is None else modules:
        module = importlib.import_module(name)
        for value in vars(module).values():
            if isinstance(value, kind) and found.setdefault(value.name, value) is not value:
                raise ValueError(
                    f"{module.__name__}: {package} has two entries named {value.name!r}"
                )
    for owner, entry in _entries(package):
        what = f"{owner}: the entry {entry.name!r} of {package}"
        value = attempt(what, partial(_loaded, entry, kind, found, taken))
        if value is not None:
            found.setdefault(value.name, value)
            _owners[id(value)] = owner, value
    return found


@cache
def modules_of(package: str) -> tuple[str, ...]:
    """The modules of a package, in alphabetical order, for `discover`."""
    found = pkgutil.iter_modules(importlib.import_module(package).__path__)
    return tuple(f"{package}.{info.name}" for info in sorted(found, key=_name_of))


def _name_of(info: pkgutil.ModuleInfo) -> str:
    return info.name


def problems() -> list[str]:
    """List what other people's packages offer and cannot be used, a line each."""
    return list(_problems)


def on_problem(listener: Callable[[str], object]) -> Callable[[], None]:
    """Call the listener with each further problem, in whatever thread; gives what ends that."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def attempt(what: str, call: Callable[[], Any]) -> Any:
    """Call other people's code; None where it fails, which `problems` then says.

    Parameters
    ----------
    what : str
        Whose code it is and what it is for, as the line begins.
    call : callable

    Examples
    --------
    >>> attempt("the package good 1.0", lambda: 3)
    3
    """
    with noticing_ctrl_c() as was_pressed:
        try:
            return call()
        except Cancelled:
            raise
        except BaseException as error:  # SystemExit, too: nothing may end the program
            if isinstance(error, KeyboardInterrupt) and was_pressed():
                raise
            reason = _reason(error)
    _tell(f"{what} is left out: {reason}")
    return None


def _reason(error: BaseException) -> str:
    """The kind of an error and what it says, in one line that is not too long."""
    try:
        said = " ".join(str(error).split())
    except Exception:  # it cannot even say so
        said = ""
    kind = "" if isinstance(error, _Unusable) else type(error).__name__
    reason = ": ".join(part for part in (kind, said) if part)
    return f"{reason[:LONGEST]}…" if len(reason) > LONGEST else reason


def guarded(value: Named, call: Callable[[], Any]) -> Any:
    """Call something that was discovered; None where other people's fails.

    What fails in spotlab itself is a fault of its own and is raised.
    """
    owner, _ = _owners.get(id(value), ("", None))
    return attempt(f"{owner}: {value.name!r}", call) if owner else call()


def is_outside(value: Named) -> bool:
    """Tell whether a value was discovered in another package."""
    return id(value) in _owners


class _Unusable(Exception):
    """An entry is not what it has to be."""


def _loaded(
    entry: EntryPoint, kind: type[Kind], found: dict[str, Kind], taken: frozenset[str]
) -> Kind:
    try:
        value = entry.load()
    except Cancelled as error:  # nobody cancels while this is imported
        raise _Unusable("it says that it was cancelled") from error
    if not isinstance(value, kind):
        raise _Unusable(
            f"{entry.value} is of type {type(value).__name__}, expected {kind.__name__}"
        )
    name: object = value.name
    if not isinstance(name, str) or not name:
        raise _Unusable(f"{entry.value} has no name")
    _check_fields(value, entry)
    if name in taken or (name in found and found[name] is not value):
        raise _Unusable(f"the name {name!r} is taken")
    return value


def _check_fields(value: Any, entry: EntryPoint) -> None:
    """Raise if a field that is relied on, such as a title or an order, is of another type."""
    for field in fields(value) if is_dataclass(value) else ():
        expected = _PLAIN.get(str(field.type))
        own = getattr(value, field.name)
        _check_fields(own, entry)
        if expected and not isinstance(own, expected):
            problem = f"{field.name} of {entry.value} is of type {type(own).__name__}"
            raise _Unusable(f"{problem}, expected {field.type}")


def _entries(group: str) -> Iterator[tuple[str, EntryPoint]]:
    """The group's entry points, and which package each one comes from."""
    known = set()
    for package in distributions():
        try:
            offers = f"[{group}]" in (package.read_text("entry_points.txt") or "")
        except Exception:
            continue  # whose it is and what it offers cannot be read
        owner = _owner(package) if offers else ""
        if not offers or owner in known:
            continue
        known.add(owner)  # the same folder may be searched twice
        what = f"{owner}: entry_points.txt"
        entries = attempt(what, partial(getattr, package, "entry_points"))
        if entries is not None:
            yield from ((owner, entry) for entry in entries.select(group=group))


def _owner(package: Distribution) -> str:
    try:
        return f"the package {package.metadata['Name']} {package.version}"
    except Exception:
        return f"the package {getattr(package, '_path', '?')}"


def _tell(line: str) -> None:
    if line in _problems:
        return
    _problems.append(line)
    processes = sys.modules.get("multiprocessing")  # takes a while to import
    if processes is None or processes.parent_process() is None:  # who began a worker has said it
        print(f"spotlab: {visible(line)}", file=sys.stderr)
    for listener in list(_listeners):
        listener(line)
