"""One thing of each kind that needs no window: a measure, a format, a fusion, a descriptor, …"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from markupsafe import Markup

from spotlab.consensus.comparison import SystemFigures
from spotlab.consensus.method import ConsensusMethod, MethodEstimate, VoteEvidence
from spotlab.consensus.precision import figures_with_truth
from spotlab.formats.truth.format import Format
from spotlab.measures.area import ratio
from spotlab.measures.measure import Figure, Measure, SumsFormula
from spotlab.model import Page, Region, Truth
from spotlab.progress import Progress
from spotlab.ranking.fusion import Choices, Fusion
from spotlab.ranking.fusion import Evidence as ListEvidence
from spotlab.report.section import Evaluated, Section
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.voting.descriptor import Descriptor

MISS_RATE = Measure(
    Figure("miss_rate", "Miss rate", "%", -1, "Missed regions / all truth regions."),
    SumsFormula(lambda sums: ratio(100 * (sums.symbols - sums.recognised), sums.symbols)),
)


def _read_boxes(path: Path, progress: Progress) -> list[Truth]:
    content = json.loads(path.read_text("utf-8"))
    regions = tuple(
        Region(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), label, id=f"r{number}")
        for number, (label, x, y, w, h) in enumerate(content["boxes"])
    )
    width, height = content["size"]
    return [Truth(Page(path.with_suffix(".png"), width, height), regions)]


def _write_boxes(truths: Sequence[Truth], path: Path, progress: Progress) -> None:
    [truth] = truths
    boxes = []
    for region in truth.regions:
        left, top, right, bottom = region.bounds
        boxes.append([region.label, left, top, right - left, bottom - top])
    size = [truth.page.width, truth.page.height]
    path.write_text(json.dumps({"size": size, "boxes": boxes}), "utf-8")


BOXES = Format(
    "boxes",
    "Boxes",
    (".boxes",),
    lambda path, head: path.suffix == ".boxes",
    _read_boxes,
    _write_boxes,
    many_pages=True,
)


def _best(evidence: ListEvidence, choices: Choices) -> np.ndarray:
    return np.nanmax(np.where(np.isnan(evidence.lists), -np.inf, evidence.lists), axis=0)


BEST_OF_LISTS = Fusion(
    "best_of_lists", "Best of lists", "The best score that any list gives.", _best, "lists"
)


def _elongation(primitives: Primitives) -> np.ndarray:
    bounds = primitives.contours.bounds
    sides = np.sort(bounds[:, 2:] - bounds[:, :2], axis=1) + 1.0
    return (sides[:, :1] / sides[:, 1:]).astype(np.float64)


ELONGATION = Descriptor(
    "elongation", "Elongation", "The shorter side of the box over the longer.", _elongation, 0.1
)


def _two_thirds(evidence: VoteEvidence, progress: Progress) -> MethodEstimate:
    votes = evidence.votes
    share = np.nanmean(votes.rows(np.arange(len(votes))), axis=1)
    figures = figures_with_truth(votes, (share > 2 / 3) * 1.0, evidence.beta)
    return MethodEstimate(SystemFigures(*figures))


TWO_THIRDS = ConsensusMethod(
    name="two_thirds",
    title="Two thirds",
    definition="An item is relevant where more than two thirds of the systems say so.",
    assumption="Systems err independently.",
    estimate=_two_thirds,
)


def _greet(evaluated: Evaluated) -> Markup:
    return Markup("<h2>Greetings of {} runs</h2>").format(len(evaluated.evaluation.runs))


GREETING = Section("greeting", _greet)
