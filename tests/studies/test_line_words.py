"""Truth by lines: hits are judged by their place in the line, and what is not known stays so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab import evaluate
from spotlab.errors import BadInput, SpotlabError
from spotlab.imaging.reading.pixels import read_page
from spotlab.model import Items, Page, Region, Truth
from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.words.extraction.candidates import word_candidates
from spotlab.spotting.words.extraction.layout import WordInk, find_layout, word_ink
from spotlab.spotting.words.word_index import find_instances
from spotlab.studies.tally.truth import TruthSet
from spotlab.studies.words.line_words import pairs_on, words_in_line
from spotlab.studies.words.transcription import JudgedWord, known_texts, plan_words
from spotlab.studies.words.word_truth import (
    match_texts,
    missed_words,
    read_words,
    relevance,
    relevant_count,
    word_items,
)

LINES = ("only for the publick use", "orders from me, you are", "the end of the orders")
TOPS = (10, 60, 110)
EQUAL = 0.94  # of verdicts, where every word is an item; of hits of a search .987 were
NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def line_box(top: float) -> tuple[float, float, float, float]:
    return 0, top, 480, top + 40


def as_page(lines: dict[tuple[float, float, float, float], str], words: str = "") -> str:
    found = ""
    for number, ((left, top, right, bottom), text) in enumerate(lines.items()):
        corners = f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}"
        found += (
            f'<TextLine id="l{number}"><Coords points="{corners}"/>{words if not number else ""}'
            f"<TextEquiv><Unicode>{escape(text)}</Unicode></TextEquiv></TextLine>"
        )
    return (
        f'<PcGts xmlns="{NAMESPACE}"><Metadata><Creator>x</Creator>'
        "<Created>2026-01-01T00:00:00</Created><LastChange>2026-01-01T00:00:00</LastChange>"
        '</Metadata><Page imageFilename="a.png" imageWidth="500" imageHeight="200">'
        '<TextRegion id="r"><Coords points="0,0 500,0 500,200 0,200"/>'
        f"{found}</TextRegion></Page></PcGts>"
    )


def as_alto(lines: dict[tuple[float, float, float, float], str]) -> str:
    found = ""
    for (left, top, right, bottom), text in lines.items():
        place = f'HPOS="{left}" VPOS="{top}" WIDTH="{right - left}" HEIGHT="{bottom - top}"'
        found += f'<TextLine {place}><String {place} CONTENT="{escape(text)}"/></TextLine>'
    return (
        '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description>'
        "<MeasurementUnit>pixel</MeasurementUnit><sourceImageInformation><fileName>a.png"
        "</fileName></sourceImageInformation></Description><Layout>"
        '<Page ID="p" PHYSICAL_IMG_NR="1" WIDTH="500" HEIGHT="200"><PrintSpace>'
        f"<TextBlock>{found}</TextBlock></PrintSpace></Page></Layout></alto>"
    )


@pytest.fixture(params=["alto", "page"])
def words(request: pytest.FixtureRequest, tmp_path: Path) -> Items:
    """The words of three transcribed lines."""
    Image.new("L", (500, 200)).save(tmp_path / "a.png")
    lines = {line_box(top): text for top, text in zip(TOPS, LINES, strict=True)}
    text = as_alto(lines) if request.param == "alto" else as_page(lines)
    (tmp_path / "a.xml").write_text(text, encoding="utf-8")
    return read_words([tmp_path / "a.xml"])


def test_each_line_gives_its_words_once(words: Items) -> None:
    assert list(words.texts) == " ".join(LINES).split()
    assert (words.line >= 0).all() and len(set(words.line.tolist())) == 3
    assert relevant_count(words, "orders") == 2 and relevant_count(words, "the") == 3
    assert relevant_count(words, "orders from me") == 1  # a phrase, not a word
    assert relevant_count(words, "from orders") == 0


def test_hits_are_judged_by_their_place_in_the_line(words: Items) -> None:
    boxes = [
        [3, 66, 112, 96],  # orders, at the begin of the second line
        [120, 66, 200, 96],  # from: another word of that line
        [370, 115, 478, 148],  # orders, at the end of the third
        [3, 115, 60, 148],  # the: another word there
        [3, 14, 80, 46],  # only: a line without the word
        [200, 160, 280, 190],  # below all lines
    ]
    items = Items(("a",), [0] * 6, boxes)
    judged = relevance(items, "orders", words)
    assert judged.tolist() == [1, -1, 1, -1, 0, 0]
    assert not len(missed_words(items, judged, "orders", words))
    assert len(missed_words(items.take([0]), judged[:1], "orders", words)) == 1
    assert relevance(items, "letters", words).tolist() == [0] * 6
    # the place of a word on other pages is not known at all
    assert relevance(Items(("b",), [0], boxes[:1]), "orders", words).tolist() == [-1]


def test_estimated_boxes_are_no_examples_and_nobody_learns_from_them(words: Items) -> None:
    assert not len(words.exact) and not len(known_texts([], words))
    with pytest.raises(SpotlabError):
        find_instances(words, "orders")
    assert match_texts(Items(("a",), [0], words.boxes[:1]), words) == (None,)


def region(text: str, box: tuple[float, float, float, float], label: str = "word") -> Region:
    left, top, right, bottom = box
    return Region(
        ((left, top), (right, top), (right, bottom), (left, bottom)), label,
        f"{label}{left}{top}", text=text,
    )  # fmt: skip


def items_of(*regions: Region) -> Items:
    return word_items(TruthSet({"a": Truth(Page(Path("a.png"), 500, 200), regions)}))


def test_words_with_boxes_count_instead_of_their_line() -> None:
    line = region("my own orders now", line_box(10), "line")
    some = items_of(line, region("orders", (200, 15, 330, 45)))
    assert sorted(some.texts) == ["my", "now", "orders", "own"]
    assert some.exact.texts == ("orders",)
    every = [region(text, (x, 15, x + 90, 45)) for x, text in ((0, "my"), (110, "own"))]
    assert items_of(line, *every).exact.texts == items_of(line, *every).texts == ("my", "own")


def test_a_line_may_slant_or_run_from_right_to_left_or_downwards() -> None:
    slanting = Region(((0, 0), (400, 80), (400, 120), (0, 40)), "line", text="aaa bbb ccc ddd")
    tops = [box[1] for box, _ in words_in_line(slanting)]
    assert tops == sorted(tops) and tops[-1] - tops[0] == pytest.approx(60, abs=1)
    arabic = words_in_line(region("مرحبا بكم", (0, 0, 300, 40), "line"))
    assert arabic[0][0][0] > arabic[1][0][0]
    downwards = words_in_line(region("first second", (0, 0, 40, 300), "line"))
    assert downwards[0][0][1] == 0 and downwards[1][0][3] == 300


def test_a_word_of_a_transcribed_line_is_not_written_again() -> None:
    truth = Truth(Page(Path("a.png"), 500, 200), (region("my own orders", line_box(10)),))
    there = JudgedWord("orders", ("a", 300, 12, 460, 48))
    assert plan_words([there], {"a": truth}).present == 1
    (other,) = plan_words([JudgedWord("letters", there.place)], {"a": truth}).differences
    assert other.other == "my own orders"


def test_a_page_without_any_text_is_still_refused(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(as_page({line_box(10): ""}), encoding="utf-8")
    with pytest.raises(BadInput, match="no word or line in it has a text"):
        read_words([tmp_path / "a.xml"])


def lines_of(every: Items, pages: Sequence[str]) -> Items:
    """The words of pages as nothing but the transcribed lines that they are in says them."""
    by_page: dict[str, list[Region]] = {name: [] for name in pages}
    for name in pages:
        own = np.flatnonzero([every.page_name(at) == name for at in range(len(every))])
        start = 0
        for at in range(1, len(own) + 1):  # a line ends where the next word is farther left
            if at == len(own) or every.boxes[own[at], 0] < every.boxes[own[at - 1], 0]:
                boxes = every.boxes[own[start:at]]
                box = (*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
                text = " ".join(every.texts[word] or "" for word in own[start:at])
                by_page[name].append(region(text, box, "line"))
                start = at
    truths = {
        name: Truth(Page(Path(f"{name}.png"), 5000, 5000), tuple(regions))
        for name, regions in by_page.items()
    }
    return word_items(TruthSet(truths))


def verdicts(items: Items, every: Items, pages: Sequence[str]) -> Counter[tuple[int, int]]:
    """How often hits are right by words, and by lines: 1 right, 0 wrong, -1 not known."""
    of_lines = lines_of(every, pages)
    counts: Counter[tuple[int, int]] = Counter()
    for text in sorted({text for text in every.texts if text and len(text) >= 4}):
        assert relevant_count(every, text) == relevant_count(of_lines, text)
        right, judged = relevance(items, text, every), relevance(items, text, of_lines)
        hits = (right == 1) | (judged == 1)  # what counts as a hit by either
        counts.update(zip(right[hits].tolist(), judged[hits].tolist(), strict=True))
    return counts


def on_pages_named(every: Items, pages: Sequence[str]) -> Items:
    return every.take([at for at in range(len(every)) if every.page_name(at) in pages])


def test_lines_judge_the_words_found_on_drawn_pages_as_words_do() -> None:
    """For each word of two drawn letters, the box that was found for it is an item."""
    folder, pages = sample_collection(LETTERS), ("letter_002", "letter_005")
    every = on_pages_named(read_words([folder]), pages)
    found = [
        word_candidates(find_layout(word_ink(read_page(folder / f"{name}.jpg", 0), WordInk.NONE)))
        for name in pages
    ]
    number = np.repeat(np.arange(len(pages)), [len(each) for each in found])
    items = Items(pages, number, np.concatenate([each.boxes for each in found]))
    best = []
    for own, there, pairs in pairs_on(items, every):
        fit = np.zeros((len(own), len(there)))
        fit[pairs.first, pairs.second] = pairs.iou
        best += own[fit.argmax(axis=0)].tolist()
    items = items.take(np.unique(best))
    counts = verdicts(items, every, pages)
    known = sum(count for (_, judged), count in counts.items() if judged >= 0)
    assert counts[1, 1] > 100
    assert counts[1, 1] / known >= EQUAL
    assert known / counts.total() >= EQUAL


def test_lines_judge_as_words_do_on_real_pages(shared_data: Path) -> None:
    """On pages that nothing was chosen on, with all words as items, so that neighbours compete.

    Only items count that are right by words or by lines: less can agree than of a search's hits.
    """
    pages = ("300", "301", "303")
    every = on_pages_named(read_words([shared_data / "gw20_words"]), pages)
    assert len(every) > 500
    counts = verdicts(every, every, pages)
    known = sum(count for (_, judged), count in counts.items() if judged >= 0)
    assert counts[1, 1] / known >= EQUAL
    assert known / counts.total() >= EQUAL


def test_runs_are_evaluated_by_lines(words: Items, tmp_path: Path) -> None:
    places = {
        "orders": [(3, 62, 98, 95), (120, 66, 200, 96), (3, 14, 80, 46)],
        "publick": [(300, 14, 420, 46)],
    }  # right, elsewhere in its line, in a line without it; right
    rows = [(query, box) for query, boxes in places.items() for box in boxes]
    corners = [f"{a},{b} {c},{b} {c},{d} {a},{d}" for _, (a, b, c, d) in rows]
    run = {
        "query": [query for query, _ in rows],
        "page": ["a"] * len(rows),
        "points": corners,
        "score": [0.9, 0.8, 0.7, 0.9],
    }
    read = evaluate(tmp_path / "a.xml", {"mine": run}, texts=True)
    assert "1 spot unknown" in str(read)
    (mine,) = read.as_dict()["runs"]
    assert "1 spot unknown" in str(mine["notes"])
    said = {
        query: (each["recognised"], each["false_positives"])
        for query, each in mine["queries"].items()
    }
    assert (said["orders"], said["publick"]) == ((1, 1), (1, 0))
