"""Modules that are imported when something of them is used first.

What a workspace declares, such as its menus and panels, is read at every start of the window; what
that does is imported when somebody wants it. Such a module is named twice, which a test compares::

    if TYPE_CHECKING:
        from spotlab.gui.words.means import save_report
    else:
        save_report = late("spotlab.gui.words.means.save_report")
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LateModule:
    """Stands for a module; to be used in functions, as every use imports it.

    Parameters
    ----------
    name : str
        Dotted.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(import_module(self._name), attribute)
        self.__dict__[attribute] = value  # it is found without this function from now on
        return value


def late(name: str) -> Any:
    """The module of this dotted name, which is imported when something of it is used.

    Examples
    --------
    >>> late("spotlab.gui.kit.late").late is late
    True
    """
    return LateModule(name)
