"""Searching words: hits, expanded searches on near pages, candidates that lie on each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spotlab.errors import SpotlabError
from spotlab.model.ranked_list import Items
from spotlab.ranking.fusion import Choices, fusions
from spotlab.spotting.words.search import WordSearch, join_examples, make_lists, search
from spotlab.spotting.words.word_index import ItemOverlaps, WordIndex, WordQuery, queries_of
from tests.spotting.words.word_indices import index_of, random_index

Box = tuple[float, float, float, float]


def angle(degrees: float) -> tuple[float, float]:
    return np.cos(np.radians(degrees)), np.sin(np.radians(degrees))


def box_at(place: int, width: float = 40) -> Box:
    return (100.0 * place, 0.0, 100.0 * place + width, 20.0)


def small_index() -> WordIndex:
    """Cosines: 10° .985, 20° .940, 30° .866, 40° .766, 50° .643, 60° .5."""
    places = [
        ("one", 0, 0), ("one", 1, 30), ("one", 2, 80),
        ("two", 0, 40), ("two", 1, 60), ("two", 2, 95),
        ("three", 0, 65), ("three", 1, -40),
        ("four", 0, 60), ("four", 1, 20),
    ]  # fmt: skip
    names = ("one", "two", "three", "four")
    items = Items(
        names,
        [names.index(page) for page, _, _ in places],
        [box_at(place) for _, place, _ in places],
        tuple(f"{turn}" for _, _, turn in places),
    )
    return index_of(items, [angle(turn) for *_, turn in places])


def found(result: WordSearch) -> list[str | None]:
    return [result.items.text(at) for at in np.flatnonzero(result.evidence.found).tolist()]


def test_hits_are_those_from_tau_on_and_sure_ones_search_near_their_pages() -> None:
    result = search(small_index(), WordQuery("one", box_at(0)), tau=0.7, tight=0.8)
    # 30° on page one searches one and two, 20° on page four three and four; 0° is the query
    expanded = [result.items.text(place) for place in result.expanded.tolist()]
    assert expanded == ["30", "20"]
    # 40° and 60° on page two lie within 45° of 30°; 65° on page three and 60° on four of 20°
    assert found(result) == ["0", "30", "40", "60", "65", "-40", "60", "20"]
    # the others are ranked all the same
    turns = [0, 30, 80, 40, 60, 95, 65, 40, 60, 20]
    np.testing.assert_allclose(result.evidence.query, np.cos(np.radians(turns)), atol=1e-6)
    assert result.evidence.first_hits.all()
    assert result.own == 0
    assert result.examples.tolist() == [0]
    assert result.covered == 0
    assert result.omitted == 0


def test_only_so_many_are_ranked_and_all_that_was_found() -> None:
    index, query = small_index(), WordQuery("one", box_at(0))
    result = search(index, query, depth=9)
    assert [result.items.text(at) for at in range(len(result.items))] == [
        "0", "30", "80", "40", "60", "65", "-40", "60", "20",
    ]  # fmt: skip
    assert result.omitted == 1
    few = search(index, query, depth=2)
    assert found(few) == list(few.items.texts) == found(result)
    assert few.omitted == 2


def test_each_search_has_a_list_of_its_own() -> None:
    lists = search(small_index(), WordQuery("one", box_at(0))).evidence.lists
    nan = np.nan
    turns = [
        [0, 30, 80, 40, nan, 95, nan, 40, nan, 20],  # the query, and what nobody has found
        [30, 0, nan, 10, 30, nan, nan, nan, nan, nan],  # 30° on page one, which sees one and two
        [nan, nan, nan, nan, nan, nan, 45, nan, 40, 0],  # 20° on page four: three and four
    ]
    np.testing.assert_allclose(lists, np.cos(np.radians(turns)), atol=1e-6)


def test_nothing_sure_expands_nothing() -> None:
    result = search(small_index(), WordQuery("one", box_at(0)), tight=1.1)
    assert found(result) == ["0", "30", "40", "-40", "20"]
    assert result.evidence.lists.shape == (1, 10)


def test_thresholds_that_nothing_reaches_rank_all_the_same() -> None:
    result = search(small_index(), WordQuery("one", box_at(0)), tau=1.5, tight=2)
    assert found(result) == []
    assert result.own == 0
    for ranked in make_lists(result, list(fusions())):
        assert len(ranked) == (0 if ranked.name == "qe" else 10), ranked.name


def slow_search(index: WordIndex, query: int, tau: float, tight: float, overlap: float) -> dict:
    """The definition, item by item."""
    items, rows = index.items, index.features.astype(float)

    def on_each_other(a: int, b: int) -> bool:
        one, other = items.boxes[a], items.boxes[b]
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        if items.page[a] != items.page[b] or across <= 0 or down <= 0:
            return False
        smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
        return across * down / smaller >= overlap

    def thinned(places: set[int]) -> dict[int, int]:
        owner: dict[int, int] = {}
        for place in sorted(places, key=lambda at: (-(rows[at] @ rows[query]), at)):
            kept = [at for at in owner if owner[at] == at and on_each_other(at, place)]
            owner[place] = kept[0] if kept else place
        return owner

    def seen_by(place: int, pages: range) -> dict[int, float]:
        scores = rows @ rows[place]
        return {
            at: scores[at]
            for at in range(len(items))
            if items.page[at] in pages and scores[at] >= tau
        }

    everywhere = range(len(items.pages))
    hits = seen_by(query, everywhere)
    sure = [at for at, own in thinned(set(hits)).items() if own == at and hits[at] >= tight]
    sure = sorted(at for at in sure if at != query)
    lists = [seen_by(at, range(items.page[at] - 1, items.page[at] + 2)) for at in sure]
    union = set(hits).union(*lists)
    owner = thinned(set(range(len(items))))
    kept = sorted(at for at, own in owner.items() if at == own)
    standing = {owner[at] for at in union}
    table = np.full((1 + len(sure), len(kept)), np.nan)
    for row, scores in enumerate(lists, 1):
        for at, score in scores.items():
            column = kept.index(owner[at])
            table[row, column] = np.fmax(table[row, column], score)
    for column, at in enumerate(kept):
        if at in hits or at not in standing:
            table[0, column] = rows[at] @ rows[query]
    return {
        "kept": kept,
        "found": sorted(standing),
        "sure": sure,
        "lists": table,
        "covered": len(union) - len(standing),
    }


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("tau", "tight", "overlap"), [(0.6, 0.75, 0.5), (0.3, 0.5, 0.9)])
def test_searching_at_once_is_searching_item_by_item(
    seed: int, tau: float, tight: float, overlap: float
) -> None:
    index = random_index(5, 20, kinds=8, seed=seed)
    query = 3 * (17 * seed % 60)
    boxes: list[Box] = [tuple(box) for box in index.items.boxes.tolist()]
    where = WordQuery(index.items.page_name(query), boxes[query])
    result = search(index, where, tau=tau, tight=tight, overlap=overlap)
    expected = slow_search(index, query, tau, tight, overlap)
    assert result.places.tolist() == expected["kept"]
    assert result.places[result.evidence.found].tolist() == expected["found"]
    assert result.places[result.expanded].tolist() == expected["sure"]
    np.testing.assert_allclose(result.evidence.lists, expected["lists"], atol=1e-5)
    assert result.covered == expected["covered"]
    assert result.own is not None
    assert result.places[result.own] == query
    assert expected["sure"]
    assert expected["covered"] > 0


def test_of_boxes_on_each_other_the_best_stays_and_lets_others_live() -> None:
    # a chain: each lies on the next; where the second is best, the first and third go
    items = Items(("a",), [0] * 4, [[10.0 * at, 0, 10 * at + 30, 20] for at in range(0, 8, 2)])
    overlaps = ItemOverlaps.of(items)
    places = np.arange(4)
    assert overlaps.best(places, np.array([0.7, 0.9, 0.8, 0.6]), 0.3).tolist() == [1, 1, 1, 3]
    assert overlaps.best(places, np.array([0.9, 0.8, 0.7, 0.6]), 0.3).tolist() == [0, 0, 2, 2]
    assert overlaps.best(places, np.full(4, 0.5), 0.3).tolist() == [0, 0, 2, 2]
    assert overlaps.best(places, np.full(4, 0.5), np.inf).tolist() == [0, 1, 2, 3]
    assert overlaps.best(places[[0, 3]], np.array([0.1, 0.9]), 0.3).tolist() == [0, 1]


def test_given_boxes_may_lie_on_each_other() -> None:
    items = Items(("a",), [0, 0], [[0, 0, 40, 20], [2, 0, 42, 20]])
    near = [angle(0), angle(10)]
    assert len(search(index_of(items, near), WordQuery("a", (0, 0, 40, 20))).items) == 1
    assert len(search(index_of(items, near, given=True), WordQuery("a", (0, 0, 40, 20))).items) == 2


def test_a_text_is_searched_by_its_first_instance_or_by_each() -> None:
    index = small_index()
    assert index.words is not None
    assert [query.page for query in queries_of(index.words, "60", all_of_them=True)] == [
        "two", "four",
    ]  # fmt: skip
    by_text = search(index, WordQuery(text="60"))
    by_box = search(index, WordQuery("two", box_at(1)))
    assert by_text.name == "60"
    assert by_text.places.tolist() == by_box.places.tolist()
    truth = Items(("four",), [0], [box_at(1)], ("Sixty",))
    elsewhere = search(index, WordQuery(text="sixty"), words=truth)
    assert elsewhere.query.box == box_at(1)
    assert elsewhere.query.page == "four"


def test_several_examples_are_one_query() -> None:
    index = small_index()
    one, other = WordQuery("one", box_at(0)), WordQuery("two", box_at(1), "sixty")
    both = join_examples([one, other, one])
    assert both.text == "sixty"
    assert both.places == (("one", box_at(0)), ("two", box_at(1)))
    best = search(index, both)
    separate = [search(index, query).evidence.query for query in (one, other)]
    np.testing.assert_allclose(best.evidence.query, np.maximum(*separate), atol=1e-6)
    assert best.examples.tolist() == [0, 4]
    assert [example.item for example in best.used] == [0, 4]
    mean = search(index, both, combine="mean")  # 0° and 60° are 30° in the mean
    np.testing.assert_allclose(
        mean.evidence.query, search(index, WordQuery("one", box_at(1))).evidence.query, atol=1e-6
    )
    with pytest.raises(ValueError, match="examples of a word are boxes"):
        join_examples([one, WordQuery(text="60")])
    with pytest.raises(SpotlabError, match="there is no way 'least'"):
        search(index, both, combine="least")


def test_what_cannot_be_searched_is_said() -> None:
    index = small_index()
    with pytest.raises(SpotlabError, match="'61' is written nowhere; there is '60'"):
        search(index, WordQuery(text="61"))
    with pytest.raises(SpotlabError, match="the page 'five' of the query is not among the pages"):
        search(index, WordQuery("five", box_at(0)))
    bare = replace(index, items=Items(index.items.pages, index.items.page, index.items.boxes))
    with pytest.raises(SpotlabError, match="where '60' is written is not known"):
        search(bare, WordQuery(text="60"))
    for wrong in (
        {},
        {"text": " "},
        {"box": box_at(0)},
        {"page": "a", "box": (1.0, 0.0, 1.0, 2.0)},
    ):
        with pytest.raises(ValueError, match="a query"):
            WordQuery(**wrong)


def test_lists_are_made_of_one_search() -> None:
    result = search(small_index(), WordQuery("one", box_at(0)))
    first, expanded, consensus, merged = make_lists(
        result, ["ws", "qe", "cr", "ml"], Choices(top=2, at_least=0.8)
    )
    assert [result.items.text(item) for item in first.item.tolist()] == [
        "0", "20", "30", "40", "-40", "60", "60", "65", "80", "95",
    ]  # fmt: skip
    assert [result.items.text(item) for item in expanded.item.tolist()] == [
        "0", "20", "30", "40", "-40", "60", "60", "65",
    ]  # fmt: skip
    # re-scored by 0° and 20°: those between come first
    cosines = np.cos(np.radians([[0, 20], [20, 0], [30, 10], [40, 20], [40, 60]]))
    scores = dict(zip(consensus.item.tolist(), consensus.score.tolist(), strict=True))
    for item, expected in zip(first.item[:5].tolist(), cosines.mean(axis=1).tolist(), strict=True):
        assert scores[item] == pytest.approx(expected, abs=1e-5)
    assert merged.score[merged.item.tolist().index(1)] == pytest.approx(
        (np.cos(np.radians(30)) + 1) / 2, abs=1e-6
    )
    with pytest.raises(SpotlabError, match=r"there is no list 'best'; there are .*cr"):
        make_lists(result, ["best"])
