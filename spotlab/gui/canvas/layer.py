"""What a workspace shows on the canvas beside the page and its regions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QKeyEvent, QPainter

from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.view import ViewTransform


class Layer:
    """Paints over the page and answers for what it paints.

    A layer inherits from this class and overrides what it needs. It calls the canvas'
    ``layer_changed`` when it has something else to show.

    Attributes
    ----------
    hides_regions : bool
        Whether the regions of the truth are left out while the layer is shown.
    """

    hides_regions: bool = False

    @property
    def shown(self) -> bool:
        """Whether the layer is painted now."""
        return True

    @property
    def busy(self) -> bool:
        """Whether a thread is still painting."""
        return False

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page, in screen px."""

    def follow(self) -> None:
        """The page or the workspace has changed."""

    def place(self) -> None:
        """The canvas has another size."""

    def describe(self, pointer: Pointer) -> str | None:
        """What is at a place, in words; None where the layer has nothing to say."""
        return None

    def answer(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does; None where the layer has no use for it."""
        return None

    def double_click(self, pointer: Pointer) -> bool:
        """A double click that neither a gesture nor the tool has used; True if the layer has."""
        return False

    def point_out(self, pointer: Pointer) -> bool:
        """Choose what a menu at a place is about; False where the tool is to do that."""
        return False

    def stop(self) -> None:
        """The window goes: stop listening and painting."""
