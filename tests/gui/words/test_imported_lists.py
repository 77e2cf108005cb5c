"""Other people's lists: judged by the pages or by qrels, side by side, re-ranked by consensus."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.formats.lists.reading import read_lists
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.panels.word_queries import WordQueriesPanel, open_dropped, save
from spotlab.gui.words.scores.scores import ScoresPanel
from spotlab.gui.words.state.words import Words
from spotlab.model import Items
from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.words.word_index import instances
from spotlab.studies.words.word_truth import read_words, truth_of
from tests.gui import windows
from tests.gui.words.searching import calm, open_letters

pytestmark = pytest.mark.in_sequence

HEAD = "query,page,x,y,width,height,score\n"


@pytest.fixture(scope="module")
def window(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, cache: Path
) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("imported")
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(folder, patch, cache)
        yield window
        windows.close(window)


@pytest.fixture
def words(window: MainWindow) -> Words:
    words = window.workbench.state(Words)
    words.forget()
    words.ranking.fusions = ("ws", "qe", "cr", "ml", "ml_cr")
    return words


@pytest.fixture(scope="module")
def written(window: MainWindow) -> Items:
    folder = window.workbench.collection.folder
    assert folder is not None
    return read_words([folder])


def rows(words: Items, items: list[int], scores: list[float], query: str) -> str:
    lines = []
    for item, score in zip(items, scores, strict=True):
        left, top, right, bottom = words.boxes[item].tolist()
        place = f"{left + 1},{top + 1},{right - left},{bottom - top}"
        lines.append(f"{query},{words.page_name(item)}.jpg,{place},{score}\n")
    return "".join(lines)


def write(folder: Path, name: str, words: Items, query: str = "the") -> Path:
    """Two instances of "the" and two other words; what more instances there are is not found."""
    the = instances(words, "the").tolist()
    others = [item for item in range(len(words)) if item not in the]
    path = folder / f"{name}.csv"
    chosen = [the[0], others[0], the[1], others[1]]
    path.write_text(HEAD + rows(words, chosen, [0.9, 0.85, 0.8, 0.75], query))
    return path


def opened(window: MainWindow, *paths: Path) -> None:
    open_dropped(window.workbench, [str(path) for path in paths])
    calm(window.workbench.state(Words))
    assert background.wait_for_all(60)
    calm(window.workbench.state(Words))


@pytest.mark.slow
def test_the_truth_of_the_pages_counts_every_instance_and_cr_compares_the_boxes(
    window: MainWindow, words: Words, written: Items, tmp_path: Path
) -> None:
    every = len(instances(written, "the"))
    assert every > 2
    opened(window, write(tmp_path, "theirs", written))
    names = [each.title for each in words.ranking.lists]
    assert names == ["theirs", "Consensus ranking (CR)"]  # neither WS nor QE, no ML of one list
    theirs, made = words.ranking.lists
    assert words.judgements.relevant == every
    assert theirs.average_precision == pytest.approx((1 + 2 / 3) / every)
    assert made.average_precision is not None and len(made.ranked) == 4
    assert theirs.purge.at(0.0).recall == pytest.approx(2 / every)
    heads = next(iter(window.above["words"].findChildren(type(columns(window).heads))))
    assert "it is not known which word it is" in heads.tip(0)


def columns(window: MainWindow) -> WordColumns:
    found = window.above["words"]
    assert isinstance(found, WordColumns)
    return found


def test_a_second_file_stands_beside_the_first_and_comes_only_once(
    window: MainWindow, words: Words, written: Items, tmp_path: Path
) -> None:
    words.ranking.fusions = ()
    first, second = (write(tmp_path, name, written) for name in ("theirs", "ours"))
    second.write_text(second.read_text().replace(",0.9\n", ",0.1\n"))
    opened(window, first)
    opened(window, second)
    assert len(words.queries.sources) == 1
    assert [each.title for each in words.ranking.lists] == ["theirs", "ours"]
    opened(window, second)
    assert [each.title for each in words.ranking.lists] == ["theirs", "ours"]
    words.ranking.show_fusions(["combsum", "ml"])
    calm(words)
    assert [each.name for each in words.ranking.lists[2:]] == ["combsum", "ml"]


def test_the_query_itself_is_left_out_where_it_is_known(
    window: MainWindow, words: Words, written: Items, tmp_path: Path
) -> None:
    words.ranking.fusions = ()
    path = write(tmp_path, "theirs", written)
    lines = path.read_text().splitlines()
    lines = [f"{lines[0]},own", f"{lines[1]},1", *(f"{line}," for line in lines[2:])]
    path.write_text("\n".join(lines) + "\n")
    opened(window, path)
    every = len(instances(written, "the"))
    [theirs] = words.ranking.lists
    assert theirs.average_precision == pytest.approx((1 / 2) / (every - 1))
    first = instances(written, "the")[0]
    left, top = written.boxes[first, :2] + 1  # as `rows` writes it
    row = window.panel(WordQueriesPanel).list.rows.shown[-1]
    assert row.detail.startswith(f"on {written.page_name(first)} at {left:.0f}, {top:.0f} · ")
    save(window.workbench, tmp_path / "saved.csv")
    [back] = read_lists(tmp_path / "saved.csv").queries
    assert truth_of(back).average_precision(back.lists[0]) == theirs.average_precision


def test_qrels_judge_what_is_open_and_what_is_opened_later(
    window: MainWindow, words: Words, tmp_path: Path
) -> None:
    words.ranking.fusions = ()
    run, later, qrels = (tmp_path / name for name in ("a.run", "b.run", "truth.qrels"))
    run.write_text("7 Q0 d1 1 .9 mine\n7 Q0 d2 2 .8 mine\n")
    later.write_text("7 Q0 d3 1 .9 mine\n7 Q0 d1 2 .8 mine\n")
    qrels.write_text("7 0 d1 0\n7 0 d2 1\n7 0 d3 1\n7 0 d9 2\n")
    opened(window, run)
    assert words.ranking.lists[0].average_precision is None
    opened(window, qrels)
    assert words.ranking.lists[0].average_precision == pytest.approx((1 / 2) / 3)
    opened(window, later)
    assert [each.title for each in words.ranking.lists] == ["mine", "b: mine"]
    assert words.ranking.lists[1].average_precision == pytest.approx(1 / 3)


def test_lists_stay_open_when_other_pages_are_opened_and_are_judged_by_these(
    window: MainWindow, words: Words, written: Items, tmp_path: Path
) -> None:
    words.ranking.fusions = ()
    folder = window.workbench.collection.folder
    assert folder is not None
    opened(window, write(tmp_path, "theirs", written))
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(folder / "letter_001.jpg", alone)
    for place, known in ((alone, False), (folder, True)):
        window.workbench.open_paths([place])
        assert background.wait_for_all(60)
        calm(words)
        assert background.wait_for_all(60)
        [theirs] = words.ranking.lists
        assert (theirs.average_precision is not None) == known


def test_files_opened_one_after_the_other_stand_side_by_side(
    window: MainWindow, words: Words, written: Items, tmp_path: Path
) -> None:
    words.ranking.fusions = ()
    one, two, three = (write(tmp_path, name, written) for name in ("one", "two", "three"))
    opened(window, one)
    open_alone(window, tmp_path / "alone")
    open_dropped(window.workbench, [str(two)])
    opened(window, three)
    assert [each.title for each in words.ranking.lists] == ["one", "two", "three"]


def test_a_query_closed_while_its_lists_are_judged_anew_stays_closed(
    window: MainWindow, words: Words, written: Items, tmp_path: Path
) -> None:
    opened(window, write(tmp_path, "theirs", written))
    open_alone(window, tmp_path / "alone")
    words.forget()
    assert background.wait_for_all(60)
    assert not words.queries.sources


def open_alone(window: MainWindow, folder: Path) -> None:
    """Other pages, to whose truth the lists then apply."""
    folder.mkdir()
    for suffix in (".jpg", ".xml"):
        shutil.copy(sample_collection(LETTERS) / f"letter_001{suffix}", folder)
    window.workbench.open_paths([folder])


def test_one_cut_serves_lists_of_any_scale_by_rank_and_when_judged_by_probability(
    window: MainWindow, words: Words, tmp_path: Path
) -> None:
    words.ranking.show_usual()
    runs: dict[str, list[str]] = {"small": [], "huge": [], "qrels": []}
    for query in range(4):
        for item in range(40):
            runs["small"].append(f"{query} Q0 d{item} {item} {44 - item / 9} small")
            runs["huge"].append(f"{query} Q0 d{39 - item} {item} {4e7 - 9e5 * item} huge")
            runs["qrels"].append(f"{query} 0 d{item} {int(item < 9 or item % 7 == query)}")
    for name, lines in runs.items():
        (tmp_path / name).write_text("\n".join(lines))
    opened(window, tmp_path / "small", tmp_path / "huge")
    assert words.ranking.lists[2].name == "reciprocal_rank"
    scores = window.panel(ScoresPanel)
    assert [each.kept(words.threshold) for each in words.ranking.lists] == [12, 12, 12]
    assert (scores.head.name.text(), scores.head.field.value()) == ("Cut after rank", 12)
    scores.head.field.setValue(5)
    assert [each.kept(words.threshold) for each in words.ranking.lists[:2]] == [5, 5]
    scores.plot.line.setValue(20.7)
    scores.plot.line.sigDragged.emit(scores.plot.line)
    assert [each.kept(words.threshold) for each in words.ranking.lists[:2]] == [20, 20]
    assert [mark.name for mark in scores.scale.marks] == []  # there is no τ
    opened(window, tmp_path / "qrels")
    assert (scores.head.name.text(), words.threshold) == ("Cut at probability", 0.5)
    small, huge, fused = words.ranking.lists
    assert fused.name == "noisy_or"
    assert small.kept(0.5) in range(8, 12)  # the first nine are relevant in all queries
    assert huge.kept(0.5) == 0
    assert "probabilities" in columns(window).heads.tip(0)
