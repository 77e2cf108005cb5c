"""Indexing a collection: once, page by page, whatever becomes of pages, files and processes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.errors import BadInput, Cancelled, NotSaved, SpotlabError
from spotlab.geometry.polygon import pair_boxes
from spotlab.model.ranked_list import Items
from spotlab.spotting.words import index as indexing
from spotlab.spotting.words import index as indices
from spotlab.spotting.words.extraction.descriptor import LENGTH
from spotlab.spotting.words.extraction.layout import WordInk
from spotlab.spotting.words.extraction.page_words import PageWords, WordSettings
from spotlab.spotting.words.feature_space import FeatureSpace
from spotlab.spotting.words.index import build_index, default_cache, read_words, write_words
from spotlab.spotting.words.word_index import WordIndex, WordQuery
from tests.spotting.cached_pages import DAMAGES, damaged, note_opened
from tests.spotting.words.word_pages import write_page, write_pages


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Items, WordIndex]:
    """A folder of pages and of their index's files, the words that were written, and the index."""
    folder = tmp_path_factory.mktemp("built")
    words = write_pages(folder / "pages")
    pages = [folder / "pages" / f"{name}.png" for name in words.pages]
    return folder, words, build_index(pages, cache=folder / "cache")


@pytest.fixture
def index(built: tuple[Path, Items, WordIndex], tmp_path: Path) -> WordIndex:
    """The index of the pages, whose files are in the folder "cache"."""
    shutil.copytree(built[0] / "cache", tmp_path / "cache")
    return built[2]


@pytest.fixture(autouse=True)
def _nothing_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test compares is fitted in it."""
    monkeypatch.setattr(indices, "_spaces", {})


@pytest.fixture
def words(built: tuple[Path, Items, WordIndex], tmp_path: Path) -> Items:
    shutil.copytree(built[0] / "pages", tmp_path / "pages")
    return built[1]


@pytest.fixture
def pages(tmp_path: Path, words: Items) -> list[Path]:
    return [tmp_path / "pages" / f"{name}.png" for name in words.pages]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were opened, one after the other."""
    return note_opened(indexing, monkeypatch)


def same(a: WordIndex, b: WordIndex) -> bool:
    return (
        a.items.pages == b.items.pages
        and np.array_equal(a.items.page, b.items.page)
        and np.array_equal(a.items.boxes, b.items.boxes)
        and np.array_equal(a.features, b.features)
        and a.items.texts == b.items.texts
    )


def cached(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.words"))


def test_words_are_found_where_they_are(index: WordIndex, words: Items) -> None:
    assert index.items.pages == words.pages
    assert (np.diff(index.items.page) >= 0).all()
    on_words = pair_boxes(index.items.boxes, words.boxes)
    assert set(range(len(index))) == set(on_words.first.tolist())
    np.testing.assert_allclose(np.linalg.norm(index.features, axis=1), 1, atol=1e-5)
    assert index.words is None
    assert index.left_out == ()


def test_a_second_build_opens_no_page(pages: list[Path], tmp_path: Path, seen: list[str]) -> None:
    first = build_index(pages, cache=tmp_path / "cache")
    assert (sorted(seen), first.reused) == (["page_1", "page_2", "page_3"], 0)
    seen.clear()
    second = build_index(pages, cache=tmp_path / "cache")
    assert (seen, second.reused) == ([], 3)
    assert same(first, second)


def test_only_what_changed_is_looked_at_again(
    index: WordIndex, pages: list[Path], tmp_path: Path, seen: list[str]
) -> None:
    cache = tmp_path / "cache"
    os.utime(pages[0])  # touched, but the same
    write_page(pages[1], (("quite", "other", "words"),))
    seen.clear()
    build_index(pages, cache=cache)
    assert seen == ["page_2"]
    seen.clear()
    build_index(pages, WordSettings(WordInk.OTSU), cache=cache)
    assert seen == ["page_1", "page_2", "page_3"]


def test_the_same_pages_are_fitted_once_and_others_anew(
    index: WordIndex, pages: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted, fit = [], indices._fitted_space

    def noting(files: Any, *more: Any) -> FeatureSpace:
        fitted.append(len(files.works))
        return fit(files, *more)

    monkeypatch.setattr(indices, "_fitted_space", noting)
    first = build_index(pages, cache=tmp_path / "cache")
    assert same(build_index(pages, cache=tmp_path / "cache"), first) and same(first, index)
    assert fitted == [3]
    build_index(pages[:2], cache=tmp_path / "cache")
    build_index(pages, cache=tmp_path / "cache")
    assert fitted == [3, 2]
    write_page(pages[1], (("quite", "other", "words"),))
    build_index(pages, cache=tmp_path / "cache")
    assert fitted == [3, 2, 3]


def test_pages_that_do_not_fit_into_memory_are_read_again(
    index: WordIndex, pages: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indices, "_spaces", {})
    monkeypatch.setattr(indices, "MEMORY", 1)
    assert same(build_index(pages, cache=tmp_path / "cache"), index)


@pytest.mark.slow
def test_results_are_the_same_whatever_the_number_of_processes(
    index: WordIndex, pages: list[Path], tmp_path: Path
) -> None:
    told: list[tuple[int, int | None, str]] = []
    parallel = build_index(
        pages, cache=tmp_path / "two", jobs=2, progress=lambda *now: told.append(now)
    )
    assert same(index, parallel)
    finding = [(done, total) for done, total, doing in told if doing == "finding words"]
    assert list(dict.fromkeys(finding)) == [(0, 3), (1, 3), (2, 3), (3, 3)]  # told while waiting


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_anew(
    damage: str, index: WordIndex, pages: list[Path], tmp_path: Path, seen: list[str]
) -> None:
    target = cached(tmp_path)[1]
    content = target.read_bytes()
    target.write_bytes(damaged(content, damage))
    second = build_index(pages, cache=tmp_path / "cache")
    assert len(seen) == 1
    assert second.reused == 2
    assert same(index, second)
    assert target.read_bytes() == content


def test_a_file_with_a_right_digest_but_wrong_content_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "a.words"
    write_words(
        PageWords(
            np.zeros((3, 4)),
            np.zeros((3, 4)),
            np.zeros((2, LENGTH), np.float16),
            np.zeros((1, LENGTH), np.float16),
            np.ones(2, np.float32),
            np.zeros(2, np.int8),
        ),
        path,
    )
    assert read_words(path) is None
    write_words(
        PageWords(
            np.ones((2, 4)),
            np.ones((2, 4)),
            np.ones((2, LENGTH), np.float16),
            np.ones((1, LENGTH), np.float16),
            np.ones(2, np.float32),
            np.zeros(2, np.int8),
        ),
        path,
    )
    found = read_words(path)
    assert found is not None
    assert found.raw.tolist() == np.ones((2, LENGTH)).tolist()
    assert read_words(tmp_path / "missing.words") is None


def test_cancelling_keeps_what_is_done(pages: list[Path], tmp_path: Path, seen: list[str]) -> None:
    def stop_after_one(done: int, _total: int | None, doing: str) -> None:
        if doing == "finding words" and done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        build_index(pages, cache=tmp_path / "cache", progress=stop_after_one)
    assert seen == ["page_1"]
    index = build_index(pages, cache=tmp_path / "cache")
    assert seen == ["page_1", "page_2", "page_3"]
    assert index.reused == 1
    assert not list((tmp_path / "cache").rglob("*.tmp"))


def test_a_page_that_cannot_be_read_is_left_out_and_said(
    pages: list[Path], words: Items, tmp_path: Path
) -> None:
    pages[1].write_bytes(pages[1].read_bytes()[:300])
    index = build_index([*pages, tmp_path / "pages" / "page_3.png"][:3], cache=tmp_path / "cache")
    assert index.items.pages == ("page_1", "page_3")
    assert [each.page for each in index.left_out] == ["page_2"]
    assert "truncated" in index.left_out[0].problem  # the page is named beside it
    given = build_index(pages, boxes=words, cache=tmp_path / "cache")
    assert given.items.texts == tuple(
        words.text(word) for word in range(len(words)) if words.page_name(word) != "page_2"
    )


def test_where_no_page_can_be_read_that_is_an_error(pages: list[Path], tmp_path: Path) -> None:
    for page in pages:
        page.write_bytes(b"not an image")
    with pytest.raises(BadInput, match=r"page_1\.png"):
        build_index(pages, cache=tmp_path / "cache")
    with pytest.raises(SpotlabError, match="no pages"):
        build_index([], cache=tmp_path / "cache")


def test_pages_without_words_are_an_error_only_if_all_are(
    pages: list[Path], tmp_path: Path
) -> None:
    write_page(pages[0], ())
    index = build_index(pages, cache=tmp_path / "cache")
    assert index.items.pages == ("page_1", "page_2", "page_3")
    assert 0 not in index.items.page
    with pytest.raises(SpotlabError, match=r"there are no words on .*page_1\.png"):
        build_index(pages[:1], cache=tmp_path / "cache")


def test_two_pages_of_one_name_are_refused(pages: list[Path], tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    twin = tmp_path / "more" / "page_1.png"
    twin.write_bytes(pages[0].read_bytes())
    with pytest.raises(BadInput, match="a page of the name 'page_1'"):
        build_index([*pages, twin], cache=tmp_path / "cache")


def test_given_boxes_are_taken_as_they_are(pages: list[Path], words: Items, tmp_path: Path) -> None:
    index = build_index(pages, boxes=words, cache=tmp_path / "cache")
    assert index.given
    assert index.items.texts == words.texts
    assert index.items.boxes.tolist() == words.boxes.tolist()
    assert index.words is index.items
    moved = Items(words.pages, words.page, words.boxes + 1, words.texts)
    assert build_index(pages, boxes=moved, cache=tmp_path / "cache").reused == 0
    elsewhere = Items(("nowhere",), [0], [[0, 0, 9, 9]], ("word",))
    with pytest.raises(SpotlabError, match="no words"):
        build_index(pages, boxes=elsewhere, cache=tmp_path / "cache")


def test_a_box_is_described_as_the_items_are(
    pages: list[Path], words: Items, tmp_path: Path
) -> None:
    index = build_index(pages, boxes=words, cache=tmp_path / "cache")
    for word in (0, 7, 17):
        left, top, right, bottom = words.boxes[word].tolist()
        page = words.page_name(word)
        assert np.array_equal(
            index.describe(WordQuery(page, (left, top, right, bottom))), index.features[word]
        )
        # drawn more generously, it shrinks to the same ink; 18 words tell little of what matters
        wider = index.describe(WordQuery(page, (left - 6, top - 4, right + 5, bottom + 3)))
        assert wider @ index.features[word] > 0.75
        nearest = int((index.features @ wider).argmax())
        assert words.texts[nearest] == words.texts[word]
        np.testing.assert_allclose(np.linalg.norm(wider), 1, atol=1e-5)


def test_a_folder_that_cannot_be_written_is_named(pages: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    with pytest.raises(NotSaved, match="cannot be made"):
        build_index(pages, cache=file)


def test_folders_stand_for_their_pages(pages: list[Path], tmp_path: Path) -> None:
    index = build_index([pages[0].parent], cache=tmp_path / "cache")
    assert index.items.pages == ("page_1", "page_2", "page_3")


def test_indices_are_kept_in_the_users_cache() -> None:
    assert default_cache().name == "words"
    assert "spotlab" in default_cache().parts
