"""Judged words become words of the truth: what is there stays, what two say is left alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from spotlab.editing.collection_step import Arrival
from spotlab.formats.truth import page_xml
from spotlab.model import Items, LabelSet, Page, Primitive, Region, Truth
from spotlab.studies.tally.truth import TruthSet
from spotlab.studies.words.transcription import (
    JudgedWord,
    covered_share,
    plan_words,
    word_step,
    words_on_page,
)
from spotlab.studies.words.word_truth import relevance, relevant_count, word_items

TIME = datetime(2026, 1, 1, tzinfo=UTC)
PAGE = Page(Path("a.png"), 400, 200)
FOREIGN = b"""<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Metadata><Creator>x</Creator><Created>2026-01-01T00:00:00</Created>
<LastChange>2026-01-01T00:00:00</LastChange></Metadata>
<Page imageFilename="a.png" imageWidth="400" imageHeight="200">
<TextRegion id="r"><Coords points="0,0 300,0 300,50 0,50"/><TextLine id="l">
<Coords points="0,0 300,0 300,50 0,50"/><Word id="w"><Coords points="0,0 90,0 90,40 0,40"/>
<TextEquiv><Unicode>Orders,</Unicode></TextEquiv></Word></TextLine></TextRegion></Page></PcGts>
"""


def judged(text: str, left: float, top: float = 0.0, width: float = 90.0) -> JudgedWord:
    return JudgedWord(text, ("a", left, top, left + width, top + 40.0))


def foreign() -> Truth:
    return page_xml.parse(FOREIGN, Path("a.xml"))


def test_words_of_others_and_own_ones_are_the_words_of_a_page() -> None:
    truth = foreign()
    assert [word.text for word in words_on_page(truth)] == ["Orders,"]
    own = Region(((0, 60), (9, 60), (9, 90), (0, 90)), "word", "o", Primitive.BOX, text="own")
    both = replace(truth, regions=(*truth.regions, own))
    assert [word.text for word in words_on_page(both)] == ["own", "Orders,"]
    saved = page_xml.parse(page_xml.serialise(both, TIME), Path("a.xml"))
    assert [word.text for word in words_on_page(saved)] == ["own", "Orders,"]
    # a word that is not saved as deleted yet is gone all the same
    assert [word.text for word in words_on_page(replace(saved, regions=truth.regions))] == [
        "Orders,"
    ]


def test_what_the_truth_has_is_not_doubled_and_what_it_says_differently_stays() -> None:
    words = [
        judged("orders", 3),
        judged("letters", 8, 2),
        judged("orders", 200),
        judged("x", 0, 90),
    ]
    plan = plan_words(words, {"a": foreign()})
    # the first two stand at one place and say different things: neither counts
    assert [word.text for word in plan.new["a"]] == ["orders", "x"] and plan.present == 0
    assert [(each.word.text, each.other, each.in_truth) for each in plan.differences] == [
        ("letters", "orders", False)
    ]
    plan = plan_words([judged("orders", 3), judged("orders", 6)], {"a": foreign()})
    assert (plan.count, plan.present, plan.differences) == (0, 1, ())
    plan = plan_words([judged("order", 3)], {"a": foreign()})
    assert plan.count == 0 and plan.differences[0].in_truth
    assert plan.differences[0].text == "a at 3, 0: the truth says “Orders,”, you “order”"
    assert plan_words([judged("order", 3)], {"b": foreign()}).count == 0


def test_the_step_writes_whole_px_and_says_who_found_the_word(tmp_path: Path) -> None:
    plan = plan_words([judged("own", 200.4, 10.2, 80)], {"a": foreign()})
    path = tmp_path / "a.xml"
    step = word_step(plan, {}, {"a": path}, tmp_path, LabelSet(), "Anna", TIME)
    [[arrival]] = step.pages.values()
    assert isinstance(arrival, Arrival) and arrival.value.bounds == (200, 10, 281, 51)
    assert [entry.text for entry in arrival.value.history] == [
        "drawn 2026-01-01T00:00:00+00:00 Anna"
    ]
    assert step.name == "Write “own” into the truth" and step.added[0].label.name == "word"
    again = word_step(plan, {}, {"a": path}, tmp_path, LabelSet().with_label("word"), "Anna", TIME)
    assert again.added == ()


def test_on_a_page_where_only_found_words_are_written_the_rest_is_unknown(tmp_path: Path) -> None:
    plan = plan_words([judged("own", 0), judged("my", 100)], {"a": Truth(PAGE)})
    step = word_step(plan, {"a": PAGE}, {"a": Path("a.xml")}, tmp_path, LabelSet(), "Anna", TIME)
    [arrivals] = step.pages.values()
    regions = tuple(each.value for each in arrivals if isinstance(each, Arrival))
    items = Items(("a",), [0, 0, 0], [[0, 0, 90, 40], [100, 0, 190, 40], [300, 0, 390, 40]])
    partial = word_items(TruthSet({"a": Truth(PAGE, regions)}))
    assert partial.partial == {"a"} and partial.take([0]).partial == {"a"}
    assert relevance(items, "own", partial).tolist() == [1, 0, -1]
    assert relevant_count(partial, "own") == 1
    checked = word_items(TruthSet({"a": Truth(replace(PAGE, checked=True), regions)}))
    assert not checked.partial and relevance(items, "own", checked).tolist() == [1, 0, 0]
    other = replace(regions[0], id="other", history=())
    assert not word_items(TruthSet({"a": Truth(PAGE, (*regions, other))})).partial


def test_the_share_that_is_transcribed() -> None:
    items = Items(("a", "b"), [0, 0, 1], [[0, 0, 80, 10], [50, 0, 90, 10], [0, 0, 40, 10]])
    words = Items(("a",), [0, 0], [[0, 0, 40, 10], [0, 0, 10, 10]], ("my", "m"))
    np.testing.assert_allclose(covered_share(items, words), [0.625, 0, 0])
    assert covered_share(items.take([]), words).shape == (0,)
