"""A rectangle with an angle, by whose handles boxes and ellipses are stretched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.geometry.transform import rotate


@dataclass(frozen=True)
class Frame:
    """A rectangle that may be rotated, such as a box or the frame of an ellipse.

    Attributes
    ----------
    x, y : float
        Centre in px.
    width, height : float
        Sides in px.
    angle : float
        In degrees, clockwise on the screen.
    """

    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0

    def point_at(self, across: float, down: float) -> tuple[float, float]:
        """Return the place at shares of the half sides from the centre.

        Parameters
        ----------
        across, down : float
            Shares of the half sides: (-1, -1) is the first corner, (0, 0) the centre.

        Returns
        -------
        x, y : float
            In px.

        Examples
        --------
        >>> Frame(5, 5, 4, 2).point_at(1, -1)
        (7.0, 4.0)
        """
        place = np.array([[self.x + across * self.width / 2, self.y + down * self.height / 2]])
        x, y = rotate(place, self.angle, (self.x, self.y))[0]
        return float(x), float(y)

    def drag(self, across: int, down: int, to: tuple[float, float]) -> Frame:
        """Move one of the eight handles; what is opposite stays in place.

        Parameters
        ----------
        across, down : {-1, 0, 1}
            The handle: a corner, or the middle of a side where one of them is 0.
        to : (float, float)
            Where the handle goes: x, y in px. The middle of a side only moves away from the
            opposite side or towards it.

        Returns
        -------
        Frame
            With the same angle.

        Examples
        --------
        >>> Frame(5, 5, 4, 2).drag(1, 1, (9, 8))
        Frame(x=6.0, y=6.0, width=6.0, height=4.0, angle=0.0)
        """
        opposite = self.point_at(-across, -down)
        pointer = np.array([to])
        dx, dy = (rotate(pointer, -self.angle, opposite)[0] - opposite).tolist()
        width = abs(dx) if across else self.width
        height = abs(dy) if down else self.height
        half = np.array([[dx / 2 if across else 0.0, dy / 2 if down else 0.0]]) + opposite
        x, y = rotate(half, self.angle, opposite)[0]
        return Frame(float(x), float(y), width, height, self.angle)
