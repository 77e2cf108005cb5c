"""The settings that figures are computed with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from spotlab.measures.tally import Overlap

Missing = Literal["zero", "drop"]


@dataclass(frozen=True)
class MeasureSettings:
    """How figures are computed.

    Attributes
    ----------
    overlap : Overlap
        Whether area that several regions cover counts once or once per region.
    beta : float
        β of F, above 0; above 1 recall weighs more than precision.
    recognised : float
        The share of a symbol's area, in (0, 1], from which it is recognised.
    iou : float
        The intersection over union, in (0, 1], from which a spot is right, for average precision
        and kinds of errors.
    missing : {"zero", "drop"}
        How a query that never reaches a recall enters mean curves; see `RunFigures.central`.
    at_recall, at_precision : float
        The area recall at which precision is reported, and the area precision at which recall is;
        in (0, 1].

    Raises
    ------
    TypeError
        ``overlap`` is not an `Overlap`.
    ValueError
        A number is outside its range.
    """

    overlap: Overlap = Overlap.UNION
    beta: float = 1.0
    recognised: float = 0.75
    iou: float = 0.5
    missing: Missing = "zero"
    at_recall: float = 0.5
    at_precision: float = 0.5

    def __post_init__(self) -> None:
        if not isinstance(self.overlap, Overlap):
            raise TypeError(f"the overlap is an Overlap, not {self.overlap!r}")
        shares = (self.recognised, self.iou, self.at_recall, self.at_precision)
        if not (0 < self.beta < math.inf and all(0 < share <= 1 for share in shares)):
            raise ValueError("β has to be above 0, shares above 0 and at most 1")
