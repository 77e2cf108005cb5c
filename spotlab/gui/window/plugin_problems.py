"""Says in the window which of other people's packages cannot be used."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from spotlab import registry
from spotlab.gui.window.banner import Banner


class PluginProblems(QObject):
    """Shows in the banner what the registry leaves out, in whatever thread it is found."""

    _arrived = Signal(str)

    def __init__(self, banner: Banner) -> None:
        super().__init__(banner)
        self._banner = banner
        self._arrived.connect(self._show, Qt.ConnectionType.QueuedConnection)
        disconnect = registry.on_problem(self._arrived.emit)
        self.destroyed.connect(disconnect)
        if registry.problems():
            self._show()

    def _show(self, _: str = "") -> None:
        lines = registry.problems()
        text = lines[0]
        if len(lines) > 1:
            text = (
                f"{len(lines)} extensions from other packages cannot be used, for example: {text}"
            )
        self._banner.show_remark(f"{text}. Help → About spotlab lists them.", "\n".join(lines))


def problems_list() -> str:
    """All of it in Markdown, for the page about the program; empty where there is none."""
    lines = [f"- {_escaped(line)}\n" for line in registry.problems()]
    return "## Packages that cannot be used\n\n" + "".join(lines) if lines else ""


def _escaped(text: str) -> str:
    """The text as Markdown shows it."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|!" else sign for sign in text)
