"""`spotlab spot words`: from pages and a query to ranked lists, runs and figures."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import cv2
import pytest

from spotlab.cli.root import main
from spotlab.formats.lists.reading import read_lists
from spotlab.formats.runs import read_run
from spotlab.model.ranked_list import Items
from tests.spotting.words.embedding.small_network import write_network
from tests.spotting.words.word_pages import write_pages, write_words

# the font that OpenCV 4 draws words with is coarser: further words come between equal ones
drawn_by_opencv_5 = pytest.mark.skipif(
    cv2.__version__ < "5", reason="OpenCV 4 draws these words with another font"
)


@pytest.fixture
def words(tmp_path: Path) -> Items:
    found = write_pages(tmp_path / "pages")
    write_words(tmp_path / "pages", found)
    return found


def run(tmp_path: Path, *arguments: object) -> int:
    """The exit code of the command, on the pages with their words given."""
    usual = [
        "--pages", tmp_path / "pages", "--out", tmp_path / "out.csv", "--cache", tmp_path / "cache",
        "--jobs", 1, "--given-boxes",
        *(() if "--descriptor" in arguments else ("--descriptor", "strokes")),
    ]  # fmt: skip
    with pytest.raises(SystemExit) as ended:
        main(["spot", "words", *map(str, [*usual, *arguments])])
    return int(ended.value.code or 0)


@drawn_by_opencv_5
def test_lists_of_a_text_find_its_other_instances(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--query", "orders", "--tau", "0.6") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].split() == ["query", "found", "written", "ws", "qe", "cr", "ml", "ml_cr"]
    assert said[1].split()[0] == "orders"
    assert said[1].split()[2] == "4"
    assert said[-1] == f"wrote {tmp_path / 'out.csv'}"
    query = read_lists(tmp_path / "out.csv").query("orders")
    assert [each.name for each in query.lists] == ["ws", "qe", "cr", "ml", "ml_cr"]
    # alike to the pixel: all four come before anything else
    first = query.lists[0]
    assert {query.items.text(item) for item in first.item[:4].tolist()} == {"orders"}
    assert query.relevance[first.item[:4]].tolist() == [1, 1, 1, 1]
    assert first.score[0] == pytest.approx(1, abs=1e-4)
    assert set(query.items.pages) == {"page_1", "page_2", "page_3"}


def test_one_that_is_written_nowhere_fails_alone(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--query", "zebra", "--query", "orders", "--lists", "ws") == 0
    said = capsys.readouterr()
    assert "not searched: the word 'zebra' is written nowhere" in said.err
    assert [line.split()[0] for line in said.out.splitlines()[1:2]] == ["orders"]
    assert [each.query for each in read_lists(tmp_path / "out.csv").queries] == ["orders"]


@drawn_by_opencv_5
def test_json_says_how_good_each_list_is(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--query", "orders", "--lists", "ws,ml-cr", "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["pages"], found["words"], found["left_out"]) == (3, len(words), [])
    (query,) = found["queries"]
    assert (query["query"], query["page"], query["relevant"]) == ("orders", "page_1", 4)
    assert list(query["lists"]) == ["ws", "ml_cr"]
    assert query["lists"]["ws"]["average_precision"] == 1.0
    assert found["mean_average_precision"]["ws"] == 1.0


def test_a_box_is_a_query_as_its_word_is(tmp_path: Path, words: Items) -> None:
    word = words.texts.index("letter")
    left, top, right, bottom = words.boxes[word].astype(int).tolist()
    place = f"{words.page_name(word)}.png:{left},{top},{right - left},{bottom - top}"
    (tmp_path / "queries.txt").write_text(f"{place}\n\nflour\n")
    assert run(tmp_path, "--queries", tmp_path / "queries.txt", "--query", "letter") == 0
    read = read_lists(tmp_path / "out.csv")
    text, box, flour = read.queries
    assert text.query == "letter"
    assert box.query == place.replace(".png", "")
    assert flour.query == "flour"
    assert text.lists[0].score.tolist() == box.lists[0].score.tolist()
    assert box.relevance.tolist() == text.relevance.tolist()


def test_all_instances_are_queries_of_their_own(tmp_path: Path, words: Items) -> None:
    assert run(tmp_path, "--query", "letter", "--all-instances", "--lists", "ws") == 0
    names = [each.query for each in read_lists(tmp_path / "out.csv").queries]
    assert names == ["letter 1", "letter 2", "letter 3"]


def test_each_list_is_a_run(tmp_path: Path, words: Items, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert run(tmp_path, "--query", "orders", "--as", "run", "--lists", "ws,cr") == 0
    assert not (tmp_path / "out.csv").exists()
    found = read_run(tmp_path / "out-cr.csv")
    assert not found.bad_lines
    assert found.run.queries == ("orders",)
    made = found.run.provenance
    assert made["command"] == "spot words" and made["method"] == "cr"
    assert made["date"] == "1970-01-02T00:00:00+00:00" and made["setting tau"] == "0.7"
    first = found.run.spot(0)
    assert first.rank == 1
    assert first.points.tolist()[0] in words.boxes[:, :2].tolist()
    assert run(tmp_path, "--query", "orders", "--as", "run", "--lists", "ws") == 0
    assert (tmp_path / "out.csv").read_text() == (tmp_path / "out-ws.csv").read_text()


def test_a_run_can_be_held_against_the_truth(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = ["--query", "Orders,", "--query", "flour"]
    assert run(tmp_path, *queries, "--as", "run", "--lists", "ws", "--tau", "0.6") == 0
    capsys.readouterr()
    for models, symbols in (("ignore", 3), ("count", 4)):  # one of the four is the query itself
        with pytest.raises(SystemExit) as ended:
            main(
                ["evaluate", "--truth", str(tmp_path / "pages"), "--run", str(tmp_path / "out.csv"),
                 "--texts", "--json", "-", "--draws", "0", "--models", models]
            )  # fmt: skip
        assert not ended.value.code
        (found,) = json.loads(capsys.readouterr().out)["runs"]
        assert set(found["queries"]) == {*words.texts}
        orders = found["queries"]["orders"]
        assert (orders["symbols"], orders["recognised"]) == (symbols, symbols)
        assert orders["area_recall"] == pytest.approx(1)


def test_words_are_found_without_truth(tmp_path: Path, words: Items) -> None:
    for file in (tmp_path / "pages").glob("*.xml"):
        file.unlink()
    left, top, right, bottom = words.boxes[0].astype(int).tolist()
    with pytest.raises(SystemExit) as ended:
        main(
            ["spot", "words", "--query", f"page_1:{left},{top},{right - left},{bottom - top}",
             "--pages", str(tmp_path / "pages"), "--cache", str(tmp_path / "cache"), "--out",
             str(tmp_path / "out.csv"), "--lists", "ws", "--jobs", "1"]
        )  # fmt: skip
    assert not ended.value.code
    (query,) = read_lists(tmp_path / "out.csv").queries
    assert query.relevance.tolist() == [-1] * len(query.items)
    assert len(query.lists[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is no query"),
        (["--query", "order"], "the word 'order' is written nowhere; there is 'orders'"),
        (["--query", "page_9:1,2,30,40"], "the page 'page_9' of the query is not among the pages"),
        (["--query", "page_1:1,2,0,40"], "'page_1:1,2,0,40': a query's box has an area"),
        (["--query", "page_1:90000,2,30,40"], "the query's box lies beside the page"),
        (["--query", "orders", "--tau", "nan"], "'nan' is not a finite number"),
        (["--query", "orders", "--lists", "ws,best"], "there is no list 'best'; there are "),
        (["--query", "orders", "--json", f"{__file__}/a.json"], "its folder cannot be made"),
        (["--query", "orders", "--overlap", "0.1"], "0.1 is not in the range"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    words: Items,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(tmp_path, *arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out.csv").exists()


def test_a_bad_query_in_a_file_is_named_with_its_line(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "queries.txt").write_text("orders\n\npage_1:1,2,3,0\n")
    assert run(tmp_path, "--queries", tmp_path / "queries.txt") == 2
    assert "queries.txt, line 3: a query's box has an area" in capsys.readouterr().err


def test_without_words_a_text_cannot_be_searched(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (tmp_path / "pages").glob("*.xml"):
        file.unlink()
    assert run(tmp_path, "--query", "orders") == 2
    assert "there are no transcriptions of the pages" in capsys.readouterr().err


def test_a_page_that_cannot_be_read_is_said(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages" / "page_2.png").write_bytes(b"nothing")
    assert run(tmp_path, "--query", "orders") == 0
    assert "left out page_2: " in capsys.readouterr().err


def _place(words: Items, word: int) -> str:
    left, top, right, bottom = words.boxes[word].astype(int).tolist()
    return f"{words.page_name(word)}:{left},{top},{right - left},{bottom - top}"


@drawn_by_opencv_5
def test_boxes_with_one_name_are_one_query(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = (at for at, text in enumerate(words.texts) if text == "orders")
    named = [f"mine={_place(words, at)}" for at in (first, second)]
    assert run(tmp_path, "--query", named[0], "--query", named[1], "--json", "-") == 0
    (query,) = json.loads(capsys.readouterr().out)["queries"]
    assert query["query"] == "mine"
    assert query["text"] == "orders"
    assert [each["page"] for each in query["examples"]] == [
        words.page_name(first), words.page_name(second),
    ]  # fmt: skip
    assert query["lists"]["ws"]["average_precision"] == 1.0
    boxes = [word.split(":")[1] for word in named]
    pages = [words.page_name(at) for at in (first, second)]
    rows = [f"mine,{page},{box}" for page, box in zip(pages, boxes, strict=True)]
    table = tmp_path / "queries.csv"
    table.write_text("\n".join(["query,page,x,y,width,height", *rows]))
    before = (tmp_path / "out.csv").read_text()
    assert run(tmp_path, "--queries", table) == 0
    assert (tmp_path / "out.csv").read_text() == before
    table.write_text("query,page,x,y,width\n")
    assert run(tmp_path, "--queries", table) == 2
    assert "the column 'height' is missing" in capsys.readouterr().err


def test_a_word_that_is_missing_beside_and_is_told_before_anything_is_searched(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    network = write_network(tmp_path / "words.onnx")
    learned = ("--descriptor", "both", "--network", network, "--lists", "ws")
    assert run(tmp_path, "--text", "letters AND", *learned) == 2
    error = capsys.readouterr().err
    assert "a word is missing behind AND" in error and "\\u" not in error
    assert not (tmp_path / "out.csv").exists()


def test_texts_are_typed_where_a_network_describes_the_words(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    network = write_network(tmp_path / "words.onnx")
    learned = ("--descriptor", "both", "--network", network, "--lists", "ws", "--json", "-")
    asked = ("--text", "orders", "--text", "let*", "--query", "zebra", "--query", "captain")
    assert run(tmp_path, *asked, *learned) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["descriptor"] == "both"
    assert len(said["network"]) == 64
    queries = {each["query"]: each for each in said["queries"]}
    assert [name for name, each in queries.items() if each["typed"]] == ["zebra", "orders", "let*"]
    assert queries["orders"]["relevant"] == 4
    assert queries["orders"]["box"] == []
    assert queries["captain"]["box"] != []  # it is transcribed: an example of it is searched
    found = read_lists(tmp_path / "out.csv")
    assert len(found.query("orders").lists[0].item) == len(words)


def test_readings_are_written_beside_the_lists_and_passed_over_when_read(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    network, listed = write_network(tmp_path / "words.onnx"), tmp_path / "listed.txt"
    listed.write_text("zebra 3\nquagga 2\n")
    learned = ("--descriptor", "learned", "--network", network, "--lists", "ws,cr", "--json", "-")
    assert run(tmp_path, "--text", "orders", *learned, "--words", listed) == 0
    (query,) = json.loads(capsys.readouterr().out)["queries"]
    known = {"zebra", "quagga", *filter(None, words.texts)}
    assert {each["text"] for each in query["readings"]} <= known
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["descriptor"] for row in rows} == {"learned"}
    written = {(row["page"], row["reading"], row["probability"]) for row in rows}
    assert written == {
        (each["page"], each["text"], f"{each['probability']:.3f}") for each in query["readings"]
    }
    found = read_lists(tmp_path / "out.csv")
    assert [ranked.name for ranked in found.queries[0].lists] == ["ws", "cr"]
    assert found.remarks == ()


def test_a_list_of_words_is_for_readings_of_a_network(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "listed.txt"
    listed.write_text("orders\n")
    assert run(tmp_path, "--query", "orders", "--words", listed) == 2
    assert "needs a learned descriptor" in capsys.readouterr().err


def test_what_is_typed_needs_a_network(
    tmp_path: Path, words: Items, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--text", "orders") == 2
    assert "choose a learned descriptor" in capsys.readouterr().err
    assert run(tmp_path, "--text", " ") == 2
    assert "a text to search is empty" in capsys.readouterr().err
