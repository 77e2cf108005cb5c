"""Method f: a page is searched with what all other labelled pages teach."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import spotlab
from spotlab.api.spot_symbols import SymbolSpotting
from spotlab.errors import BadArgument, SpotlabError
from spotlab.formats.truth.page_xml import read
from spotlab.model import Ignore, Truth
from spotlab.registry import discover
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.methods import learning_methods, methods, spotting_method_of
from spotlab.spotting.symbols.proposals.candidates import find_candidates
from spotlab.spotting.symbols.search import index
from spotlab.spotting.symbols.search.index import prepared_page
from spotlab.spotting.symbols.search.symbol_search import search_symbols
from spotlab.studies.symbols.page_learning import LearnedPages, learn_from_truth
from tests.project import plugins
from tests.spotting.symbols.learned_pages import (
    rightly_found,
    spots_on,
    write_pages,
    write_truth,
)
from tests.spotting.symbols.test_region_learner import drawn

ALL = ["bed", "bed", "sink", "sink", "table", "table"]
Spot = Callable[..., SymbolSpotting]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned")
    write_pages(folder / "plans")
    return folder


@pytest.fixture(scope="module")
def spot(site: Path) -> Spot:
    def run(pages: Path | list[Path] = site / "plans", *given: object, **named: object) -> object:
        return spotlab.spot_symbols(pages, *given, method="f", cache=site / "cache", **named)

    return run  # type: ignore[return-value]


@pytest.fixture(scope="module")
def found(spot: Spot) -> SymbolSpotting:
    return spot()


def test_each_page_is_searched_with_what_the_others_teach(
    found: SymbolSpotting,
) -> None:
    run = found.run.run
    for number in range(4):
        assert rightly_found(run, f"plan_{number}", number) == ALL
    assert (run.score > 0.5).sum() == 4 * len(ALL)  # nothing else is likely
    assert not run.models  # none has to be ignored by an evaluation
    assert found.learned is not None
    assert found.as_dict()["lessons"]["regions"] == {"bed": 8, "sink": 8, "table": 8}
    assert run.provenance["setting left out"] == "each page from its own lessons"
    assert run.provenance["setting learned from"].startswith("24 regions on 4 pages, sha256 ")
    assert run.provenance["queries"].startswith("3 queries")
    assert found.remarks == ()


def test_the_truth_of_a_page_does_not_change_what_is_found_on_it(
    found: SymbolSpotting, spot: Spot, site: Path, tmp_path: Path
) -> None:
    pages = write_pages(tmp_path / "plans")
    names = {"bed": "sink", "sink": "table", "table": "bed"}
    write_truth(pages[0], [(names[label], outline) for label, outline in drawn(0)[1]])
    other = spot(tmp_path / "plans").run.run
    assert spots_on(other, "plan_0") == spots_on(found.run.run, "plan_0")
    assert spots_on(other, "plan_1") != spots_on(found.run.run, "plan_1")
    # an image under another name is the same page
    copies = tmp_path / "copies"
    copies.mkdir()
    (copies / "copy.png").write_bytes(pages[0].read_bytes())
    with_own = spot(copies, lessons=tmp_path / "plans").run.run
    assert spots_on(with_own, "copy") == spots_on(other, "plan_0")


def test_lessons_can_be_other_pages(spot: Spot, site: Path) -> None:
    pages = sorted((site / "plans").glob("*.png"))
    one = spot(pages[3:], "bed", lessons=pages[:1], min_score=0.05)
    assert one.run.run.queries == ("bed",)
    assert one.remarks == ()  # probabilities were calibrated on parts of the page
    assert rightly_found(one.run.run, "plan_3", 3) == ["bed", "bed"]
    # a page that is searched and the only lesson has nothing to be searched with
    both = spot([pages[0], pages[3]], lessons=pages[:1])
    assert spots_on(both.run.run, "plan_0") == [] != spots_on(both.run.run, "plan_3")
    assert "no spots of 'bed' on plan_0: no other page has an example" in both.remarks


def test_an_image_is_a_further_example(spot: Spot, site: Path, tmp_path: Path) -> None:
    page = np.full((500, 700), 255, np.uint8)
    for x, y in ((100, 100), (400, 250)):
        cv2.ellipse(page, (x, y), (40, 25), 0, 0, 360, 0, 3)
        cv2.line(page, (x - 40, y), (x + 40, y), 0, 3)
        cv2.line(page, (x, y - 25), (x, y + 25), 0, 3)
    (tmp_path / "new").mkdir()
    cv2.imwrite(str(tmp_path / "new" / "asked.png"), page)
    (tmp_path / "models").mkdir()
    cv2.imwrite(str(tmp_path / "models" / "lamp.png"), page[65:135, 50:150])
    known = {"lessons": site / "plans", "models": tmp_path / "models", "min_score": 0.0}
    made = spot(tmp_path / "new", **known)
    assert made.as_dict()["lessons"]["regions"]["lamp"] == 1
    run = made.run.run
    lamps = [n for n in range(len(run)) if run.queries[run.query[n]] == "lamp"][:2]
    middles = sorted(run.outlines[n].mean(0).round(-1).tolist() for n in lamps)
    assert middles == [[100, 100], [400, 250]]


def test_what_cannot_be_learned_is_refused(spot: Spot, site: Path, tmp_path: Path) -> None:
    pages = sorted((site / "plans").glob("*.png"))
    with pytest.raises(BadArgument, match="method f learns from all regions"):
        spot(models_per_label=2)
    with pytest.raises(BadArgument, match="seed cannot be used"):
        spot(seed=1)
    with pytest.raises(SpotlabError, match="label another page, or use method e"):
        spot(pages[:1])
    with pytest.raises(SpotlabError, match="no region of the label 'door'"):
        spot(queries="door")
    with pytest.raises(SpotlabError, match="method 'f' learns from truth; use one of a, b, c, d"):
        spotting_method_of("f")
    with pytest.raises(SpotlabError, match="lessons of another kind of method"):
        search_symbols(pages, [], "f", cache=tmp_path)
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "page.png").write_bytes(pages[0].read_bytes())
    with pytest.raises(SpotlabError, match="no page with a label"):
        spot(tmp_path / "bare")


def test_regions_that_are_not_sure_to_be_background_teach_nothing(
    site: Path, tmp_path: Path
) -> None:
    images = write_pages(tmp_path / "plans", range(2))
    entries = page_entries(images)
    truths = {image.stem: read(image.with_suffix(".xml")) for image in images}
    first = truths["plan_0"]
    area = replace(first.regions[0], ignore=Ignore.AREA)
    ignored = replace(first, regions=(area, *first.regions[1:]))
    asked = page_entries([site / "plans" / "plan_3.png"])

    def learned(truth: Truth) -> LearnedPages:
        known = {**truths, "plan_0": truth}
        return learn_from_truth(entries, known, asked, "f", cache=site / "cache")

    whole, some = learned(first), learned(ignored)
    assert whole.regions == {"bed": 4, "sink": 4, "table": 4}
    assert some.regions == {"bed": 4, "sink": 3, "table": 4}
    missing = learned(replace(first, regions=first.regions[1:]))
    assert missing.regions == some.regions  # but there it is taken for background
    assert missing.lessons.digest_of("plan_3") != some.lessons.digest_of("plan_3")


def test_candidates_are_kept_in_a_file_that_may_be_damaged(site: Path, tmp_path: Path) -> None:
    [entry] = page_entries([site / "plans" / "plan_0.png"])
    fresh = find_candidates(prepared_page(entry, cache=tmp_path))
    [file] = tmp_path.rglob("*.candidates")
    method = learning_methods()["f"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(method), "extract", lambda *_: pytest.fail("found again"))
        kept = find_candidates(prepared_page(entry, cache=tmp_path))
    for name in ("boxes", "frames", "features", "histograms"):
        assert np.array_equal(getattr(kept, name), getattr(fresh, name)), name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 255
    file.write_bytes(content)
    again = find_candidates(prepared_page(entry, cache=tmp_path))
    assert np.array_equal(again.boxes, fresh.boxes)
    page = prepared_page(entry, cache=tmp_path)
    arrays = dict(method.extract(page))
    for name in arrays:  # whoever wrote the file: what does not fit together is not used
        assert not method.adopt(page, {**arrays, name: arrays[name][:-1]}), name


def test_a_page_that_two_want_at_once_is_seen_once(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [entry] = page_entries([site / "plans" / "plan_0.png"])
    kind, seen = type(learning_methods()["f"]), []
    extract = kind.extract  # type: ignore[attr-defined]

    def count(method: Any, page: Any) -> Any:
        seen.append(page)
        return extract(method, page)

    monkeypatch.setattr(kind, "extract", count)
    with ThreadPoolExecutor(2) as threads:
        one, two = threads.map(lambda _: prepared_page(entry, cache=tmp_path), range(2))
    assert len(seen) == 1
    assert np.array_equal(find_candidates(one).boxes, find_candidates(two).boxes)


FOREIGN = """
import numpy as np
from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.engine.method import LearnedSymbols, LearningMethod
from spotlab.spotting.symbols.engine.page_features import QuerySpots

class Learned(LearnedSymbols):
    calibrated = True
    def __init__(self, boxes):
        self.boxes, self.labels = boxes, tuple(sorted(boxes))
        self.counts = {label: len(boxes[label]) for label in boxes}
    @property
    def digest(self):
        return repr(sorted(self.boxes.items()))
    def spot(self, page):
        return {
            label: QuerySpots(Outlines.of([
                [(x, y), (right, y), (right, bottom), (x, bottom)] for x, y, right, bottom in boxes
            ]), np.ones(len(boxes)))
            for label, boxes in self.boxes.items()
        }

class Same(LearningMethod):
    name, title, definition = "same", "Same", "Finds symbols where they were on other pages."
    def page_lesson(self, page, truth):
        return list(zip(truth.labels, truth.outlines.bounds.tolist()))
    def model_lesson(self, model):
        return []
    def learn(self, lessons, progress=None):
        boxes = {}
        for label, box in (each for lesson in lessons for each in lesson):
            boxes.setdefault(label, []).append(box)
        return Learned(boxes)

it = Same()
"""


def test_another_package_can_offer_a_method_that_learns(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugins.install(
        tmp_path / "site", "same-spotter", FOREIGN, ("spotlab.spotting.symbols.methods",)
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for known in (methods, discover, index._version):
        known.cache_clear()
    try:
        pages = sorted((site / "plans").glob("*.png"))[:2]
        run = spotlab.spot_symbols(pages, "bed", method="same", cache=tmp_path / "c").run.run
        boxes = sorted(outline.min(0).tolist() for _, outline in drawn(1)[1][4:])
        at = np.flatnonzero(run.page == run.pages.index("plan_0"))
        assert sorted(run.outlines[n].min(0).tolist() for n in at.tolist()) == boxes
    finally:
        monkeypatch.undo()
        for known in (methods, discover, index._version):
            known.cache_clear()


def test_checked_pages_alone_tell_what_is_background(site: Path, tmp_path: Path) -> None:
    images = write_pages(tmp_path / "plans", range(3))
    truths = {image.stem: read(image.with_suffix(".xml")) for image in images}
    entries = page_entries(images)

    asked = page_entries([site / "plans" / "plan_3.png"])
    plain = learn_from_truth(entries, truths, asked, "f", cache=site / "cache")
    first = truths["plan_0"]
    states = {**truths, "plan_0": replace(first, page=replace(first.page, checked=True))}
    some = learn_from_truth(entries, states, asked, "f", cache=site / "cache")
    assert plain.lessons.digest_of("plan_3") != some.lessons.digest_of("plan_3")
    assert plain.regions == some.regions
