"""Spotting on a collection: right places, the same run however, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.errors import BadInput, Cancelled, NotSaved, SpotlabError
from spotlab.formats.collection.folder import scan
from spotlab.formats.runs import write_csv
from spotlab.geometry.polygon import Outlines, pair_boxes
from spotlab.model.run import Run
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.method import SymbolSettings
from spotlab.spotting.symbols.engine.page_features import QuerySpots, SymbolModel, draw_model
from spotlab.spotting.symbols.search import symbol_search as page_searching
from spotlab.spotting.symbols.search.symbol_search import merge_spots, search_symbols
from spotlab.studies.symbols.symbol_queries import crop_models, truths_beside
from tests.processes import is_running
from tests.spotting.symbols import foreign_methods
from tests.spotting.symbols.drawn_symbols import write_drawings

METHOD = "b"


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    return write_drawings(tmp_path / "pages")


@pytest.fixture
def models(pages: list[Path]) -> list[SymbolModel]:
    return [*crop_models(scan(pages))]


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were searched, one after the other."""
    names: list[str] = []
    real = page_searching.load_features

    def noting(entry: Any, *more: Any) -> Any:
        names.append(entry.name)
        return real(entry, *more)

    monkeypatch.setattr(page_searching, "load_features", noting)
    return names


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A slow method, and the folder of its notes."""
    notes = tmp_path / "notes"
    with monkeypatch.context() as patch:
        foreign_methods.install(tmp_path / "site", notes, 0, patch)
        yield notes
    foreign_methods.forget()


def bytes_of(run: Run, folder: Path) -> bytes:
    write_csv(run, folder / "run.csv")
    return (folder / "run.csv").read_bytes()


def test_symbols_are_found_where_they_are(
    pages: list[Path], models: list[SymbolModel], tmp_path: Path
) -> None:
    search = search_symbols(pages, models, METHOD, cache=tmp_path / "cache")
    assert search.labels == ("house", "target", "window")
    assert (search.pages, search.left_out, search.reused) == (3, (), 0)
    run = search.run
    assert run.name == "symbols_b"
    truths = truths_beside(page_entries(pages))
    for number, label in enumerate(run.queries):
        spots = [run.spot(place) for place in range(*run.starts[number : number + 2].tolist())]
        assert {spot.label for spot in spots} == {label}
        for page, truth in truths.items():
            regions = [region.array for region in truth.regions if region.label == label]
            here = [spot for spot in spots if spot.page == page]
            pairs = pair_boxes(
                Outlines.of(regions).bounds, Outlines.of([spot.points for spot in here]).bounds
            )
            hit = pairs.iou > 0.7
            assert set(pairs.first[hit].tolist()) == set(range(len(regions))), (label, page)
            if spots[0].page == page:
                assert spots[0].score == max(spot.score or 0 for spot in spots)
                assert 0 in pairs.second[hit]  # the best of all is right


@pytest.mark.slow
def test_the_run_is_the_same_whatever_the_number_of_processes(
    pages: list[Path], models: list[SymbolModel], tmp_path: Path
) -> None:
    told: list[tuple[int, int | None, str]] = []
    one = search_symbols(
        pages, models, METHOD, cache=tmp_path / "1", progress=lambda *now: told.append(now)
    )
    two = search_symbols(pages, models, METHOD, cache=tmp_path / "2", jobs=2)
    again = search_symbols(pages, models, METHOD, cache=tmp_path / "2")
    assert (
        bytes_of(one.run, tmp_path) == bytes_of(two.run, tmp_path) == bytes_of(again.run, tmp_path)
    )
    assert (one.reused, again.reused) == (0, 3)
    assert [now[:2] for now in told] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    files = [sorted(file.name for file in (tmp_path / name).rglob("*.spots")) for name in "12"]
    assert files[0] == files[1]


def test_models_of_one_label_are_fused(pages: list[Path], tmp_path: Path) -> None:
    entries = scan(pages)
    several = crop_models(entries, ["target"], per_label=3)
    assert len({model.page for model in several}) > 1
    together = search_symbols(pages, several, METHOD, cache=tmp_path).run
    alone = [search_symbols(pages, [model], METHOD, cache=tmp_path).run for model in several]
    assert together.queries == ("target",)
    assert together.score.max() == max(run.score.max() for run in alone)
    for page in together.pages:
        here = together.outlines.bounds[together.page == together.pages.index(page)]
        pairs = pair_boxes(here, here)
        assert (pairs.iou[pairs.first != pairs.second] < 0.5).all()


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), max_size=6),
        min_size=2, max_size=3,
    )
)  # fmt: skip
def test_fusing_keeps_the_best_of_each_place(lists: list[list[tuple[int, int]]]) -> None:
    several = []
    for places in lists:
        ordered = sorted(places, key=lambda place: -place[1])
        boxes = [[(x, 0), (x + 10, 0), (x + 10, 10), (x, 10)] for x, _ in ordered]
        several.append(
            QuerySpots(Outlines.of(boxes), np.array([score for _, score in ordered], float))
        )
    # by the definition: greedily, all against all
    kept: list[tuple[int, int]] = []
    for x, score in sorted((place for found in several for place in zip(
        found.outlines.bounds[:, 0].tolist() if len(found) else [], found.scores.tolist(),
        strict=True)), key=lambda place: -place[1]):  # fmt: skip
        if all((10 - abs(x - other)) / (10 + abs(x - other)) < 0.5 for other, _ in kept):
            kept.append((x, score))
    result = merge_spots(several)
    assert result.scores.tolist() == [score for _, score in kept]
    assert result.outlines.bounds[:, 0].tolist() == [x for x, _ in kept]


def test_only_the_best_are_kept_where_that_is_wanted(
    pages: list[Path], models: list[SymbolModel], tmp_path: Path, searched: list[str]
) -> None:
    everything = search_symbols(pages, models, METHOD, cache=tmp_path).run
    two = search_symbols(pages, models, METHOD, cache=tmp_path, max_spots=2).run
    assert len(searched) == 3
    assert np.bincount(two.query).tolist() == [2, 2, 2]
    for number, name in enumerate(two.queries):
        start, other = two.starts[number], everything.starts[everything.queries.index(name)]
        for place in range(2):
            a, b = two.spot(int(start) + place), everything.spot(int(other) + place)
            assert (a.page, a.score, a.points.tolist()) == (b.page, b.score, b.points.tolist())


def test_spots_of_low_score_are_left_out_and_come_back_without_a_search(
    pages: list[Path], models: list[SymbolModel], searched: list[str], tmp_path: Path
) -> None:
    def scores(at_least: float | None) -> list[float]:
        cache = tmp_path / "cache"
        found = search_symbols(pages, models, "e", cache=cache, min_score=at_least)
        return sorted(found.run.score.tolist())

    everything, usual = scores(0), scores(None)
    assert len(searched) == len(pages)
    assert usual == [score for score in everything if score >= 0.4]
    assert scores(0.9) == [score for score in everything if score >= 0.9] != usual


def test_a_cancelled_search_goes_on_where_it_was(
    pages: list[Path], models: list[SymbolModel], tmp_path: Path, searched: list[str]
) -> None:
    def stop_after_one(done: int, _total: int | None, _doing: str) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        search_symbols(pages, models, METHOD, cache=tmp_path / "a", progress=stop_after_one)
    assert searched == ["plan_1"]
    told: list[int] = []
    resumed = search_symbols(
        pages, models, METHOD, cache=tmp_path / "a", progress=lambda done, *_: told.append(done)
    )
    assert searched == ["plan_1", "plan_2", "plan_3"]
    assert (resumed.reused, told) == (1, [1, 2, 3])
    whole = search_symbols(pages, models, METHOD, cache=tmp_path / "b").run
    assert bytes_of(resumed.run, tmp_path) == bytes_of(whole, tmp_path)


def test_what_was_asked_otherwise_is_searched_again(
    pages: list[Path], models: list[SymbolModel], tmp_path: Path, searched: list[str]
) -> None:
    def count(*given: Any, **named: Any) -> int:
        searched.clear()
        search_symbols(*given, cache=tmp_path, **named)
        return len(searched)

    assert count(pages, models, METHOD) == 3
    assert count(pages[:2], models, METHOD) == 0
    assert count(pages, models[::-1], METHOD) == 3
    assert count(pages, models, "d") == 3
    assert count(pages, models, METHOD, SymbolSettings(mend=False)) == 3
    renamed = SymbolModel("other", models[0].ink, models[0].outline)
    assert count(pages, [renamed, *models[1:]], METHOD) == 3
    for file in list(tmp_path.rglob("*.spots"))[:4]:
        file.write_bytes(file.read_bytes()[:-1])
    assert count(pages, models, METHOD) + count(pages, models, "d") <= 4
    assert count(pages, models, METHOD) == 0


@pytest.mark.slow
def test_pages_that_cannot_be_read_are_left_out_and_said(
    pages: list[Path], models: list[SymbolModel], tmp_path: Path
) -> None:
    pages[1].write_bytes(b"no image")
    search = search_symbols(pages, models, METHOD, cache=tmp_path / "cache", jobs=2)
    assert search.pages == 2
    assert [each.page for each in search.left_out] == ["plan_2"]
    assert "plan_2" not in search.run.pages
    with pytest.raises(BadInput, match=r"plan_2\.png"):
        search_symbols(pages[1:2], models, METHOD, cache=tmp_path / "cache")


def test_errors_say_what_is_wrong(
    pages: list[Path], models: list[SymbolModel], tmp_path: Path
) -> None:
    with pytest.raises(SpotlabError, match="no method 'z'; there are a, b, c, d"):
        search_symbols(pages, models, "z", cache=tmp_path)
    with pytest.raises(SpotlabError, match="no query model"):
        search_symbols(pages, [], METHOD, cache=tmp_path)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(NotSaved, match="cannot be made"):
        search_symbols(pages, models, METHOD, cache=tmp_path / "file")


def test_nothing_found_is_an_empty_run(pages: list[Path], tmp_path: Path) -> None:
    dot = draw_model("dot", [[(5, 5), (6, 5)]], 1)
    search = search_symbols(pages, [dot], METHOD, cache=tmp_path)
    assert search.labels == ("dot",)
    assert len(search_symbols(pages, [dot], METHOD, cache=tmp_path).run) == len(search.run)


CHILD = """
import sys
from pathlib import Path
from spotlab.formats.collection.folder import scan
from spotlab.spotting.symbols.search.symbol_search import search_symbols
from spotlab.studies.symbols.symbol_queries import crop_models
if __name__ == "__main__":
    pages = [Path(sys.argv[1])]
    models = crop_models(scan(pages), ["house"])
    search_symbols(pages, models, "slow", cache=Path(sys.argv[2]), jobs=2)
"""


def test_a_killed_search_goes_on_where_it_was(
    slow: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(foreign_methods.ENOUGH, "2")
    pages = write_drawings(tmp_path / "many", 6)
    cache = tmp_path / "cache"
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    command = [sys.executable, str(script), str(tmp_path / "many"), str(cache)]
    with subprocess.Popen(command) as child:
        while len(list(cache.rglob("*.spots"))) < 2 and child.poll() is None:
            time.sleep(0.01)
        child.kill()
    assert child.returncode == -signal.SIGKILL
    assert len(list(cache.rglob("*.spots"))) == 2
    workers = [worker for _, worker in foreign_methods.noted(slow)]
    while any(map(is_running, workers)):  # they end with it
        time.sleep(0.01)
    for note in slow.iterdir():
        note.unlink()
    monkeypatch.delenv(foreign_methods.ENOUGH)
    models = crop_models(scan(pages), ["house"])
    resumed = search_symbols(pages, models, "slow", cache=cache)
    assert resumed.reused == 2
    assert len(foreign_methods.noted(slow)) == 4
    whole = search_symbols(pages, models, "slow", cache=tmp_path / "other").run
    assert bytes_of(resumed.run, tmp_path) == bytes_of(whole, tmp_path)


@pytest.mark.slow
def test_a_killed_worker_is_an_error_that_loses_nothing(
    slow: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(foreign_methods.ENOUGH, "2")
    pages = write_drawings(tmp_path / "many", 6)
    models = crop_models(scan(pages), ["house"])
    cache = tmp_path / "cache"

    def kill_one(done: int, _total: int | None, doing: str) -> None:
        if doing == "spotting symbols" and done == 2 and len(foreign_methods.noted(slow)) > 2:
            with suppress(ProcessLookupError):  # killed already
                os.kill(foreign_methods.noted(slow)[-1][1], signal.SIGKILL)

    with pytest.raises(SpotlabError, match="a process that worked was ended"):
        search_symbols(pages, models, "slow", cache=cache, jobs=2, progress=kill_one)
    assert len(list(cache.rglob("*.spots"))) == 2
    for note in slow.iterdir():
        note.unlink()
    monkeypatch.delenv(foreign_methods.ENOUGH)
    assert search_symbols(pages, models, "slow", cache=cache).reused == 2
    assert len(foreign_methods.noted(slow)) == 4
