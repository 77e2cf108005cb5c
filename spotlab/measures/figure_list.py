"""The figures: what each is called and means, in the order in which tables show them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One figure.

    Attributes
    ----------
    name, title : str
        In files, and in tables.
    unit : str
        "" for shares from 0 to 1, "%" for percent, "count" for numbers of things.
    better : int
        1 where high values are good, -1 where low ones are, 0 where neither is.
    definition : str
        A sentence with the formula, for somebody who has not read the paper.
    """

    name: str
    title: str
    unit: str
    better: int
    definition: str


FIGURES = (
    Figure(
        "area_precision", "Precision", "", 1,
        "Area precision, A(R ∩ T) / A(R): how much of the retrieved area is truth. "
        "Undefined where nothing is retrieved.",
    ),
    Figure(
        "area_recall", "Recall", "", 1,
        "Area recall, A(R ∩ T) / A(T): how much of the truth's area is retrieved. "
        "Undefined where there is no truth.",
    ),
    Figure(
        "f", "F", "", 1,
        "(1 + β²) P R / (β² P + R) of area precision P and area recall R: high only where "
        "both are. 0 where nothing of the truth is retrieved; undefined only where nothing is "
        "retrieved of no truth.",
    ),
    Figure(
        "fall_out", "Fall-out", "", -1,
        "A(R outside T) / A(pages outside T): how much of all that is not truth is "
        "retrieved.",
    ),
    Figure(
        "generality", "Generality", "", 0,
        "A(T) / A(pages): how much of the pages is truth; where it is low, precision is "
        "hard to get.",
    ),
    Figure(
        "average_precision_hits", "AveP (hits)", "", 1,
        "Area precision averaged over the ranks whose spot overlaps some truth: are the "
        "first spots good? Knows nothing of what is missed.",
    ),
    Figure(
        "average_precision_relevant", "AveP (relevant)", "", 1,
        "Σ of area precision over the ranks whose spot overlaps some truth, divided by "
        "the number of truth regions: what is missed costs. Passes 1 where regions are "
        "found several times.",
    ),
    Figure(
        "average_precision_retrieved", "AveP (retrieved)", "", 1,
        "Σ of area precision over the ranks whose spot overlaps some truth, divided by "
        "the number of spots: eq. 8 as it is printed.",
    ),
    Figure(
        "iou_precision", "AP at IoU", "", 1,
        "Average precision of detectors: a spot is right if its intersection over union "
        "with a truth region that no earlier spot has reaches the threshold t; precision "
        "is averaged over 101 recalls, as COCO does.",
    ),
    Figure(
        "symbols", "Symbols", "count", 0,
        "How many truth regions there are.",
    ),
    Figure(
        "recognised", "Recognised", "count", 1,
        "How many truth regions have at least the share t of their area retrieved.",
    ),
    Figure(
        "recognition_rate", "Recognition rate", "%", 1,
        "Recognised regions / all truth regions.",
    ),
    Figure(
        "false_positives", "False positives", "count", -1,
        "How many spots overlap no recognised region of their query; its mean is AveFP.",
    ),
)  # fmt: skip
