"""What a workspace is: its place on the rail, and the panels around the canvas."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

import spotlab.gui
from spotlab.registry import discover

if TYPE_CHECKING:
    from spotlab.gui.window.main_window import MainWindow


@dataclass(frozen=True)
class Panel:
    """A panel of a workspace.

    Attributes
    ----------
    name, title : str
    area : Qt.DockWidgetArea
    widget : QWidget
    width : int
        Screen px, at first.
    shown : bool
        At first.
    beside : str
        Another panel that it shares its place with, as tabs do.
    """

    name: str
    title: str
    area: Qt.DockWidgetArea
    widget: QWidget
    width: int = 260
    shown: bool = True
    beside: str = ""


@dataclass(frozen=True)
class Workspace:
    """One job that the window is for.

    Attributes
    ----------
    name, title, icon, tip : str
        What the rail shows.
    order : int
        Its place on the rail, and the digit that goes with Ctrl.
    make : callable
        Makes its own panels for a window.
    shares : tuple of str
        Panels of other workspaces that are shown in this one, too.
    offers : tuple of str
        Panels of other workspaces that may be shown in this one, and are not at first.
    above : callable or None
        Makes what stands above the canvas for a window.
    pageless : bool
        Whether it has something to show where no collection is open.
    """

    name: str
    title: str
    icon: str
    tip: str
    order: int
    make: Callable[[MainWindow], list[Panel]]
    shares: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    above: Callable[[MainWindow], QWidget] | None = None
    pageless: bool = False


def workspaces() -> list[Workspace]:
    """All workspaces in their order."""
    modules = tuple(
        f"spotlab.gui.{info.name}.workspace"
        for info in pkgutil.iter_modules(spotlab.gui.__path__)
        if info.name in ("annotate", "inspect", "words", "systems")
    )
    found = discover("spotlab.gui.workspaces", Workspace, frozenset(), modules).values()
    return sorted(found, key=lambda workspace: workspace.order)
