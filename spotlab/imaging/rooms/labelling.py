"""Connected parts of an image, with their boxes and areas."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2

Labels = NDArray[np.int32]


def label_parts(image: NDArray[Any], *, diagonal: bool = False) -> tuple[Labels, Labels]:
    """Number the connected parts of an image.

    Parameters
    ----------
    image : (H, W) bool or uint8
        Parts are where it is not 0.
    diagonal : bool
        Whether pixels that touch at a corner only are connected.

    Returns
    -------
    labels : (H, W) int32
        0 outside of all parts.
    stats : (N + 1, 5) int32
        Left, top, width, height and area in px of each; those of the background first.

    Examples
    --------
    >>> labels, stats = label_parts(np.array([[1, 0], [0, 1]], np.uint8))
    >>> labels.tolist(), stats[1:, 4].tolist()
    ([[1, 0], [0, 2]], [1, 1])
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        image.astype(np.uint8), connectivity=8 if diagonal else 4
    )
    return cast(Labels, labels), cast(Labels, stats)
