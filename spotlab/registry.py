"""Finds what a folder offers, so that a new format or tool is one new file.

Every module of a package is imported and its module-level values of the wanted type are collected
under their ``name``; other people's packages add theirs through an entry point group that is named
like the package.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol, TypeVar


class Named(Protocol):
    """Anything that can be registered."""

    @property
    def name(self) -> str:
        """What it is called by users, in commands and in menus."""


Kind = TypeVar("Kind", bound=Named)


@cache
def discover(package: str, kind: type[Kind]) -> dict[str, Kind]:
    """All values of type ``kind`` that the modules of ``package`` and entry points define.

    Parameters
    ----------
    package : str
        Dotted name, also the entry point group.
    kind : type
        What to collect.

    Returns
    -------
    dict of str to kind
        By name, in alphabetical order of modules; entry points last.

    Raises
    ------
    ValueError
        Two different values have the same name.
    """
    found: dict[str, Kind] = {}

    def add(value: Kind, origin: str) -> None:
        if found.setdefault(value.name, value) is not value:
            raise ValueError(f"{origin}: {package} has two entries named {value.name!r}")

    root = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{package}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, kind):
                add(value, module.__name__)
    for entry in entry_points(group=package):
        add(entry.load(), entry.value)
    return found
