"""Keeps no sources of the modules that are imported while the window is open.

PySide reads the source of each to learn whether it names PySide6, since such a module may ask for
other names of Qt's functions. It reads with `inspect`, which keeps every line: some 40 MB.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import PySide6.QtCore  # noqa: F401 - makes the module that is looked up below

READER = "shibokensupport.feature", "_mod_uses_pyside"


def keep_no_sources() -> None:
    """Have PySide read sources without keeping them, where it is the PySide that is known here."""
    module, name = sys.modules.get(READER[0]), READER[1]
    known: Callable[[ModuleType], bool] | None = getattr(module, name, None)
    if known is not None and known is not names_pyside:
        setattr(module, name, names_pyside)


def names_pyside(module: ModuleType) -> bool:
    """Tell whether the source of a module names PySide6; False where there is none to be read."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or not file.endswith(".py"):
        return False
    try:
        return b"PySide6" in Path(file).read_bytes()
    except OSError:
        return False
