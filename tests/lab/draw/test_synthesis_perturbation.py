"""Runs made from truth err as their character says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from spotlab.formats.runs.csv_run import write_csv
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.lab.commands.synthesise.documents import NAMES, runs
from spotlab.lab.draw.perturbation import CHARACTERS, DRIFTING, PICKY, SLOPPY, Character, perturb
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.tally.truth import read_truths

PLANS = Path(__file__).resolve().parents[3] / "datasets" / "floorplans"
LABELS = ("bed", "sink", "sofa", "table")


def truths(pages: int = 30) -> dict[str, Truth]:
    """Pages with two boxes of each label, one high up and one low down."""
    made = {}
    for number in range(pages):
        regions = [
            Region(((x, y), (x + 80, y), (x + 80, y + 60), (x, y + 60)), label=label)
            for x, label in zip(range(40, 800, 200), LABELS, strict=True)
            for y in (40, 900)
        ]
        page = Page(Path(f"page_{number}.png"), 1000, 1100)
        made[page.name] = Truth(page, tuple(regions))
    return made


def share_found(run: Run, low: bool) -> float:
    """The share of regions of which some spot of their query covers more than half."""
    found = total = 0
    for name, truth in truths().items():
        for region in truth.regions:
            if (region.bounds[1] > 500) is not low:
                continue
            total += 1
            shape = even_odd_geometry(region.array)
            found += any(
                shape.intersection(even_odd_geometry(run.outlines[index])).area > shape.area / 2
                for index in np.flatnonzero(np.array(run.pages)[run.page] == name)
                if run.queries[run.query[index]] == region.label
            )
    return found / total


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=lambda character: character.name)
def test_finds_as_often_as_it_says(character: Character) -> None:
    share = share_found(perturb(truths(), character, 3), low=False)

    assert share == pytest.approx(character.found, abs=0.08)


def test_drifting_boxes_leave_the_symbols_at_the_foot_of_the_page() -> None:
    run = perturb(truths(), DRIFTING, 3)

    assert share_found(run, low=True) < share_found(run, low=False) - 0.5


def test_sloppy_spots_more_and_larger_than_picky() -> None:
    sloppy, picky = (perturb(truths(), character, 3) for character in (SLOPPY, PICKY))

    assert len(sloppy) > 2 * len(picky)
    width = [np.median(run.outlines.bounds[:, 2] - run.outlines.bounds[:, 0]) for run in
             (sloppy, picky)]  # fmt: skip
    assert width[0] > 1.2 * width[1]


def test_the_seed_decides_and_the_order_of_pages_does_not() -> None:
    pages = truths(3)
    turned = dict(reversed(pages.items()))

    first, again, other = perturb(pages, SLOPPY, 1), perturb(turned, SLOPPY, 1), perturb(
        pages, SLOPPY, 2
    )  # fmt: skip

    assert np.array_equal(first.outlines.points, again.outlines.points)
    assert np.array_equal(first.score, again.score)
    assert not np.array_equal(first.score, other.score)


@pytest.mark.slow
def test_the_command_writes_a_run_of_each_character(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    given = ["--truth", str(PLANS), "--seed", "7", "--out", str(out)]
    result = CliRunner().invoke(runs, given)
    assert result.exit_code == 0, result.output
    assert {path.stem for path in out.iterdir()} == set(NAMES)
    known = read_truths([PLANS]).truths
    for name in NAMES:
        write_csv(perturb(known, CHARACTERS[name], 7), tmp_path / name)
        assert (out / f"{name}.csv").read_bytes() == (tmp_path / name).read_bytes()


def test_the_command_offers_every_character() -> None:
    assert set(NAMES) == set(CHARACTERS)
