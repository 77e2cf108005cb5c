"""Real pages: two annotators' words held against each other, and real symbols' boxes perturbed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import shapely
from lxml import etree

from spotlab.arrays import Points
from spotlab.formats.runs import ReadRun
from spotlab.geometry.polygon import Outlines, even_odd_geometry
from spotlab.geometry.primitives import box
from spotlab.lab.draw.perturbation import CHARACTERS, perturb
from spotlab.measures.matching import ErrorKind
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.evaluation import RunEvaluation
from spotlab.studies.evaluate.scalability import measure_scalability
from spotlab.studies.tally.truth import TruthSet, read_truths

SIGNS = {"s_pt", "s_cm", "s_mi", "s_sq", "s_qo", "s_bl", "s_br", "s_lb", "s_et"}


def plain(transcription: str) -> str:
    """As the boxes' annotator writes: lower case, no signs, no possessive s.

    Empty for what is only a dash or a quotation mark.
    """
    parts = transcription.replace("-s_qt-s", "").split("-")
    return "".join(part.removeprefix("s_") for part in parts if part not in SIGNS).lower()


@pytest.mark.parametrize(
    ("transcription", "word"),
    [
        ("L-e-t-t-e-r-s-s_cm", "letters"),
        ("s_2-s_6th-s_pt", "26th"),
        ("u-n-l-e-s_s-s", "unless"),
        ("M-e-r-c-e-r-s_qt-s", "mercer"),
        ("s_mi", ""),
    ],
)
def test_transcriptions_are_made_alike(transcription: str, word: str) -> None:
    assert plain(transcription) == word


def polygons(folder: Path, *, labelled: bool) -> dict[str, Truth]:
    """The words of George Washington's pages as polygons."""
    lines = (folder / "ground-truth" / "transcription.txt").read_text().splitlines()
    words = dict(line.split(None, 1) for line in lines if line.strip())
    found = {}
    for path in sorted((folder / "ground-truth" / "locations").glob("*.svg")):
        root = etree.parse(path).getroot()
        size = [int(root.get(side).removesuffix("px")) for side in ("width", "height")]
        regions = []
        for node in root.iter("{*}path"):
            word = plain(words[node.get("id")])
            corners = re.findall(r"[ML] (\S+) (\S+)", node.get("d"))
            if word:
                ring = tuple((float(x), float(y)) for x, y in corners)
                regions.append(Region(ring, word if labelled else "word", f"r{node.get('id')}"))
        found[path.stem] = Truth(Page(Path(f"{path.stem}.jpg"), *size), tuple(regions))
    return found


def boxes(folder: Path, *, labelled: bool) -> ReadRun:
    """The words of the same pages as somebody else has framed them."""
    queries, pages, rings = [], [], []
    for path in sorted((folder / "gtp_boxes").glob("*.gtp")):
        for line in path.read_text().splitlines():
            *bounds, word = line.split(None, 4)
            queries.append(word.strip() if labelled else "word")
            pages.append(path.stem[:3])
            rings.append(box(*map(float, bounds)))
    rank = np.arange(1.0, len(rings) + 1)
    return ReadRun(Run.ordered("boxes", queries, pages, Outlines.of(rings), rank=rank))


def agreement(folder: Path, *, labelled: bool) -> RunEvaluation:
    truths = TruthSet(polygons(folder, labelled=labelled))
    return evaluate(truths, [boxes(folder, labelled=labelled)], draws=100).runs[0]


@pytest.mark.slow
def test_two_annotators_agree_on_where_words_are(shared_data: Path) -> None:
    """Whatever is written there: against the unions of whole pages, by GEOS.

    On these polygons GEOS loses whole boxes of the unions unless it rounds to a grid.
    """
    folder = shared_data / "gw20_words"
    found = agreement(folder, labelled=False)
    assert len(found.tally.pages) == 15
    assert len(found.tally) == len(found.run) == 3696
    shared = retrieved = relevant = 0.0
    for name, truth in polygons(folder, labelled=False).items():
        here = np.flatnonzero(np.array(found.run.pages)[found.run.page] == name)
        spots = united([found.run.outlines[each] for each in here])
        regions = united([region.array for region in truth.regions])
        shared += shapely.intersection(spots, regions, grid_size=1e-6).area
        retrieved += spots.area
        relevant += regions.area
    pooled = found.figures.pooled
    assert pooled["area_precision"] == pytest.approx(shared / retrieved, rel=1e-8)
    assert pooled["area_recall"] == pytest.approx(shared / relevant, rel=1e-8)
    assert pooled["area_precision"] == pytest.approx(0.952, abs=0.001)
    assert pooled["area_recall"] == pytest.approx(0.812, abs=0.001)
    precision = found.intervals["pages"]["area_precision"]
    assert precision is not None
    assert 0.93 < precision.low < 0.952 < precision.high < 0.97


def united(rings: list[Points]) -> shapely.Geometry:
    return shapely.union_all([even_odd_geometry(ring) for ring in rings], grid_size=1e-6)


@pytest.mark.slow
def test_two_annotators_agree_on_what_is_written(shared_data: Path) -> None:
    found = agreement(shared_data / "gw20_words", labelled=True)
    pooled, mean = found.figures.pooled, found.figures.mean
    assert pooled["symbols"] == 3684
    # words that only the second annotator reads are no queries of the truth, and listed apart
    assert pooled["area_precision"] == pytest.approx(0.828, abs=0.001)
    assert pooled["area_recall"] == pytest.approx(0.738, abs=0.001)
    assert mean["area_precision"] == pytest.approx(0.845, abs=0.001)
    assert mean["area_recall"] == pytest.approx(0.747, abs=0.001)
    assert mean["iou_precision"] == pytest.approx(0.877, abs=0.001)
    # the few words that they read or part differently
    assert len(found.unknown_queries) == 15
    assert sum(found.unknown_queries.values()) < 20
    assert len(found.unsearched) == 12
    wrong = found.errors.count(ErrorKind.WRONG_LABEL).sum()
    assert wrong < 0.01 * len(found.run)


@pytest.fixture
def symbols(shared_data: Path) -> TruthSet:
    """The symbols of hand-drawn diagrams, as boxes."""
    return read_truths(sorted((shared_data / "hdbpmn_symbols" / "annotations").glob("*.bpmn")))


def width(region: Region) -> float:
    return region.bounds[2] - region.bounds[0]


def moved(truths: TruthSet, share: float) -> ReadRun:
    """All symbols, each moved to the right by this share of its width."""
    found = [
        (region.label, page, region.array + np.array([width(region) * share, 0]))
        for page, truth in truths.truths.items()
        for region in truth.regions
    ]
    queries, pages, rings = zip(*found, strict=True)
    rank = np.arange(1.0, len(rings) + 1)
    return ReadRun(Run.ordered(f"moved {share}", queries, pages, Outlines.of(rings), rank=rank))


def test_real_symbols_are_a_perfect_run_of_themselves(symbols: TruthSet) -> None:
    found = evaluate(symbols, [moved(symbols, 0)], draws=0).runs[0].figures
    for name in ("area_precision", "area_recall", "f", "iou_precision"):
        assert found.mean[name] == pytest.approx(1), name
    assert found.mean["recognition_rate"] == 100
    assert found.mean["fall_out"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_boxes_that_are_moved_lose_as_much(symbols: TruthSet, share: float) -> None:
    """What a box loses on one side it can only win back where it meets another of its class."""
    settings = MeasureSettings(Overlap.SUM)
    found = evaluate(symbols, [moved(symbols, share)], settings, draws=0).runs[0].figures
    alone = [query not in ("subProcess", "lane", "participant") for query in found.tally.queries]
    recall = found.columns["area_recall"][alone]
    assert len(recall) >= 9
    assert recall == pytest.approx(1 - share, abs=0.003)
    # what is moved over the page's edge is cut off there
    assert found.columns["area_precision"][alone] == pytest.approx(recall, abs=0.003)
    recognised = found.columns["recognition_rate"][alone]
    assert recognised == pytest.approx(100 if share < 0.25 else 0, abs=3)


def test_perturbed_runs_show_their_character(symbols: TruthSet) -> None:
    runs = [ReadRun(perturb(symbols.truths, each)) for each in CHARACTERS.values()]
    found = evaluate(symbols, runs, primary="area_precision", draws=100)
    assert [run.name for run in found.runs] == ["sloppy", "picky", "drifting"]
    rates = [run.figures.pooled["recognition_rate"] for run in found.runs]
    precisions = [run.figures.pooled["area_precision"] for run in found.runs]
    assert rates == pytest.approx([93.0, 54.8, 31.2], abs=0.1)
    assert precisions == pytest.approx([0.435, 0.901, 0.581], abs=0.001)
    better = found.comparisons["sloppy", "picky"]["area_precision"]
    assert better is not None
    assert better.interval is not None and 0 < better.interval.low < better.value
    assert better.p_holm is not None and better.p_holm < 0.01


def test_real_runs_scale_as_chance_has_it(symbols: TruthSet) -> None:
    """Runs that search each class by itself have no other reason to change with their number."""
    runs = [ReadRun(perturb(symbols.truths, each)) for each in CHARACTERS.values()]
    figures = [run.figures for run in evaluate(symbols, runs, draws=0).runs]
    found = measure_scalability(list(CHARACTERS), figures)
    assert found.counts == (5, 10, 11)
    for run in found.runs:
        assert run.recall.mean_deviation is not None
        assert run.recall.mean_by_chance is not None
        assert run.recall.mean_deviation < 3 * run.recall.mean_by_chance
        false = [size.false_positives for size in run.sizes]
        assert false[0] < false[1] < false[2]
        assert [(size.classes, size.pages) for size in run.sizes] == [(4, 5), (7, 10), (11, 15)]
