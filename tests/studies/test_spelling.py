"""Old spellings, accents and wildcards: what is searched, judged right and written is the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.lists.format import QueryLists
from spotlab.formats.lists.kept_lines import QUERIES as FORM
from spotlab.formats.lists.kept_lines import (
    ListedQuery,
    read_queries,
    typed_place,
)
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.learning.words.hands import LATIN
from spotlab.model import Items, Page, RankedList, Region, Truth
from spotlab.model.spelling import Spelling, fold
from spotlab.spotting.words.embedding.characters import Alphabet
from spotlab.spotting.words.word_index import instances
from spotlab.studies.words.transcription import JudgedWord, judged_texts, plan_words
from spotlab.studies.words.word_truth import judge_by_words, relevance, relevant_count

OLD = (
    ("légataire", "legataire"), ("Légataire,", "legataire"), ("œuvre", "oeuvre"),
    ("æquus", "aequus"), ("ǽt", "aet"), ("Congreſs", "congress"), ("ﬁls", "fils"),
    ("Straße", "strasse"), ("français", "francais"), ("señor", "senor"), ("für", "fur"),
    ("dn̄s", "dns"), ("dñs", "dns"), ("ꝑ", "p"), ("ꝓpter", "ppter"), ("ꝗd", "qd"),
    ("þe", "the"), ("ꝥ", "th"), ("eð", "ed"), ("øre", "ore"), ("łaska", "laska"),
    ("coꝛam", "coram"), ("ꝯtra", "contra"), ("domin\ua770", "dominus"), ("kıng", "king"),
    ("ħeŋ", "hen"), ("sc͏ĩre", "scire"), ("Winchester’s", "winchesters"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "plain"), OLD)
def test_search_and_judging_take_old_and_plain_spelling_for_the_same(old: str, plain: str) -> None:
    letters = LATIN
    words = Items(("a",), [0, 0], [[0, 0, 9, 9], [20, 0, 29, 9]], (old, "xyz"))
    assert letters.fold(old) == letters.fold(plain) == plain
    assert instances(words, plain).tolist() == instances(words, old).tolist() == [0]
    assert not len(instances(words, f"{plain}x"))


def test_a_sign_of_abbreviation_is_right_only_where_it_is_written_and_a_letter_for_both() -> None:
    boxes = [[x, 0, x + 9, 9] for x in (0, 20, 40, 60)]
    words = Items(("a",), [0] * 4, boxes, ("ꝑ", "p", "ꝗd", "qd"))
    found = {each: instances(words, each).tolist() for each in ("p", "ꝑ", "Ꝑ", "q*", "ꝗ*", "ꝗd")}
    assert found == {"p": [0, 1], "ꝑ": [0], "Ꝑ": [0], "q*": [2, 3], "ꝗ*": [2], "ꝗd": [2]}
    judged = relevance(Items(("a",), [0, 0], boxes[:2]), "ꝑ", words)
    assert judged.tolist() == [1, 0]
    own = Alphabet("abpꝑ")  # a network that has the sign reads it apart
    assert own.numbers("ꝑ").tolist() != own.numbers("p").tolist()
    assert LATIN.fold("ꝑ") == "p"


def test_scripts_that_the_network_does_not_know_keep_their_letters_apart() -> None:
    assert fold("Й") == "й" != fold("и") and fold("が") != fold("か")
    assert fold("ΛΌΓΟΣ") == fold("λόγος") and fold("مرحبا") == "مرحبا"
    assert fold("—") == "—" != fold("&")


@pytest.mark.parametrize(
    ("pattern", "right"),
    [("légat*", [0, 1]), ("*aire", [0]), ("l*t*e", [0]), ("*", []), ("LEGAT*", [0, 1])],
)
def test_a_wildcard_query_is_judged_by_its_pattern(pattern: str, right: list[int]) -> None:
    boxes = [[0, 0, 9, 9], [20, 0, 29, 9], [40, 0, 49, 9]]
    words = Items(("a",), [0, 0, 0], boxes, ("légataire,", "Legatum", "oblégat"))
    found = Items(("a",), [0, 0, 0], boxes)
    lists = (RankedList("ws", [0, 1, 2], [0.9, 0.8, 0.7]),)
    unknown = QueryLists(pattern, found, lists, np.full(3, -1, np.int8), None)
    judged = judge_by_words(unknown, words).relevance.tolist()
    expected = [int(at in right) for at in range(3)] if right else [-1] * 3
    assert judged == expected


def test_a_star_that_a_page_has_is_no_wildcard() -> None:
    box, other = [0, 0, 9, 9], [20, 0, 29, 9]
    words = Items(("a",), [0, 0], [box, other], ("note*", "noted"))
    query = QueryLists(
        "a:0,0,9,9", Items(("a",), [0, 0], [box, other]), (RankedList("ws", [0, 1], [0.9, 0.8]),),
        np.full(2, -1, np.int8), None,
    )  # fmt: skip
    assert judge_by_words(query, words).relevance.tolist() == [1, 0]


def page(*texts: str) -> Truth:
    regions = (
        Region(((x, 0), (x + 40, 0), (x + 40, 20), (x, 20)), "word", f"r{x}", text=text)
        for x, text in zip(range(0, 1000, 50), texts, strict=False)
    )
    return Truth(Page(Path("a.png"), 1000, 400), tuple(regions))


def typed(text: str, left: float, reading: str = "") -> JudgedWord:
    return JudgedWord(text, ("a", left, 100.0, left + 40, 120.0), True, reading)


def written(*words: JudgedWord, texts: tuple[str, ...] = (), truth: Truth) -> list[str]:
    plan = plan_words(words, {"a": truth}, texts)
    return [word.text for words in plan.new.values() for word in words]


def test_typed_words_are_written_as_the_pages_spell_them() -> None:
    word = typed("legataire", 0)
    assert written(word, truth=page("légataire,", "légataire", "Legataire")) == ["légataire"]
    assert written(word, truth=page("other"), texts=("légataire",)) == ["légataire"]
    read = typed("legataire", 0, "Légataire")
    assert written(read, truth=page("other")) == ["Légataire"]
    assert written(typed("Légataire", 0), truth=page("légataire")) == ["Légataire"]
    assert written(typed("orders", 0), truth=page("Orders,")) == ["Orders"]
    unlike = typed("legataire", 0, "legateur")
    plan = plan_words([unlike], {"a": page("other")})
    assert [(each.text, each.typed) for each in plan.new["a"]] == [("legataire", True)]
    named = JudgedWord("Legataire", ("a", 0, 100, 40, 120))  # somebody has said it
    assert written(named, truth=page("légataire")) == ["Legataire"]


def test_what_only_a_pattern_found_is_not_written_unless_it_is_read() -> None:
    truth = page("légataire")
    plan = plan_words([typed("légat*", 0), typed("légat*", 60, "legataire")], {"a": truth})
    assert plan.unknown == 1
    assert [word.text for word in plan.new["a"]] == ["légataire"]
    there = JudgedWord("légat*", ("a", 0, 0, 40, 20), True)
    assert plan_words([there], {"a": truth}).present == 1
    # another query says what is written at the same place
    both = plan_words([typed("légat*", 0), typed("legataire", 1)], {"a": truth})
    assert (both.count, both.unknown, both.differences) == (1, 0, ())


def test_nobody_learns_a_pattern_as_a_text() -> None:
    place, other = ("a", 0.0, 0.0, 40.0, 20.0), ("a", 50.0, 0.0, 90.0, 20.0)
    judged = {"légat*": {place: True}, "légataire": {other: True}, "legataire": {other: True}}
    assert judged_texts([], judged) == (("légataire", other),)


def test_the_name_of_a_typed_query_is_kept_beside_what_was_typed(tmp_path: Path) -> None:
    place = typed_place("legataire")
    query = ListedQuery("légataire", place)
    file = SharedFile(tmp_path / "queries.csv", FORM)
    file.set({place: query, typed_place("own"): ListedQuery("own", typed_place("own"))}, {})
    file.write()
    kept = read_queries(tmp_path / "queries.csv").queries
    assert [(each.text, each.searched, each.is_named) for each in kept] == [
        ("légataire", "legataire", True), ("own", "own", False),
    ]  # fmt: skip
    assert all(each.typed for each in kept)
    assert Spelling("own").matches("Own,")


def test_phrases_and_words_with_and_have_truth():
    texts = ("le", "deux", "le", "chat", "chien")
    boxes = [[0, 0, 9, 9], [10, 0, 30, 9], [0, 20, 9, 29], [10, 20, 40, 29], [0, 0, 40, 9]]
    words = Items(("a", "b"), [0, 0, 0, 0, 1], boxes, texts)
    found = Items(("a", "b"), [0, 0, 1], [[0, 0, 30, 9], [10, 20, 40, 29], [0, 0, 40, 9]])
    assert relevance(found, "le deux", words).tolist() == [1, 0, 0]
    assert relevance(found, "chat AND deux", words).tolist() == [1, 1, 0]
    assert relevance(found, "chat AND chien", words).tolist() == [0, 0, 0]
    assert relevance(found, "chat OR chien", words).tolist() == [0, 1, 1]
    assert relevant_count(words, "le deux") == 1
    assert relevant_count(words, "deux le") == 0
    assert relevant_count(words, "le deux OR ch*") == 3
