"""What is written where: pairs of boxes, words from files, and what of a list is the word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from spotlab.errors import BadInput, SpotlabError
from spotlab.geometry.polygon import pair_boxes
from spotlab.model import Page, Region, Truth
from spotlab.model.ranked_list import Items
from spotlab.spotting.words.word_index import find_instances, instances
from spotlab.studies.tally.truth import TruthSet
from spotlab.studies.words.word_truth import (
    match_texts,
    match_words,
    read_words,
    relevance,
    relevant_count,
    word_items,
)

boxes = some.lists(
    some.tuples(*[some.integers(0, 30)] * 2, *[some.integers(1, 12)] * 2).map(
        lambda each: (each[0], each[1], each[0] + each[2], each[1] + each[3])
    ),
    max_size=12,
)


@given(boxes, boxes)
def test_pairs_are_those_that_looking_at_every_pair_finds(
    first: list[tuple[int, ...]], second: list[tuple[int, ...]]
) -> None:
    expected = []
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            across = min(a[2], b[2]) - max(a[0], b[0])
            down = min(a[3], b[3]) - max(a[1], b[1])
            if across > 0 and down > 0:
                sizes = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
                iou = across * down / (sum(sizes) - across * down)
                expected.append((i, j, across * down, iou, across * down / min(sizes)))
    pairs = pair_boxes(first, second)
    found = [pairs.first, pairs.second, pairs.shared, pairs.iou, pairs.share_of_smaller]
    np.testing.assert_allclose(np.transpose(found), np.array(expected).reshape(-1, 5))


WORDS = Items(
    ("one", "two", "three"),
    [0, 0, 1, 1],
    [[0, 0, 100, 40], [110, 0, 200, 40], [0, 0, 100, 40], [60, 0, 160, 40]],
    ("Orders,", "of", "orders", "orders"),
)


def test_an_item_has_the_text_of_the_word_it_lies_on_best() -> None:
    items = Items(
        ("two", "one", "other"),
        [0, 0, 1, 1, 2],
        [[35, 0, 135, 40], [0, 0, 90, 40], [40, 0, 150, 40], [120, 5, 200, 40], [0, 0, 100, 40]],
    )
    assert match_words(items, WORDS).tolist() == [3, 2, -1, 1, -1]
    assert match_texts(items, WORDS) == ("orders", "orders", None, "of", None)
    assert match_words(items, WORDS, iou=0.9).tolist() == [-1, 2, -1, -1, -1]


def test_a_word_counts_once_and_unknown_pages_are_unknown() -> None:
    items = Items(
        ("one", "two", "three", "other"),
        [0, 0, 1, 1, 1, 2, 3],
        [[0, 0, 90, 40], [0, 0, 100, 40], [0, 0, 100, 39], [55, 0, 155, 40], [65, 0, 160, 39],
         [0, 0, 100, 40], [0, 0, 100, 40]],
    )  # fmt: skip
    assert relevance(items, "ORDERS", WORDS).tolist() == [0, 1, 1, 0, 1, 0, -1]
    assert relevance(items, "of", WORDS).tolist() == [0, 0, 0, 0, 0, 0, -1]
    assert relevance(items.take([]), "of", WORDS).shape == (0,)


def test_relevant_words_are_counted_on_the_pages_searched() -> None:
    assert relevant_count(WORDS, "orders") == 3
    assert relevant_count(WORDS, "orders", ["two", "three"]) == 2
    assert relevant_count(WORDS, "orders", without_own=True) == 2
    assert relevant_count(WORDS, "nothing", without_own=True) == 0


def test_a_text_that_is_written_nowhere_names_near_ones() -> None:
    assert instances(WORDS, "order").tolist() == []
    with pytest.raises(SpotlabError, match=r"'order' is written nowhere; there is 'orders'$"):
        find_instances(WORDS, "order")
    with pytest.raises(SpotlabError, match="no word has a text"):
        find_instances(Items(("one",), [], []), "order")
    assert find_instances(WORDS, "orders").tolist() == [0, 2, 3]


def test_regions_without_text_or_area_are_no_words() -> None:
    flat = Region(((0, 0), (9, 0), (5, 0)), "word", text="flat")
    bare = Region(((0, 0), (9, 0), (5, 5)), "word")
    word = Region(((0, 0), (9, 1), (5, 5)), "word", text="Word")
    page = Page(Path("a.png"), 10, 10)
    words = word_items(TruthSet({"a": Truth(page, (flat, bare, word)), "b": Truth(page)}))
    assert words.pages == ("a", "b")
    assert words.texts == ("Word",)
    assert words.boxes.tolist() == [[0, 0, 9, 5]]


def test_box_lists_are_read_and_belong_to_pages(tmp_path: Path) -> None:
    folder = tmp_path / "gtp_boxes"
    folder.mkdir()
    (folder / "100100.gtp").write_text("1 2 30 40 two words\n\n")
    (folder / "90090.gtp").write_text("1 2 30 40 Nine\n5 5 5 9 flat\n")
    words = read_words([tmp_path])
    assert words.pages == ("90", "100100")
    assert words.texts == ("Nine", "two words")
    assert read_words([folder / "90090.gtp"]).pages == ("90",)


@pytest.mark.parametrize("line", ["1 2 30 40", "1 2 x 40 word", "1 2 nan 40 word", "word"])
def test_a_bad_box_list_is_named_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gtp"
    path.write_text(f"1 2 30 40 good\n{line}\n")
    with pytest.raises(BadInput, match=r"a\.gtp, line 2: .*is no word"):
        read_words([path])


def test_a_page_has_its_words_from_one_file(tmp_path: Path) -> None:
    (tmp_path / "90090.gtp").write_text("1 2 30 40 good\n")
    (tmp_path / "90.gtp").write_text("1 2 30 40 good\n")
    with pytest.raises(BadInput, match="two files with words of the page '90'"):
        read_words([tmp_path])
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "a.gtp").write_text("")
    with pytest.raises(BadInput, match="no word or line in it has a text"):
        read_words([tmp_path / "empty"])


def test_george_washington_is_read(shared_data: Path) -> None:
    words = read_words([shared_data / "gw20_words"])
    assert len(words) == 3696
    assert words.pages[:2] == ("270", "271")
    assert relevant_count(words, "orders") == (relevance(words, "orders", words) == 1).sum() == 24


@pytest.mark.parametrize(
    ("name", "image", "page"),
    [
        ("303.gtp", None, "303"),
        ("2700270.gtp", None, "270"),
        ("303.gtp", "3.png", "3"),
        ("2700270.gtp", "2700270.png", "2700270"),
        ("505.gtp", "505.jpg", "505"),
    ],
)
def test_the_page_of_a_list_of_boxes(
    tmp_path: Path, name: str, image: str | None, page: str
) -> None:
    (tmp_path / name).write_text("1 1 9 9 word\n")
    if image is not None:
        (tmp_path / image).touch()
    assert read_words([tmp_path / name]).pages == (page,)
