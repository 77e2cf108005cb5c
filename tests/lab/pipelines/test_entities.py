"""Named entities by rules: capitals inside sentences, titles, dates, known names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.errors import BadInput, SpotlabError
from spotlab.lab.pipelines.entities.entity_finder import (
    Entity,
    Gazetteer,
    entity_finders,
    finder_of,
    read_gazetteer,
)

NONE = Gazetteer({})


def names(text: str, gazetteer: Gazetteer = NONE) -> list[str]:
    return [entity.text for entity in finder_of("rules").find(text, gazetteer)]


def kinds(text: str) -> list[str]:
    return [entity.kind for entity in finder_of("rules").find(text, NONE)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The letter went to Boston by sea.", ["Boston"]),
        ("Letters went out. Nobody came. Then he left.", []),
        ("Boston fell. They say Boston fell.", ["Boston", "Boston"]),
        ("George Washington wrote it.", ["George Washington"]),
        ("The Marquis de la Fayette came from Bay of Fundy.",
         ["Marquis de la Fayette", "Bay of Fundy"]),
        ("he saw King George of England and Ann", ["King George of England", "Ann"]),
        ("I said that I'm Tom.", ["Tom"]),
        ("He met Mr. Jay. Jay left.", ["Mr. Jay", "Jay"]),
        ("It is signed G. Washington. Good.", ["G. Washington"]),
        ("the Captain slept; Captain Smith woke", ["Captain Smith"]),
        ("it was in Phila-\n  delphia then", ["Philadelphia"]),
        ("we came to New\nYork and to Trenton, Albany", ["New York", "Trenton", "Albany"]),
        ("a part ended in York\n\nNew one", ["York"]),
        ("HEAD OF A CHAPTER\nthe ship Argo sailed", ["Argo"]),
        ("he said “Nobody came” to Ned", ["Ned"]),
        ("ships of the USA sailed", ["USA"]),
        ("", []),
    ],
)  # fmt: skip
def test_names(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on the 4th of July, 1776 and", ["4th of July, 1776"]),
        ("on Sept. 3rd, 1783", ["Sept. 3rd, 1783"]),
        ("of 12 May last", ["12 May"]),
        ("at 1776-07-04, 04/07/1776 or 4.7.76", ["1776-07-04", "04/07/1776", "4.7.76"]),
        ("in 1781 he had 1,500 men and 12345 more, or 1500,75", ["1781"]),
        ("he may go; you May 3 go", ["May 3"]),
        ("they met on Monday in December", ["Monday", "December"]),
    ],
)
def test_dates(text: str, expected: list[str]) -> None:
    assert names(text) == expected
    assert set(kinds(text)) == {"date"}


def test_kinds_and_places() -> None:
    text = "Then Dr. Rush left Paris in 1783."
    found = finder_of("rules").find(text, NONE)
    assert found == [
        Entity("Dr. Rush", "person", 5, 13),
        Entity("Paris", "name", 19, 24),
        Entity("1783", "date", 28, 32),
    ]


def test_known_names_go_before_all_others(tmp_path: Path) -> None:
    path = tmp_path / "places.txt"
    path.write_text("# places\n\nnew york\tcity\nYork\nfort du quesne\tfort\n", "utf-8")
    gazetteer = read_gazetteer(path)
    text = "New York was lost, york not. Fort\ndu Quesne of King George"
    found = finder_of("rules").find(text, gazetteer)
    assert [(each.text, each.kind) for each in found] == [
        ("New York", "city"),
        ("york", "listed"),
        ("Fort du Quesne", "fort"),
        ("King George", "person"),
    ]


def test_a_gazetteer_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "places.txt"
    path.write_text("York\n ?!\tcity\n", "utf-8")
    with pytest.raises(BadInput, match=r"line 2: there is no name in '\?!"):
        read_gazetteer(path)
    path.write_bytes("Köln".encode("latin-1"))
    assert list(read_gazetteer(path).kinds) == [("köln",)]
    with pytest.raises(BadInput, match="does not exist"):
        read_gazetteer(tmp_path / "none.txt")


def test_finders_are_found_by_name() -> None:
    assert set(entity_finders()) >= {"rules", "words"}
    assert [each.text for each in finder_of("words").find("It's  a day", NONE)] == [
        "It's", "a", "day",
    ]  # fmt: skip
    with pytest.raises(SpotlabError, match=r"nothing finds entities by 'magic'; there are "):
        finder_of("magic")


@given(st.text(alphabet="aB .\n-'1“I", max_size=60))
def test_entities_lie_in_the_text_one_after_the_other(text: str) -> None:
    found = finder_of("rules").find(text, Gazetteer({("b",): "x"}))
    end = 0
    for each in found:
        assert end <= each.start < each.end <= len(text)
        assert each.text
        end = each.end
