"""Names for arrays of one type of number, in any shape."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Points = NDArray[np.float64]
"""(N, 2): x, y."""
Boxes = NDArray[np.float64]
"""(N, 4): left, top, right, bottom."""
