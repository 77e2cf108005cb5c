"""ΔAP equals tidecv's on the sample collection's runs and on real diagrams, all as boxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from spotlab.api.read_run import read_runs
from spotlab.api.read_truth import read_truth
from spotlab.formats.runs.format import ReadRun
from spotlab.lab.draw.perturbation import CHARACTERS, perturb
from spotlab.measures.tally import Tally
from spotlab.measures.tide import TIDE_KINDS, tide_errors
from spotlab.model import Primitive, Truth
from spotlab.resources import sample_collection
from spotlab.studies.tally.tallying import tally
from spotlab.studies.tally.truth import match_pages, read_truths
from tests.measures.tally_cases import Placed, Ring, box
from tests.measures.tide_peer import by_tidecv, is_same

SAMPLES = ("a_ratios", "b_hu", "c_polygons", "d_curvature", "e_alignment")
# by tidecv 1.0.1, as in tests/measures/test_tide.py
OF_SAMPLES: dict[str, tuple[float, ...]] = {
    "a_ratios": (53.685573265, 20.015594472, 0.765897668, 0.315045056, 0.00169401,
        0.275315832, 14.508912913, 6.407936086, 36.08209591),
    "b_hu": (54.758609662, 18.178156806, 0.268556267, 0.165341258, 0.003437844,
        0.28368959, 16.800872587, 7.150081207, 34.032323777),
}  # fmt: skip


def boxed(points: Ring, truth: Truth) -> Ring:
    """The bounding box of what lies on the page."""
    inside = np.clip(np.asarray(points), 0, [truth.page.width, truth.page.height])
    return box(*inside.min(axis=0).tolist(), *inside.max(axis=0).tolist())


def placed(
    measured: Tally, truths: Mapping[str, Truth]
) -> tuple[list[Placed], list[Placed], list[float]]:
    """Spots and regions as boxes, and scores."""
    spots, scores = [], []
    for at in np.flatnonzero(measured.area > 0).tolist():
        page = measured.pages[measured.page[at]]
        ring = measured.run.outlines[int(measured.spot[at])]
        spots.append(
            (measured.queries[measured.query[at]], page, boxed(ring.tolist(), truths[page]))
        )
        scores.append(float(measured.score[at]))
    regions = [
        (region.label, name, boxed(region.points, truth))
        for name, truth in truths.items()
        for region in truth.regions
    ]
    return spots, regions, scores


def sample(name: str) -> tuple[Tally, Mapping[str, Truth]]:
    folder = sample_collection()
    truths = read_truth(folder).truth_set
    read: ReadRun = read_runs(folder / "runs" / f"{name}.csv", truths)[0]
    pages = match_pages(read.run.pages, truths)
    return tally(read.run, truths.truths, pages, primitive=Primitive.BOX), truths.truths


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_runs_like_tidecv(name: str) -> None:
    measured, truths = sample(name)
    is_same(tide_errors(measured), by_tidecv(*placed(measured, truths), measured.pages))


@pytest.mark.parametrize("name", OF_SAMPLES)
def test_the_values_of_tidecv(name: str) -> None:
    ours = tide_errors(sample(name)[0])
    found = [ours.mean(), *(ours.gain(kind) for kind in TIDE_KINDS)]
    wanted = pytest.approx(OF_SAMPLES[name], abs=1e-6)
    assert [100 * float(value or 0) for value in found] == wanted


@pytest.mark.parametrize("character", CHARACTERS)
def test_real_diagrams_like_tidecv(shared_data: Path, character: str) -> None:
    """Symbols of hand-drawn diagrams in boxes, some of which hold others, and perturbed runs."""
    truths = read_truths(sorted((shared_data / "hdbpmn_symbols" / "annotations").glob("*.bpmn")))
    run = perturb(truths.truths, CHARACTERS[character])
    pages = match_pages(run.pages, truths)
    measured = tally(run, truths.truths, pages, primitive=Primitive.BOX)
    is_same(tide_errors(measured), by_tidecv(*placed(measured, truths.truths), measured.pages))
