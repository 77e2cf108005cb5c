"""Someone types words on pages that nobody has transcribed, with the network of the program."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from spotlab.formats.lists.kept_lines import read_queries
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns.head import ColumnHeads
from spotlab.gui.words.panels.word_queries import WordQueriesPanel
from spotlab.gui.words.state import word_search
from spotlab.gui.words.state.words import Words, save_lists
from spotlab.resources import LETTERS, sample_collection
from spotlab.studies.words.word_truth import match_texts, read_words
from tests.gui import gestures, windows
from tests.gui.words.searching import calm

pytestmark = pytest.mark.in_sequence

ROOT = Path(__file__).parents[3]
MODELS = ROOT / "resources/models"
TYPED, TIMES = "Provisions", 2
HEIGHT = 500  # px of the page that are searched

pytestmark = pytest.mark.skipif(
    not (MODELS / "words.onnx").is_file(), reason="the network of words is not installed"
)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a window in which a word was typed and one was judged, before a kill."""
    folder = tmp_path_factory.mktemp("killed")
    program = """
        import os, signal, sys
        from pathlib import Path
        from PySide6.QtWidgets import QApplication
        import pytest
        from tests.gui.words import test_typed_words as typed

        app = QApplication([])
        folder = Path(sys.argv[1])
        typed.write_page(folder)
        window = typed.open_page(folder, pytest.MonkeyPatch())
        words = typed.type_text(window, typed.TYPED)
        words.judgements.judge(words.ranking.lists[0].ranked.item.tolist()[0], True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(folder)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "SPOTLAB_MODELS": str(MODELS)},
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()[-2000:]
    return folder


def write_page(folder: Path) -> None:
    """The top of a sample letter, and its truth where the window does not see it."""
    letter = sample_collection(LETTERS) / "letter_001.jpg"
    for name in ("letters", "truth"):
        (folder / name).mkdir()
    with Image.open(letter) as page:
        page.crop((0, 0, page.width, HEIGHT)).save(folder / "letters" / letter.name, quality=95)
    shutil.copy(letter.with_suffix(".xml"), folder / "truth")


def open_page(folder: Path, patch: pytest.MonkeyPatch) -> MainWindow:
    patch.setattr(word_search, "ALL_PROCESSORS", 1)
    window = windows.open_window(folder, folder / "letters", size=(1280, 860))
    window.workbench.state(Words).searching.cache = folder / "cache"
    window.enter("words")
    windows.settle()
    return window


@pytest.fixture(scope="module")
def window(killed: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """The next start, on the same page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPOTLAB_MODELS", str(MODELS))
        window = open_page(killed, patch)
        yield window
        windows.close(window)


def type_text(window: MainWindow, text: str) -> Words:
    """Type a text in the box of the panel."""
    field = window.panel(WordQueriesPanel).field
    field.setFocus()
    field.clear()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    words = window.workbench.state(Words)
    calm(words)
    return words


def first_texts(words: Words, truth: Path, count: int) -> list[str | None]:
    """What is written on the first words of the first list, which only the test knows."""
    items = words.queries.items
    assert items is not None
    best = words.ranking.lists[0].ranked.item[:count]
    return list(match_texts(items.take(best), read_words([truth])))


def test_after_a_kill_a_typed_query_is_listed_and_a_click_searches_it_again(
    window: MainWindow, killed: Path
) -> None:
    view = window.panel(WordQueriesPanel).list
    row = view.rows.shown[0]
    assert (row.title, row.detail) == (f"{TYPED} · typed", "not searched yet · 1 ✓")
    place = view.visualRect(view.rows.index(0, 0)).center()
    gestures.click(view.viewport(), (place.x(), place.y()))
    words = window.workbench.state(Words)
    calm(words)
    assert words.queries.title == f"{TYPED} · typed"
    best = words.ranking.lists[0].ranked.item[0]
    assert words.judgements.judged[best] == 1
    assert first_texts(words, killed / "truth", TIMES) == [TYPED] * TIMES


def test_a_text_typed_again_is_the_same_query(window: MainWindow) -> None:
    words = type_text(window, TYPED)
    assert [row.title for row in window.panel(WordQueriesPanel).list.rows.shown] == [
        f"{TYPED} · typed"
    ]
    path = words.query_list.path
    assert path is not None
    assert path.read_text().splitlines()[1:] == [f"{TYPED},,,,,,listed"]


def test_the_row_of_a_query_counts_what_its_shown_list_keeps(window: MainWindow) -> None:
    words = type_text(window, TYPED)
    view = window.panel(WordQueriesPanel).list
    for names in (["cr"], ["ws", "cr"], ["ml"]):
        words.ranking.show_fusions(names)
        calm(words)
        for threshold in (0.0, 0.55, 2.0):
            words.set_threshold(threshold)
            shown = {each.name: each.kept(threshold) for each in words.ranking.lists}
            (row,) = (each for each in view.rows.shown if each.title == f"{TYPED} · typed")
            assert row.detail.startswith(f"{shown['ws' if 'ws' in names else names[0]]:,} found")
    words.set_threshold(words.queries.tau)
    words.ranking.show_usual()
    calm(words)


def test_a_typed_query_is_named_and_searched_as_before(window: MainWindow) -> None:
    words = type_text(window, TYPED)
    view = window.panel(WordQueriesPanel).list
    for name, shown in (("Provisións", "Provisións"), ("", TYPED)):
        view.setFocus()
        view.setCurrentIndex(view.rows.index(0, 0))
        QTest.keyClick(view, Qt.Key.Key_F2)
        field = view.findChild(QLineEdit)
        assert field is not None
        field.selectAll()
        field.insert(name)  # QTest types ASCII only
        QTest.keyClick(field, Qt.Key.Key_Return)
        calm(words)
        assert words.queries.title == f"{shown} · typed"
        row = view.rows.shown[0]
        assert row.title == f"{shown} · typed" and row.detail.endswith("1 ✓")
        type_text(window, TYPED)  # the same query
        assert [each.title for each in view.rows.shown] == [f"{shown} · typed"]
        assert words.judgements.judged[words.ranking.lists[0].ranked.item[0]] == 1
        kept = read_queries(words.query_list.path or "").queries
        assert [(each.text, each.searched) for each in kept] == [(shown, TYPED)]


def test_heads_and_saved_lists_say_what_words_were_compared_by(
    window: MainWindow, tmp_path: Path
) -> None:
    words = type_text(window, TYPED)
    (heads,) = window.findChildren(ColumnHeads)
    assert "compared by <b>strokes and learned</b>" in heads.tip(0)
    save_lists(words, tmp_path / "lists.csv")
    with (tmp_path / "lists.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["descriptor"] for row in rows} == {"both"}
    assert {row["query"] for row in rows} == {TYPED}  # names as commands have them, not titles
    assert {row["list"] for row in rows} >= {"ws", "qe", "cr"}
    best = [row for row in rows if row["list"] == rows[0]["list"]][:TIMES]
    assert [row["reading"].lower() for row in best] == [TYPED.lower()] * TIMES
    assert all(0.5 < float(row["probability"]) <= 1 for row in best)


def test_a_word_that_is_nowhere_is_said_to_be(window: MainWindow) -> None:
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    type_text(window, TYPED)
    assert not said
    words = type_text(window, "zzxqkwvzzx")
    assert words.ranking.lists and len(said) == 1
    assert "Nothing scores τ = .700" in said[0] and "zzxqkwvzzx" in said[0]
    words.close_source(words.queries.index)


def test_a_removed_typed_query_does_not_come_back(window: MainWindow) -> None:
    words = type_text(window, "Winchester")
    view = window.panel(WordQueriesPanel).list
    assert [row.title for row in view.rows.shown] == [f"{TYPED} · typed", "Winchester · typed"]
    view.setFocus()
    view.setCurrentIndex(view.rows.index(1, 0))
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert background.wait_until(lambda: len(view.rows.shown) == 1, 5)
    assert [query.text for query in read_queries(words.query_list.path or "").queries] == [TYPED]


def test_letters_that_no_network_reads_are_refused_over_the_page(window: MainWindow) -> None:
    field = window.panel(WordQueriesPanel).field
    field.setFocus()
    field.clear()
    QApplication.clipboard().setText("λόγος")
    QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(field, Qt.Key.Key_Return)
    calm(window.workbench.state(Words))
    assert window.banner.isVisible()
    said = window.banner.text.text()
    assert "λογσ" in said and "Greek" in said and "box" in said
    window.banner.close_button.click()


def test_the_language_of_the_pages_is_found_and_can_be_chosen(window: MainWindow) -> None:
    words = type_text(window, TYPED)
    box = window.panel(WordQueriesPanel).language
    assert box.currentText() == "Automatic (English)"
    box.setFocus()
    QTest.keyClicks(box, "lat")
    calm(words)
    reader = words.searching.known.reader if words.searching.known else None
    assert reader is not None and reader.lexicon.language == "latin"
    assert box.currentText() == "Latin"
    QTest.keyClicks(box, "auto")
    calm(words)
    assert box.currentText() == "Automatic (English)"
