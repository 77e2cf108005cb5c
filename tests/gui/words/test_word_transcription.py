"""Someone names queries, gets them back after a kill, and writes what is judged into the truth."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from spotlab.formats.lists.kept_lines import read_queries
from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.query_list import WordQueryList
from spotlab.gui.words.panels.word_queries import WordQueriesPanel
from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery
from spotlab.studies.words.word_truth import read_words
from tests.gui import labelled_pages, windows
from tests.gui.words.searching import PAGES, calm, open_letters

pytestmark = pytest.mark.in_sequence

OFF = 15  # px


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """The folder of a window that drew a box, named it, judged two words, and was killed."""
    folder = tmp_path_factory.mktemp("killed")
    program = """
        import os, signal, sys
        from pathlib import Path
        import pytest
        from PySide6.QtWidgets import QApplication
        from spotlab.gui.words.state.words import Words
        from spotlab.spotting.words.word_index import WordQuery
        from spotlab.studies.words.word_truth import read_words
        from tests.gui.words.searching import calm, open_letters, write_letters

        app = QApplication([])
        folder = Path(sys.argv[1])
        known = read_words([write_letters(folder / "truth")])
        at = known.texts.index("Company")
        window = open_letters(folder, pytest.MonkeyPatch(), Path(sys.argv[2]))
        for path in (folder / "letters").glob("*.xml"):
            path.unlink()  # nobody knows what is written
        window.open_paths([folder / "letters"])
        words = window.workbench.state(Words)
        words.searching.search(WordQuery(known.page_name(at), tuple(known.boxes[at].tolist())))
        calm(words)
        ranked = words.ranking.lists[0].ranked.item.tolist()
        words.judgements.judge(ranked[1], True)
        words.rename(words.query_list.listed[0], "Company")
        calm(words)
        words.judgements.judge(ranked[2], False)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(folder), str(cache)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).parents[3],
        check=False,
        capture_output=True,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()[-2000:]
    return folder


@pytest.fixture(scope="module")
def window(killed: Path, cache: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """The next start, on the same pages."""
    with pytest.MonkeyPatch.context() as patch:
        kept = shutil.copytree(killed / "letters", killed / "kept")
        shutil.rmtree(killed / "letters")
        window = open_letters(killed, patch, cache)
        shutil.rmtree(killed / "letters")
        kept.rename(killed / "letters")
        window.open_paths([killed / "letters"])
        windows.settle()
        yield window
        windows.close(window)


def queries(window: MainWindow) -> WordQueryList:
    return window.panel(WordQueriesPanel).list


def details(window: MainWindow) -> list[tuple[str, str]]:
    return [(row.title, row.detail) for row in queries(window).rows.shown]


def state(window: MainWindow) -> Words:
    return window.workbench.state(Words)


def test_after_a_kill_a_query_is_there_and_a_box_drawn_beside_it_has_its_judgements(
    window: MainWindow,
) -> None:
    words = state(window)
    assert details(window) == [("Company", "not searched yet · 1 ✓ 1 ✗")]
    page, left, top, right, bottom = words.query_list.listed[0].place
    box = (left + OFF, top + OFF, right + OFF, bottom + OFF)
    words.searching.search(WordQuery(page, box))
    assert details(window) == [("Company", "searching… · 1 ✓ 1 ✗")]
    calm(words)
    assert words.queries.title == "Company"
    assert sorted(words.judgements.judged[words.judgements.judged >= 0].tolist()) == [0, 1]
    assert len(words.query_list.listed) == 1 and "found · 1 ✓ 1 ✗" in details(window)[0][1]


def test_a_query_is_renamed_in_the_list_and_its_judgements_follow(window: MainWindow) -> None:
    words, view = state(window), queries(window)
    view.setFocus()
    view.setCurrentIndex(view.rows.index(0, 0))
    QTest.keyClick(view, Qt.Key.Key_F2)
    field = view.findChild(QLineEdit)
    assert field is not None and field.text() == "Company"
    field.selectAll()
    QTest.keyClicks(field, "company")
    QTest.keyClick(field, Qt.Key.Key_Return)
    calm(words)
    assert words.queries.title == "company" and details(window)[0][1].endswith("1 ✓ 1 ✗")
    path = words.query_list.path
    assert path is not None
    assert [query.text for query in read_queries(path).queries] == ["company"]


def written(window: MainWindow) -> list[tuple[str, str]]:
    folder = window.workbench.collection.folder
    assert folder is not None
    window.workbench.autosave.finish()
    return [
        (path.stem, word.text)
        for path in sorted(folder.glob("*.xml"))
        for word in page_xml.parse(path.read_bytes(), path, words=True).regions
    ]


def test_judged_words_become_words_of_page_in_one_step_that_is_undone_at_once(
    window: MainWindow,
) -> None:
    words = state(window)
    found = words.ranking.lists[0].ranked.item.tolist()
    items = words.queries.items
    assert items is not None
    elsewhere = next(item for item in found if items.page_name(item) == PAGES[1])
    words.judgements.judge(elsewhere, True)
    calm(words)
    window.actions_by_id.trigger("words.write")
    labelled_pages.answer(window, "Write")
    labelled_pages.over(window, 30)
    said = written(window)
    assert len(said) == 3 and {text for _, text in said} == {"company"}
    assert {page for page, _ in said} == set(PAGES)
    transcription = words.transcription
    # a page at a time: it looks at what is written while the other page still is
    assert background.wait_until(lambda: len(transcription.words or ()) == 3, 20)
    assert transcription.words is not None
    assert transcription.words.partial == set(PAGES)  # what else is written is not known
    assert background.wait_until(lambda: words.judgements.relevant >= 2, 20)
    assert (words.judgements.relevance[words.judgements.judged < 0] != 0).all()
    window.actions_by_id.trigger("edit.undo")
    labelled_pages.over(window, 30)
    assert written(window) == []
    folder = window.workbench.collection.folder
    assert folder is not None and not list(folder.glob("*.xml"))  # nor is a file left
    window.actions_by_id.trigger("edit.redo")
    labelled_pages.over(window, 30)
    assert sorted(written(window)) == sorted(said)


def test_what_the_truth_has_is_neither_doubled_nor_changed(window: MainWindow) -> None:
    words = state(window)
    before = sorted(written(window))
    heard: list[str] = []
    end = window.workbench.said.connect(lambda text, _: heard.append(text))
    window.actions_by_id.trigger("words.write")
    assert background.wait_until(lambda: any("nothing to write" in text for text in heard), 10)
    words.rename(words.query_list.listed[0], "campaign")
    calm(words)
    window.actions_by_id.trigger("words.write")
    assert background.wait_until(lambda: any("No word was written" in text for text in heard), 10)
    assert "the truth says “company”, you “campaign”" in heard[-1]
    end()
    assert sorted(written(window)) == before


def test_one_unwritten_word_among_several_fails_alone(window: MainWindow) -> None:
    words, panel = state(window), window.panel(WordQueriesPanel)
    heard: list[str] = []
    end = window.workbench.said.connect(lambda text, _: heard.append(text))
    assert background.wait_until(lambda: words.transcription.words is not None, 20)
    field = panel.field
    field.setFocus()
    field.clear()
    QTest.keyClicks(field, "nowhere, comp")
    completer = field.completer()
    assert completer is not None and completer.currentCompletion() == "nowhere, company"
    field.setText("nowhere, company")
    QTest.keyClick(field, Qt.Key.Key_Return)
    calm(words)
    end()
    assert any("'nowhere' is written nowhere" in text for text in heard)
    assert words.queries.title == "company"


def test_the_page_has_all_the_room_until_there_are_lists(window: MainWindow) -> None:
    words, view = state(window), queries(window)
    columns = window.above["words"]
    assert columns.isVisible()
    view.setFocus()
    while view.rows.shown:
        view.setCurrentIndex(view.rows.index(0, 0))
        QTest.keyClick(view, Qt.Key.Key_Delete)
        calm(words)
    assert not columns.isVisible() and window.canvas.isVisible()
    assert read_queries(words.query_list.path or "").queries == ()


def test_a_box_stays_on_the_page_while_it_is_searched(window: MainWindow) -> None:
    words = state(window)
    known = read_words([window.workbench.collection.folder or ""])
    page = known.page_name(0)
    query = WordQuery(page, tuple(known.boxes[0].tolist()))  # type: ignore[arg-type]
    names = [entry.name for entry in window.workbench.entries]
    window.workbench.open_page(names.index(page))
    windows.settle()
    bare = window.canvas.grab().toImage()
    words.searching.search(query)
    assert words.searching.pending == (query,)
    QApplication.processEvents()
    assert window.canvas.grab().toImage() != bare
    calm(words)
    assert words.searching.pending == ()
