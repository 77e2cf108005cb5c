"""What the labelled pages of a collection teach while proposals are answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from spotlab.formats.collection.folder import PageEntry, scan
from spotlab.formats.truth.page_xml import read, write
from spotlab.gui.annotate.similar.examples import Example, Sought
from spotlab.gui.annotate.similar.proposal_search import Request, Seen, learn_pages, look
from spotlab.model import Page, Region, Truth
from spotlab.spotting.symbols.engine.method import SymbolSettings
from tests.spotting.symbols.test_region_learner import drawn


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[PageEntry]:
    folder = tmp_path_factory.mktemp("collection")
    for number in range(4):
        features, regions = drawn(number)
        image = folder / f"plan_{number}.png"
        cv2.imwrite(str(image), np.where(features.ink, 0, 255).astype(np.uint8))
        made = tuple(
            Region(tuple(map(tuple, outline.tolist())), label, id=f"r{at}")
            for at, (label, outline) in enumerate(regions if number < 3 else [])
        )
        write(Truth(Page(image, 700, 500), made), image.with_suffix(".xml"))
    return scan([folder])


def test_pages_are_learned_from_once_and_help_on_another(
    entries: list[PageEntry], tmp_path: Path
) -> None:
    taught, seen = dict.fromkeys(entries[:3], True), Seen(SymbolSettings(), tmp_path)
    assert learn_pages(taught, {}, seen)
    learner, known = seen.learner, dict(seen.lessons)
    assert learner is not None and learner.labels == ("bed", "sink", "table")
    assert not learn_pages(taught, {}, seen) and seen.learner is learner
    changed = read(entries[0].truth_path)
    changed = replace(changed, regions=changed.regions[1:])
    other = replace(seen, lessons=dict(known))
    assert learn_pages(taught, {entries[0]: changed}, other) and other.learner is not learner
    assert [other.lessons[entry] is known[entry] for entry in entries[:3]] == [False, True, True]
    assert len(other.lessons[entries[0]].lesson.names) == 5
    asked = Request(entries[3], Sought(None), (), {}, seen)
    found = look(asked)
    shown = [each for each in found.proposals if each.score >= found.worth]
    assert found.taught
    assert sorted(each.label for each in shown) == ["bed", "bed", "sink", "sink", "table", "table"]
    wrong = tuple((float(x), float(y)) for x, y in shown[0].outline)
    no = Example(shown[0].label, False, entries[3], wrong)
    without = look(replace(asked, examples=(no,)))
    assert not any(
        each.label == shown[0].label and np.array_equal(each.outline, shown[0].outline)
        for each in without.proposals
    )


def test_a_page_that_is_gone_teaches_nothing(entries: list[PageEntry], tmp_path: Path) -> None:
    gone = replace(entries[0], image=tmp_path / "none.png")
    seen = Seen(SymbolSettings(), tmp_path)
    assert not learn_pages({gone: True}, {}, seen)
    assert seen.learner is None and not seen.lessons
