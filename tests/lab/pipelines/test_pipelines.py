"""Pipelines compared by hand, texts that are kept, and pages and engines that fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput, Cancelled, SpotlabError
from spotlab.imaging.ink import InkMethod
from spotlab.lab.pipelines.entities.entity_finder import finder_of
from spotlab.lab.pipelines.pipeline_texts import (
    MADE,
    Pipeline,
    ReadPages,
    make_pipelines,
    read_pages,
    read_true_texts,
)
from spotlab.lab.pipelines.pipelines import compare_pipelines
from spotlab.progress import Progress, silent
from spotlab.spotting.page_entries import page_entries
from tests.lab.pipelines import engines
from tests.lab.pipelines.engines import engine, write_page

NAMES = ("one", "two", "three")


@pytest.fixture(autouse=True)
def _no_calls() -> Iterator[None]:
    engines.calls.clear()
    yield
    engines.calls.clear()


def three() -> list[Pipeline]:
    made = make_pipelines([InkMethod.OTSU], [engine(name) for name in NAMES])
    return [replace(each, name=each.reader.name) for each in made]


def read(
    folder: Path,
    pages: Sequence[int],
    kept: Path | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> ReadPages:
    entries = page_entries([write_page(folder, number) for number in pages])
    return read_pages(entries, three(), kept, jobs=jobs, progress=progress)


def test_pipelines_are_ways_to_find_ink_times_engines() -> None:
    made = make_pipelines(list(InkMethod), [engine("one"), engine("two")])
    assert [each.name for each in made][1:6] == [
        "otsu one", "sauvola one", "wolf one", "even two", "otsu two"
    ]  # fmt: skip


@pytest.mark.parametrize("method", [0, 1])
def test_figures_by_hand(tmp_path: Path, method: int) -> None:
    """Table 1 of the paper, without the item nobody finds, and a page that all read alike."""
    truth = {"page1": "ann bob cat gus", "page2": "x"}
    study = compare_pipelines(read(tmp_path, [1, 2]), finder_of("words"), truth)
    found = study.methods[method]
    assert study.pipelines == NAMES
    if method == 0:
        assert found.votes.items[:2] == ("page1/ann/1", "page1/bob/1")
    # ΣP is 3.2 on page 1 and 1.6 on page 2
    assert found.consensus.precision == pytest.approx([4 / 6, 3.6 / 5, 3.6 / 5])
    assert found.consensus.recall == pytest.approx([4 / 4.8, 3.6 / 4.8, 3.6 / 4.8])
    assert found.by_page.precision == pytest.approx([(0.6 + 0.8) / 2, *[(2 / 3 + 0.8) / 2] * 2])
    assert found.by_page.recall == pytest.approx([(2.4 / 3.2 + 1) / 2, *[(2 / 3.2 + 1) / 2] * 2])
    assert found.by_page.top[0] == pytest.approx((3.2 / 6 + 0.8) / 2)
    assert found.truth is not None
    assert found.truth_by_page is not None
    # gus is found by nobody, and missed
    assert found.truth.precision == pytest.approx([3 / 6, 4 / 5, 3 / 5])
    assert found.truth.recall == pytest.approx([3 / 5, 4 / 5, 3 / 5])
    assert found.truth_by_page.recall == pytest.approx([3 / 4, 7 / 8, 3 / 4])
    assert len(found.votes) == 8
    assert study.remarks == ()


def test_without_truth_there_is_none(tmp_path: Path) -> None:
    study = compare_pipelines(
        read(tmp_path, [1]), finder_of("words"), None, methods=["bag_of_words"]
    )
    (found,) = study.methods
    assert (found.truth, found.truth_by_page, found.kendall) == (None, None, None)
    assert found.votes.truth is None
    assert found.votes.factors == {"ink": ("otsu",) * 3, "engine": NAMES}
    other = compare_pipelines(study.read, finder_of("words"), {"page7": "x"})
    assert other.remarks == (
        "no true text of 1 page: page1",
        "true texts that belong to none of the pages: page7",
    )
    with pytest.raises(SpotlabError, match="found nothing that can be compared on any page"):
        compare_pipelines(study.read, finder_of("rules"))


def test_what_one_engine_cannot_read_is_unknown_for_it(tmp_path: Path) -> None:
    found = read(tmp_path, [1, 3])
    assert found.problems == ("page3, two: it is too dark",)
    study = compare_pipelines(found, finder_of("words"))
    votes = study.methods[0].votes
    here = [item for item, page in enumerate(votes.pages) if page == "page3"]
    rows = votes.votes.rows(here)
    np.testing.assert_array_equal(rows, [[1, np.nan, 1], [0, np.nan, 1]])
    assert study.remarks[0] == "page3, two: it is too dark"


def test_a_damaged_page_is_left_out_and_told(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"no image")
    entries = page_entries([write_page(tmp_path, 1), tmp_path / "bad.png"])
    found = read_pages(entries, three())
    assert len(found.problems) == 3
    assert all(line.startswith("bad, ") for line in found.problems)
    assert list(compare_pipelines(found, finder_of("words")).entities) == ["page1"]


@pytest.mark.slow
def test_processes_read_the_same(tmp_path: Path) -> None:
    alone = read(tmp_path, [1, 2, 3])
    together = read(tmp_path, [1, 2, 3], jobs=2)
    assert alone.texts == together.texts
    assert alone.problems == together.problems


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "kept"

    def stop(done: int, _total: int | None, doing: str) -> None:
        if doing == "reading texts" and done == 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        read(tmp_path, [1, 2], kept, progress=stop)
    assert len(engines.calls) == 4
    with (kept / MADE).open("a") as file:
        file.write('["three", "pa')  # killed while it wrote
    engines.calls.clear()
    found = read(tmp_path, [1, 2], kept)
    assert found.kept == 4
    assert engines.calls == [("two", 2), ("three", 2)]
    assert found.texts == read(tmp_path, [1, 2]).texts
    assert (kept / "one" / "page1.txt").read_text() == "ann bob dan eve"


def test_texts_of_something_else_are_not_taken(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    read(tmp_path, [1], kept)
    engines.calls.clear()
    read(tmp_path, [1], kept)
    assert engines.calls == []
    write_page(tmp_path, 2).replace(tmp_path / "page1.png")
    entries = page_entries([tmp_path / "page1.png"])
    assert read_pages(entries, three(), kept).texts["page1"]["one"] == "x y"
    newer = [replace(each, reader=replace(each.reader, version=str)) for each in three()]
    assert read_pages(entries, newer, kept).kept == 0
    assert read_pages(entries, newer, kept).kept == 3
    (kept / "one" / "page1.txt").unlink()
    assert read_pages(entries, newer, kept).kept == 2


def test_true_texts_are_found_by_name_or_image(tmp_path: Path) -> None:
    entries = page_entries([write_page(tmp_path, 1), write_page(tmp_path, 2)])
    assert read_true_texts([], entries) == {}
    truth = tmp_path / "truth"
    truth.mkdir()
    (truth / "page1.gt.txt").write_text("Ann\n")
    (truth / "other.txt").write_text("Bob\n")
    assert read_true_texts([truth], entries) == {"page1": "Ann\n", "other": "Bob\n"}
    (truth / "page1.txt").write_text("Ann\n")
    with pytest.raises(BadInput, match="there is a true text of page1 already"):
        read_true_texts([truth], entries)
    with pytest.raises(BadInput, match="there is no text in it"):
        read_true_texts([_empty(tmp_path)], entries)


def _empty(folder: Path) -> Path:
    path = folder / "empty"
    path.mkdir()
    return path
