"""Someone judges words, opens lists of their own, fuses them and saves what is shown."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.formats.lists.kept_lines import read_judgements
from spotlab.formats.lists.reading import read_lists
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.panels.word_queries import open_dropped, save
from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import windows
from tests.gui.words.searching import begin_anew, calm, open_letters

LISTS = """query,page,x,y,width,height,score,relevant,list
the,letter_001,10,10,40,20,.9,1,mine
the,letter_001,60,10,40,20,.8,0,mine
the,letter_002,10,40,40,20,.75,,mine
the,letter_001,60,10,40,20,.95,0,theirs
the,letter_002,90,90,40,20,.6,1,theirs
"""


@pytest.fixture(scope="module")
def opened(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, cache: Path
) -> Iterator[MainWindow]:
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(tmp_path_factory.mktemp("lists"), patch, cache)
        yield window
        windows.close(window)


@pytest.fixture
def window(opened: MainWindow) -> MainWindow:
    begin_anew(opened)
    return opened


@pytest.fixture
def searched(window: MainWindow) -> Words:
    words = window.workbench.state(Words)
    words.searching.search(WordQuery(text="the"))
    calm(words)
    return words


def columns(window: MainWindow) -> WordColumns:
    found = window.above["words"]
    assert isinstance(found, WordColumns)
    return found


def press(window: MainWindow, key: Qt.Key) -> None:
    columns(window).setFocus()
    windows.press(columns(window), key)
    calm(window.workbench.state(Words))


def judgements(window: MainWindow) -> Path:
    folder = window.workbench.collection.folder
    assert folder is not None
    return folder / "judgements.csv"


def test_a_key_judges_the_word_re_ranks_and_is_written(window: MainWindow, searched: Words) -> None:
    before = {each.name: each.ranked.item.tolist() for each in searched.ranking.lists}
    scores = {each.name: each.ranked.score.copy() for each in searched.ranking.lists}
    item = int(searched.ranking.lists[0].ranked.item[0])
    total = searched.judgements.relevant
    searched.choose_item(item)
    press(window, Qt.Key.Key_R)
    assert searched.judgements.judged[item] == 0 and searched.judgements.relevance[item] == 0
    assert searched.judgements.relevant == total - 1
    after = {each.name: each.ranked.item.tolist() for each in searched.ranking.lists}
    assert after["ws"] == before["ws"]
    # what is no such word re-scores nothing any more
    changed = searched.ranking.lists[2]
    assert changed.name == "cr" and not np.allclose(np.sort(changed.ranked.score),
                                                    np.sort(scores["cr"]))  # fmt: skip
    [line] = judgements(window).read_text().splitlines()[1:]
    assert line.startswith("the,letter_00") and line.endswith(",irrelevant")
    window.actions_by_id.trigger("edit.undo")
    calm(searched)
    assert searched.judgements.judged[item] == -1 and searched.judgements.relevant == total
    assert {each.name: each.ranked.item.tolist() for each in searched.ranking.lists} == before
    assert judgements(window).read_text().splitlines()[-1].endswith(",none")
    window.actions_by_id.trigger("edit.redo")
    assert searched.judgements.judged[item] == 0


def test_without_feedback_the_order_stays(window: MainWindow, searched: Words) -> None:
    window.actions_by_id.trigger("words.feedback")
    calm(searched)
    assert not searched.ranking.feedback
    before = [each.ranked.score.tolist() for each in searched.ranking.lists]
    precision = searched.ranking.lists[2].average_precision
    searched.choose_item(int(searched.ranking.lists[2].ranked.item[0]))
    press(window, Qt.Key.Key_R)
    assert [each.ranked.score.tolist() for each in searched.ranking.lists] == before
    assert searched.ranking.lists[2].average_precision != precision


def test_judgements_are_there_in_the_next_start(
    window: MainWindow, searched: Words, tmp_path: Path, cache: Path
) -> None:
    chosen = searched.ranking.lists[0].ranked.item[[1, 3]].tolist()
    searched.judgements.judge_items(chosen, relevant=False)
    calm(searched)
    folder = window.workbench.collection.folder
    assert folder is not None
    window.open_paths([windows.write_pages(tmp_path / "others")])
    windows.settle()
    window.open_paths([folder])
    windows.settle()
    searched.searching.search(WordQuery(text="the"))
    calm(searched)
    assert np.flatnonzero(searched.judgements.judged == 0).tolist() == sorted(chosen)


def test_a_folder_that_cannot_be_written_is_said_and_the_judgement_counts(
    window: MainWindow, searched: Words
) -> None:
    said: list[tuple[str, bool]] = []
    window.workbench.said.connect(lambda text, serious: said.append((text, serious)))
    judgements(window).mkdir()
    item = int(searched.ranking.lists[0].ranked.item[0])
    searched.judgements.judge(item, False)
    calm(searched)
    assert searched.judgements.judged[item] == 0
    assert len(said) == 1 and said[0][1] and "judgements.csv" in said[0][0]


@pytest.mark.slow
def test_lists_of_ones_own_are_opened_fused_and_saved(window: MainWindow, tmp_path: Path) -> None:
    words = window.workbench.state(Words)
    file = tmp_path / "lists.csv"
    file.write_text(LISTS.replace("the,", "a word,"))  # written nowhere: the file alone judges it
    open_dropped(window.workbench, [str(file)])
    calm(words)
    names = [each.title for each in words.ranking.lists]
    assert names[:2] == ["mine", "theirs"]
    mine, theirs = words.ranking.lists[:2]
    assert [round(score, 2) for score in mine.ranked.score] == [0.9, 0.8, 0.75]
    assert words.judgements.relevance[mine.ranked.item].tolist() == [1, 0, -1]
    assert mine.average_precision == pytest.approx(1 / 2)  # 1 of 2, at rank 1
    assert theirs.average_precision == pytest.approx((1 / 2) / 2)
    words.ranking.show_fusions(["combmnz"])
    calm(words)
    fused = words.ranking.lists[-1]
    assert fused.name == "combmnz" and len(fused.ranked) == 4
    saved = tmp_path / "saved.csv"
    save(window.workbench, saved)
    [query] = read_lists(saved).queries
    assert [each.name for each in query.lists] == ["mine", "theirs", fused.name]
    assert len(query.items) == 4
    np.testing.assert_allclose(query.lists[2].score, fused.ranked.score)


def test_what_cannot_be_read_is_said_and_nothing_is_lost(
    window: MainWindow, searched: Words, tmp_path: Path
) -> None:
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b"\x00\x01 no list")
    lists = searched.ranking.lists
    open_dropped(window.workbench, [str(broken)])
    calm(searched)
    assert len(said) == 1 and "broken.csv" in said[0]
    assert searched.ranking.lists == lists and searched.queries.title == "the"
    part = tmp_path / "part.csv"
    part.write_text(LISTS + "the,letter_001,10,10,forty,20,.9,1,mine\n")
    open_dropped(window.workbench, [str(part)])
    calm(searched)
    assert len(searched.queries.sources) == 2
    assert "line 7" in said[-1]


def test_judgements_survive_a_kill(tmp_path: Path, cache: Path) -> None:
    """The whole program is killed right after a key; what was judged is on the disk."""
    program = """
        import os, signal, sys
        from pathlib import Path
        import pytest
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QApplication
        from spotlab.gui.words.state.words import Words
        from spotlab.spotting.words.word_index import WordQuery
        from tests.gui import windows
        from tests.gui.words.searching import calm, open_letters

        app = QApplication([])
        patch = pytest.MonkeyPatch()
        window = open_letters(Path(sys.argv[1]), patch, Path(sys.argv[2]))
        words = window.workbench.state(Words)
        words.searching.search(WordQuery(text="the"))
        calm(words)
        words.choose_item(int(words.ranking.lists[0].ranked.item[0]))
        view = window.above["words"]
        view.setFocus()
        windows.press(view, Qt.Key.Key_G)
        windows.press(view, Qt.Key.Key_R)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(tmp_path), str(cache)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).parents[3],
        check=False,
        capture_output=True,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()[-2000:]
    judged = read_judgements(tmp_path / "letters" / "judgements.csv").judged["the"]
    assert sorted(judged.values()) == [False, True]
