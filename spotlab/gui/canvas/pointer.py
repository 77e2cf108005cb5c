"""Where the pointer is, on the page and on the screen."""

from __future__ import annotations

from dataclasses import dataclass

NEAR = 7.0  # screen px within which the pointer is on a thing
A_DRAG = 4.0  # screen px that make a drag of a click


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is and what is held with it.

    Attributes
    ----------
    x, y : float
        On the page, in px.
    view_x, view_y : float
        On the screen.
    near : float
        How far off counts as on a thing, in px of the page.
    """

    x: float
    y: float
    view_x: float = 0.0
    view_y: float = 0.0
    near: float = NEAR
    shift: bool = False
    alt: bool = False
    control: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """(x, y) on the page."""
        return self.x, self.y

    def moved_from(self, other: Pointer) -> bool:
        """Whether it is so far from the other that it is a drag."""
        return self.far_from(other.x, other.y)

    def far_from(self, x: float, y: float) -> bool:
        """Whether it is farther from a place of the page than a click's tremble."""
        return max(abs(self.x - x), abs(self.y - y)) > self.near * A_DRAG / NEAR
