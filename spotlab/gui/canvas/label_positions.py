"""Keeps labels beside their regions while the view moves, without finding new places for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.gui.canvas.free_places import Place
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region

ROOM = 44.0  # screen px that a region is high at least to have a label
AROUND = 16.0  # screen px that it is wider than the text


class LabelPositions:
    """Where labels are beside their regions, for other views than the one they were placed in.

    Parameters
    ----------
    view : ViewTransform
        In which they were placed.
    placed : sequence of (Region, str, (x, y))
        Regions, their labels, and where these are, in screen px.
    widths : mapping of str to float
        Of the labels in screen px.
    """

    def __init__(
        self,
        view: ViewTransform,
        placed: Sequence[tuple[Region, str, Place]],
        widths: Mapping[str, float],
    ) -> None:
        bounds = np.array([region.bounds for region, _, _ in placed]).reshape(-1, 4)
        self._corners = bounds[:, :2]
        self._sides = bounds[:, 2:] - bounds[:, :2]
        places = np.array([place for _, _, place in placed]).reshape(-1, 2)
        self._offsets = places - view.points_to_view(self._corners)
        self._widths = np.array([widths[text] for _, text, _ in placed])
        self._always = ~self._have_room(view)  # they stand out, or the view is turned

    def moved(self, view: ViewTransform) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Upper left corners in px, and which labels are in the window and have room."""
        corners = np.rint(view.points_to_view(self._corners) + self._offsets)
        x, y = corners.T
        shown = (x < view.size[0]) & (y < view.size[1]) & (y > -ROOM)
        shown &= x > -self._widths - AROUND
        return corners, shown & (self._always | self._have_room(view))

    def _have_room(self, view: ViewTransform) -> NDArray[np.bool_]:
        width, height = (self._sides * view.scale).T
        room: NDArray[np.bool_] = (height >= ROOM) & (width >= self._widths + AROUND)
        return room
