"""Indexing a collection for symbols: once, page by page, whatever becomes of pages and files."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from spotlab.errors import BadInput, Cancelled, NotSaved, SpotlabError
from spotlab.formats.collection.folder import scan
from spotlab.formats.store import write_arrays
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import InkSettings
from spotlab.imaging.reading.pixels import read_page
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.engine.method import SymbolSettings
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.methods import spotting_methods
from spotlab.spotting.symbols.search import index as indexing
from spotlab.spotting.symbols.search.index import (
    SymbolIndex,
    build_index,
    default_cache,
    features_of_page,
    read_features,
    write_features,
)
from tests.spotting.cached_pages import DAMAGES, damaged, note_opened
from tests.spotting.symbols import foreign_methods
from tests.spotting.symbols.drawn_symbols import write_drawings


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    return write_drawings(tmp_path / "pages")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened, one after the other."""
    return note_opened(indexing, monkeypatch)


def assert_same(a: PageFeatures, b: PageFeatures) -> None:
    assert (a.size, a.pen) == (b.size, b.pen)
    assert np.array_equal(a.primitives.contours.points, b.primitives.contours.points)
    assert np.array_equal(a.primitives.contours.offsets, b.primitives.contours.offsets)
    assert np.array_equal(a.primitives.level, b.primitives.level)
    assert list(a.arrays) == list(b.arrays)
    for method, kept in a.arrays.items():
        assert kept.keys() == b.arrays[method].keys()
        for name, array in kept.items():
            other = b.arrays[method][name]
            assert (array.dtype, array.shape) == (other.dtype, other.shape)
            assert array.tobytes() == other.tobytes()


def assert_same_pages(a: SymbolIndex, b: SymbolIndex) -> None:
    assert a.entries == b.entries
    for entry in a.entries:
        assert_same(a.page(entry.name), b.page(entry.name))


def cached(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.symbols"))


def test_all_that_is_seen_of_a_page_is_kept(pages: list[Path], tmp_path: Path) -> None:
    index = build_index(pages, cache=tmp_path / "cache")
    assert [entry.name for entry in index.entries] == ["plan_1", "plan_2", "plan_3"]
    assert len(index) == 3
    seen = index.page("plan_1")
    assert seen.size == (420, 300)
    assert set(spotting_methods()) <= set(seen.arrays)
    fresh = indexing.extract_features(
        read_page(pages[0]), list(spotting_methods().values()), SymbolSettings()
    )
    assert_same(seen, fresh)
    assert np.array_equal(seen.ink, read_page(pages[0]) < 128)
    with pytest.raises(SpotlabError, match="'nowhere' is not in the index"):
        index.page("nowhere")


def test_a_second_build_opens_no_page(pages: list[Path], tmp_path: Path, opened: list[str]) -> None:
    first = build_index(pages, cache=tmp_path / "cache")
    assert (opened, first.reused) == (["plan_1", "plan_2", "plan_3"], 0)
    opened.clear()
    second = build_index(pages, cache=tmp_path / "cache")
    assert (opened, second.reused) == ([], 3)
    assert_same_pages(first, second)


def test_only_what_changed_is_looked_at_again(
    pages: list[Path], tmp_path: Path, opened: list[str]
) -> None:
    cache = tmp_path / "cache"
    build_index(pages, cache=cache)
    os.utime(pages[0])  # touched, but the same
    cv2.imwrite(str(pages[1]), 255 - cv2.imread(str(pages[2]))[:, ::-1])
    opened.clear()
    build_index(pages, cache=cache)
    assert opened == ["plan_2"]
    opened.clear()
    build_index(pages, SymbolSettings(mend=False), cache=cache)
    build_index(pages[:1], SymbolSettings(InkSettings(offset=9)), cache=cache)
    assert opened == ["plan_1", "plan_2", "plan_3", "plan_1"]


@pytest.mark.slow
def test_files_are_the_same_whatever_the_number_of_processes(
    pages: list[Path], tmp_path: Path
) -> None:
    told: list[tuple[int, int | None, str]] = []
    build_index(pages, cache=tmp_path / "two", jobs=2, progress=lambda *now: told.append(now))
    build_index(pages, cache=tmp_path / "one")
    one, two = ({file.name: file.read_bytes() for file in cached(tmp_path / name)}
                for name in ("one", "two"))  # fmt: skip
    assert one == two
    assert len(one) == 3
    steps = dict.fromkeys(now[:2] for now in told)  # the same may be told again while waiting
    assert list(steps) == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_anew(
    damage: str, pages: list[Path], tmp_path: Path, opened: list[str]
) -> None:
    build_index(pages, cache=tmp_path)
    target = cached(tmp_path)[1]
    content = target.read_bytes()
    target.write_bytes(damaged(content, damage))
    opened.clear()
    assert build_index(pages, cache=tmp_path).reused == 2
    assert len(opened) == 1
    assert target.read_bytes() == content


def test_what_is_written_is_read_and_wrong_content_is_not_trusted(tmp_path: Path) -> None:
    rings = Outlines.of([[(0.25, 0), (70_000, 0), (70_000, 9)], []])
    ink = np.packbits(np.eye(5, dtype=bool), axis=1)
    seen = PageFeatures(
        (7, 5),
        2.5,
        Primitives(rings, np.array([0, 2])),
        {
            "ink": {"bits": ink},
            "x": {"y": np.array([np.nan, 1]), "file": np.array([[3]], np.float32)},
            "z": {},
        },
    )
    path = tmp_path / "deep" / "a.symbols"
    write_features(seen, path)
    found = read_features(path)
    assert found is not None
    assert_same(seen, found)
    assert np.array_equal(found.ink, np.eye(5, 7, dtype=bool))
    write_arrays({"size": np.array([7, 5])}, path, b"spotlab symbols 1\n")
    assert read_features(path) is None
    write_arrays({"size": np.array([7, 5])}, path, b"spotlab spots 1\n")
    assert read_features(path) is None
    assert read_features(tmp_path / "missing") is None


def test_cancelling_keeps_what_is_done(
    pages: list[Path], tmp_path: Path, opened: list[str]
) -> None:
    def stop_after_one(done: int, _total: int | None, _doing: str) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        build_index(pages, cache=tmp_path / "cache", progress=stop_after_one)
    assert opened == ["plan_1"]
    index = build_index(pages, cache=tmp_path / "cache")
    assert opened == ["plan_1", "plan_2", "plan_3"]
    assert index.reused == 1
    assert not list((tmp_path / "cache").rglob("*.tmp"))


def test_a_page_that_cannot_be_read_is_left_out_and_said(pages: list[Path], tmp_path: Path) -> None:
    pages[1].write_bytes(pages[1].read_bytes()[:200])
    pages[2].unlink()
    entries = [*scan(pages[:2]), *(each for each in scan([pages[2].with_suffix(".xml")]))]
    index = build_index(entries, cache=tmp_path / "cache")
    assert [entry.name for entry in index.entries] == ["plan_1"]
    assert [each.page for each in index.left_out] == ["plan_2", "plan_3"]
    assert index.left_out[0].problem == "decoding the image failed: image file is truncated"
    assert "does not exist" in index.left_out[1].problem
    with pytest.raises(BadInput, match=r"plan_2\.png"):
        build_index(pages[1:2], cache=tmp_path / "cache")


def test_few_pages_are_in_memory(pages: list[Path], tmp_path: Path) -> None:
    index = build_index(pages, cache=tmp_path / "cache")
    assert index.loaded_bytes == 0
    one = index.page("plan_1")
    assert index.page("plan_1") is one
    size = index.loaded_bytes
    ink = one.arrays["ink"]["bits"].nbytes
    assert size > ink + one.primitives.contours.points.nbytes
    index.memory = size + 1
    index.page("plan_2")
    assert index.loaded_bytes <= size + 1
    assert index.page("plan_1") is not one
    assert_same(index.page("plan_1"), one)
    index.memory = 10 * size
    two, _ = index.page("plan_2"), index.page("plan_1")
    assert index.page("plan_2") is two  # used last goes last
    index.memory = 1
    index.page("plan_3")
    assert index.page("plan_2") is not two


def test_a_file_that_is_gone_is_made_anew(
    pages: list[Path], tmp_path: Path, opened: list[str]
) -> None:
    index = build_index(pages, cache=tmp_path / "cache")
    index.files["plan_2"].unlink()
    opened.clear()
    assert index.page("plan_2").size == (420, 300)
    assert opened == ["plan_2"]
    assert index.files["plan_2"].exists()


def test_where_nothing_can_be_kept_pages_are_seen_each_time(
    pages: list[Path], tmp_path: Path, opened: list[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    [entry] = scan(pages[:1])
    first = features_of_page(entry, cache=blocked)
    assert_same(first, features_of_page(entry, cache=blocked))
    assert opened == ["plan_1", "plan_1"]
    with pytest.raises(NotSaved, match="cannot be made"):
        build_index(pages, cache=blocked)
    opened.clear()
    kept = features_of_page(entry, cache=tmp_path / "cache")
    assert_same(first, kept)
    assert_same(kept, features_of_page(entry, cache=tmp_path / "cache"))
    assert opened == ["plan_1"]


def test_indices_are_kept_in_the_users_cache() -> None:
    assert default_cache().name == "symbols"
    assert "spotlab" in default_cache().parts


def test_what_other_people_add_is_seen_too_and_anew_when_it_changes(
    pages: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    def index() -> SymbolIndex:
        return build_index(pages[:1], cache=tmp_path / "cache")

    assert "slow" not in index().page("plan_1").arrays
    with monkeypatch.context() as patch:
        foreign_methods.install(tmp_path / "site", tmp_path / "notes", 0, patch)
        assert index().page("plan_1").arrays["slow"]["page"].shape == ()
        assert index().reused == 1
        module = tmp_path / "site" / "slow_spotting.py"
        module.write_text(module.read_text() + "# improved\n")
        foreign_methods.forget()
        assert index().reused == 0
    foreign_methods.forget()
    assert "slow" not in index().page("plan_1").arrays
    assert opened == ["plan_1", "plan_1", "plan_1"]
