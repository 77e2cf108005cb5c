"""The tiles of regions of one zoom and rotation, and where they are on the screen."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from spotlab.gui.canvas.region_tiles import SIDE
from spotlab.gui.canvas.view import ViewTransform

Address = tuple[int, int]


@dataclass
class Sheet:
    """The tiles of one zoom and rotation; address (0, 0) begins at the page's origin.

    Attributes
    ----------
    scale, angle, ratio : float
        Of the view that they are drawn for.
    images : dict of (int, int) to QImage
        The tiles that are there, by column and row; null where there is no region.
    stale : set of (int, int)
        Tiles that are shown until they are drawn again.
    """

    scale: float
    angle: float
    ratio: float
    images: dict[Address, QImage] = field(default_factory=dict)
    stale: set[Address] = field(default_factory=set)

    def fits(self, view: ViewTransform) -> bool:
        """Whether they are of the zoom and rotation of a view."""
        return (self.scale, self.angle, self.ratio) == (view.scale, view.angle, view.ratio)


def place_of(view: ViewTransform, address: Address) -> QRectF:
    """Where a tile is in the window, in screen px."""
    side = SIDE / view.ratio
    return QRectF(address[0] * side + view.x, address[1] * side + view.y, side, side)
