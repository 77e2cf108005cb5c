"""A region labelled "word" with a text is a Word of PAGE; words of others stay as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from spotlab.formats.truth import page_xml
from spotlab.model import Contribution, Deed, Page, Primitive, Region, Truth
from tests.formats.page_files import assert_valid

PATH = Path("letter.xml")
TIME = datetime(2026, 1, 1, tzinfo=UTC)
HISTORY = (Contribution(Deed.DRAWN, "Anna", TIME, "word search"),)
WORD = Region(
    ((1, 2), (30, 2), (30, 12), (1, 12)), "word", "w1", Primitive.BOX, text="orders & co",
    history=HISTORY,
)  # fmt: skip
SOFA = Region(((1, 20), (30, 20), (30, 32)), "sofa", "s1")


def saved(truth: Truth) -> bytes:
    return page_xml.serialise(truth, TIME)


def texts(content: bytes) -> list[tuple[str, str, tuple[float, ...]]]:
    words = page_xml.parse(content, PATH, words=True).regions
    return [(word.id, word.text, word.bounds) for word in words]


def test_a_word_is_a_valid_word_of_page_and_comes_back() -> None:
    truth = Truth(Page(Path("letter.png"), 100, 100), (WORD, SOFA))
    content = saved(truth)
    assert_valid(content)
    back = page_xml.parse(content, PATH)
    assert back.regions == truth.regions and back.regions[0].history == HISTORY
    assert texts(content) == [("w1", "orders & co", (1, 2, 30, 12))]
    assert b"<Unicode>orders &amp; co</Unicode></TextEquiv>\n        </Word>" in content
    assert saved(back) == content


def test_its_word_follows_when_it_is_moved_or_its_text_is_changed() -> None:
    first = page_xml.parse(saved(Truth(Page(Path("letter.png"), 100, 100), (WORD,))), PATH)
    moved = replace(WORD, points=((3, 2), (40, 2), (40, 12), (3, 12)), text="order")
    content = saved(replace(first, regions=(moved,)))
    assert_valid(content)
    assert texts(content) == [("w1", "order", (3, 2, 40, 12))]
    assert page_xml.parse(content, PATH).regions == (moved,)
    assert texts(saved(replace(first, regions=()))) == []


def test_a_region_becomes_a_word_and_one_no_more() -> None:
    first = page_xml.parse(saved(Truth(Page(Path("letter.png"), 100, 100), (WORD, SOFA))), PATH)
    other = (replace(WORD, label="sofa"), replace(SOFA, label="word", text="letters"))
    content = saved(replace(first, regions=other))
    assert_valid(content)
    assert page_xml.parse(content, PATH).regions == other
    assert [(id, text) for id, text, _ in texts(content)] == [("s1", "letters")]
