"""Texts of systems become items as bags of words (Method I) and aligned (Method II)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.formats.votes import VoteTable, read_votes
from spotlab.formats.votes.texts import words_of

NAN = np.nan
PAGE = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
    '<Page imageFilename="scans/{image}.tif" imageWidth="9" imageHeight="9">{inside}</Page></PcGts>'
)
ALTO = (
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v2#"><Layout><Page><PrintSpace>'
    "<TextBlock><TextLine>{inside}</TextLine></TextBlock></PrintSpace></Page></Layout></alto>"
)


def write(folder: Path, **texts: str) -> None:
    """Texts by system and page: ``tess_p1="…"``."""
    for name, text in texts.items():
        system, _, page = name.partition("_")
        (folder / system).mkdir(parents=True, exist_ok=True)
        (folder / system / f"{page}.txt").write_text(text, "utf-8")


def rows(table: VoteTable) -> dict[str, list[float]]:
    return dict(zip(table.items, table.votes.dense().tolist(), strict=True))


def region(id: str, *lines: str) -> str:
    inside = "".join(f"<TextLine>{line}</TextLine>" for line in lines)
    return f'<TextRegion id="{id}">{inside}</TextRegion>'


def equiv(text: str, index: str = "") -> str:
    return f"<TextEquiv{index}><Unicode>{text}</Unicode></TextEquiv>"


def word(text: str) -> str:
    return f"<Word>{equiv(text)}</Word>"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Der Hund, der bellt.", ["der", "hund", "der", "bellt"]),
        ("don't 'quote' x-y 17%", ["don't", "quote", "x", "y", "17"]),
        ("Aufkla\u0308rung iſt raͤchen", ["aufklärung", "iſt", "raͤchen"]),
        ("_a_ .. \n", ["a"]),
        ("", []),
    ],
)
def test_words_leave_case_and_punctuation_aside(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_method_one_counts_words_on_a_page(tmp_path: Path) -> None:
    write(
        tmp_path, a_p1="the cat the", b_p1="The hat.", a_p2="end", b_p2="",
        truth_p1="the cat the mat", truth_p2="End",
    )  # fmt: skip
    table = read_votes(tmp_path)
    assert rows(table) == {
        "p1/cat/1": [1, 0], "p1/hat/1": [0, 1], "p1/the/1": [1, 1], "p1/the/2": [1, 0],
        "p2/end/1": [1, 0],
    }  # fmt: skip
    np.testing.assert_array_equal(table.truth, [1, 0, 1, 1, 1])
    assert table.pages == ("p1",) * 4 + ("p2",)
    assert table.texts == ("cat", "hat", "the", "the", "end")
    assert any("1 word of the truth" in remark for remark in table.remarks)


def test_what_only_the_truth_has_is_an_item_if_wanted(tmp_path: Path) -> None:
    write(tmp_path, a_p="cat", b_p="cat", gt_p="cat mat")
    table = read_votes(tmp_path, missed=True)
    assert rows(table) == {"p/cat/1": [1, 1], "p/mat/1": [0, 0]}
    np.testing.assert_array_equal(table.truth, [1, 1])
    assert not table.remarks


def test_method_two_tells_places_apart(tmp_path: Path) -> None:
    write(
        tmp_path, a_p="the cat sees the dog", b_p="the cat sees a dog", c_p="cat sees the dog",
        truth_p="the cat sees the dog",
    )  # fmt: skip
    table = read_votes(tmp_path, method="alignment")
    assert rows(table) == {
        "p/1/the": [1, 1, 0], "p/2/cat": [1, 1, 1], "p/3/sees": [1, 1, 1],
        "p/4/the": [1, 0, 1], "p/4/a": [0, 1, 0], "p/5/dog": [1, 1, 1],
    }  # fmt: skip
    np.testing.assert_array_equal(table.truth, [1, 1, 1, 1, 0, 1])


@pytest.mark.parametrize("method", ["bag_of_words", "alignment"])
def test_truth_changes_no_vote_and_no_item(tmp_path: Path, method: str) -> None:
    texts = {"a_p": "one two three", "b_p": "one too three", "c_p": "won three four"}
    write(tmp_path / "without", **texts)
    write(tmp_path / "with", **texts, truth_p="nought one two five four")
    without, told = (
        read_votes(tmp_path / name, method=method)  # type: ignore[arg-type]
        for name in ("without", "with")
    )
    if method == "bag_of_words":
        assert rows(without) == rows(told)
    assert without.texts == told.texts
    np.testing.assert_array_equal(without.votes.dense(), told.votes.dense())
    assert without.truth is None


def test_a_page_that_a_system_did_not_see_is_unknown(tmp_path: Path) -> None:
    write(tmp_path, a_p1="x", b_p1="x", a_p2="y", truth_p1="x")
    table = read_votes(tmp_path)
    np.testing.assert_equal(rows(table), {"p1/x/1": [1, 1], "p2/y/1": [1, NAN]})
    np.testing.assert_array_equal(table.truth, [1, NAN])
    assert any("b has no file for 1 of 2 pages" in remark for remark in table.remarks)


def test_files_of_a_folder_may_carry_the_system_in_their_names(tmp_path: Path) -> None:
    for name, text in {"p.a": "x y", "p.b": "x", "p.gt": "x"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    table = read_votes(tmp_path)
    assert table.systems == ("a", "b")
    assert rows(table) == {"p/x/1": [1, 1], "p/y/1": [1, 0]}
    np.testing.assert_array_equal(table.truth, [1, 0])


def test_page_and_alto_are_read_in_reading_order(tmp_path: Path) -> None:
    order = (
        '<ReadingOrder><OrderedGroup><RegionRefIndexed index="1" regionRef="r1"/>'
        '<RegionRefIndexed index="0" regionRef="r2"/></OrderedGroup></ReadingOrder>'
    )
    ranked = equiv("wrong", ' index="1"') + equiv("right", ' index="0"')
    first = region("r1", word("of") + word("words") + equiv("not this"), equiv("a line"))
    inside = order + first + region("r2", ranked)
    files = {
        "page": PAGE.format(image="p7", inside=inside),
        "other": PAGE.format(image="p7", inside=region("r1", equiv("right of words"))),
        "truth": ALTO.format(inside='<String CONTENT="right"/><String CONTENT="of"/>'),
    }
    for system, content in files.items():
        (tmp_path / system).mkdir()
        (tmp_path / system / "0001.xml").write_text(content, "utf-8")
    table = read_votes(tmp_path, method="alignment")
    assert table.systems == ("other", "page")
    assert table.texts == ("right", "of", "words", "a", "line")
    assert set(table.pages) == {"p7"}
    np.testing.assert_array_equal(table.truth, [1, 1, 0, 0, 0])
    assert any("matched in order" in remark for remark in table.remarks)


def test_names_lose_what_all_share_and_give_a_factor(tmp_path: Path) -> None:
    for name in ("OCR-TESS-frk-2020", "OCR-TESS-deu-2020", "OCR-OCRO-frk-2020"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}_0001.txt").write_text("word")
    table = read_votes(tmp_path)
    assert table.systems == ("OCRO-frk", "TESS-deu", "TESS-frk")
    assert table.factors == {"first part of the name": ("OCRO", "TESS", "TESS")}
    assert table.pages == ("0001",)


def test_broken_files_are_told_and_folders_without_words_passed_over(tmp_path: Path) -> None:
    write(tmp_path, a_p="x", b_p="x", empty_p=" ")
    (tmp_path / "b" / "q.xml").write_bytes(b"<PcGts>\xff</PcGts>")
    (tmp_path / "b" / "r.xml").write_text("<PcGts>")
    table = read_votes(tmp_path)
    assert len(table.bad_lines) == 2
    assert "is not UTF-8" in str(table.bad_lines[0])
    assert "empty was skipped: it has no words" in table.remarks
    only = tmp_path / "only"
    write(only, truth_p="x")
    with pytest.raises(BadInput, match="no text of a system"):
        read_votes(only)


def test_a_page_twice_and_one_too_long_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a_p="one two three", b_p="one")
    monkeypatch.setattr("spotlab.formats.votes.texts.MOST_ALIGNED", 2)
    with pytest.raises(BadInput, match="has 3 words, too many to be aligned"):
        read_votes(tmp_path, method="alignment")
    assert len(read_votes(tmp_path)) == 3
    (tmp_path / "a" / "p.xml").write_text(ALTO.format(inside='<String CONTENT="x"/>'))
    with pytest.raises(BadInput, match=r"the page 'p' is in p\.(txt|xml) already"):
        read_votes(tmp_path)
    with pytest.raises(ValueError, match="no method"):
        read_votes(tmp_path, method="best")  # type: ignore[arg-type]
