"""The report on ranked lists of words, and their sheets."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.formats.lists.format import QueryLists
from spotlab.model import Items, RankedList
from spotlab.ranking.purge import ItemTruth
from spotlab.report.studies.word_sheets import (
    LEVELS,
    interpolated,
    sheet_figure,
    sheet_html,
    sheets_of,
)
from spotlab.report.studies.words import WordReport, extreme_queries, write_words
from spotlab.studies.words.query_means import StudiedQuery, compare_queries, studied
from spotlab.studies.words.ranked_lists import rerank

BOXES = [[0, 30 * at, 60, 30 * at + 20] for at in range(8)]


def query(name: str, relevance: list[int], own: int | None = 0) -> QueryLists:
    items = Items(("270",), [0] * 8, BOXES, tuple(f"{name}<{at}>" for at in range(8)))
    scores = np.linspace(0.95, 0.6, 8)
    lists = (
        RankedList("WS", np.arange(8), scores),
        RankedList("theirs", np.arange(8)[::-1], scores),
    )
    known = np.array(relevance, np.int8)
    return QueryLists(name, items, lists, known, int((known == 1).sum()) + 1, own)


@pytest.fixture(scope="module")
def queries() -> list[StudiedQuery]:
    lists = [
        query("orders", [1, 1, 1, 0, 0, -1, 0, 0]),
        query("company", [1, 0, 0, 1, 0, 0, 0, 0]),
        query("captain & co", [1, 1, 0, 0, 0, 0, 0, 1], own=None),
    ]
    return [studied(each) for each in rerank(lists, None, [], threshold=0.7).queries]


def crop(items: Items, item: int) -> np.ndarray | None:
    return None if item == 3 else np.full((20, 60), 40 * (item % 6), np.uint8)


def test_the_report_is_written_whole_with_figures_that_are_those_of_the_lists(
    queries: list[StudiedQuery], tmp_path: Path
) -> None:
    report = WordReport(queries, "at a score of 0.7", crop, ("top 12",), ("a <remark>",))
    page = write_words(report, tmp_path / "out")
    text = page.read_text("utf-8")
    for head in ("Means over queries", "Curves", "Queries", "Word sheets", "Definitions and"):
        assert f"<h2>{head}" in text
    assert "a &lt;remark&gt;" in text and "captain &amp; co" in text and "orders<0>" not in text
    assert "left out in 2 of 3 queries" in text
    assert text.count("data:image/webp;base64,") > 3 * 2 * 6
    numbers = json.loads((tmp_path / "out" / "study.json").read_text())
    orders = numbers["queries"][0]["lists"]["WS"]
    # own left out: ranks 1, 2 of 7 are right; 3 are to be found
    assert orders["average_precision"] == pytest.approx(2 / 3)
    assert orders["recall"] == pytest.approx(2 / 3)
    kept = orders["precision"]
    assert kept == pytest.approx(2 / 4)  # .95 … .7: own, two right, two wrong; one is not judged
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"means.csv", "queries.tex", "sheet-orders.png", "sheet-captain_co.pdf"} <= written
    with Image.open(tmp_path / "out" / "sheet-orders.png") as image:
        colours = {colour for _, colour in image.convert("RGB").getcolors(10**6) or ()}
    assert {(0, 158, 115), (213, 94, 0)} <= colours


def test_a_sheet_frames_words_marks_the_query_and_fades_what_is_purged(
    queries: list[StudiedQuery],
) -> None:
    sheets = sheets_of(queries[0], crop, shown=7)
    assert [sheet.title for sheet in sheets] == ["WS", "theirs"]
    assert sheets[0].head == "AP .667, first 7 of 8, 6 kept"
    text = sheet_html(sheets[:1])
    assert text.count('class="right') == 3 and text.count('class="right own"') == 1
    assert text.count("purged") == 2 and text.count('class="unknown') == 1
    assert "orders&lt;3&gt;" in text  # no image: its text
    figure = sheet_figure("orders", sheets)
    assert len(figure.axes[0].patches) == 14 and len(figure.axes[0].images) == 12


def test_best_and_worst_queries_are_chosen_by_the_best_list(queries: list[StudiedQuery]) -> None:
    comparison = compare_queries([each.figures() for each in queries])
    shown = extreme_queries(queries, comparison, each=1)
    assert [(why.split()[-2] if why else "", each.name) for why, each in shown] == [
        ("highest", "orders"), ("lowest", "company"),
    ]  # fmt: skip


def test_interpolated_precision_against_its_definition() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        relevance = rng.integers(0, 2, 12).astype(np.int8)
        own = int(rng.integers(12))
        total = int((relevance == 1).sum()) + 2
        order = rng.permutation(12)
        truth = ItemTruth(relevance, total, own)
        ranked = [item for item in order.tolist() if item != own]
        count = total - int(relevance[own] == 1)
        hits = np.cumsum([relevance[item] == 1 for item in ranked])
        points = [(h / count, h / (at + 1)) for at, h in enumerate(hits.tolist())]
        expected = [
            max((p for r, p in points if r >= level - 1e-12), default=0) for level in LEVELS
        ]
        np.testing.assert_allclose(interpolated(truth, order), expected)
