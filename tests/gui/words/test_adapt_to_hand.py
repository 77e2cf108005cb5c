"""Somebody adapts the network to a hand: with progress, cancelled, killed, and taken back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.word_queries import AdaptDialog
from spotlab.gui.words.panels.word_settings import WordSettingsPanel
from spotlab.gui.words.state.hand_adapting import HandAdapting
from spotlab.gui.words.state.words import Words
from spotlab.learning.words.network import with_properties
from spotlab.resources import LETTERS, sample_collection
from spotlab.spotting.words.feature_space import NAME, metadata_of_adaptation, write_adapted
from spotlab.studies.words import adapting as adapting_process
from tests.gui import windows
from tests.gui.words import hand_stub

pytestmark = pytest.mark.in_sequence

ROOT = Path(__file__).parents[3]
PAGE = sample_collection(LETTERS) / "letter_001.jpg"

pytestmark = pytest.mark.skipif(
    not hand_stub.NETWORK.is_file(), reason="the network of words is not installed"
)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("hand")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPOTLAB_MODELS", str(hand_stub.NETWORK.parent))
        pages = hand_stub.copied_page(folder / "letters", PAGE)
        window = windows.open_window(folder, pages, size=(1280, 860))
        window.workbench.state(Words).searching.cache = folder / "cache"
        window.enter("words")
        windows.settle()
        yield window
        windows.close(window)


@pytest.fixture
def adapting(window: MainWindow) -> Iterator[HandAdapting]:
    adapting = window.workbench.state(Words).adapting
    yield adapting
    adapting.cancel()
    file = adapting.file
    assert file is not None
    file.unlink(missing_ok=True)


def adapt(window: MainWindow, patch: pytest.MonkeyPatch, how: Callable[..., object]) -> None:
    """What the menu and the dialog's button do."""
    patch.setattr(adapting_process, "adapt_words", how)
    window.actions_by_id.trigger("words.adapt")
    windows.settle()
    (dialog,) = (each for each in window.findChildren(AdaptDialog) if each.isVisible())
    button = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_adapting_is_told_used_and_taken_back(
    window: MainWindow, adapting: HandAdapting, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    adapt(window, monkeypatch, hand_stub.adapt_at_once)
    assert background.wait_until(lambda: adapting.adaptation is not None, 60)
    assert adapting.adaptation == hand_stub.TOLD
    assert "typed .800 → .900" in said[-1]
    panel = window.panel(WordSettingsPanel)
    assert panel.adapted.text() == "Adapted on 2026-11-23: typed better by .100"
    assert not panel.adapted.isHidden()
    window.actions_by_id.trigger("words.undo_adapting")
    windows.settle()
    assert not adapting.is_adapted
    assert adapting.adaptation is None
    assert panel.adapted.isHidden()


def test_a_cancelled_adapting_leaves_nothing(
    window: MainWindow, adapting: HandAdapting, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapt(window, monkeypatch, hand_stub.adapt_for_ever)
    file = adapting.file
    assert file is not None
    begun = file.parent / "learning"
    assert background.wait_until(begun.exists, 60)
    assert background.wait_until(window.status.cancel.isVisible, 10)
    QTest.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    assert background.wait_until(lambda: not adapting.busy, 10)
    begun.unlink()
    assert not adapting.is_adapted
    assert sorted(each.name for each in file.parent.iterdir()) == [PAGE.name]


def test_pages_that_were_adapted_before_are_known(
    window: MainWindow, adapting: HandAdapting
) -> None:
    words, file = window.workbench.state(Words), adapting.file
    assert file is not None
    content = with_properties(
        hand_stub.NETWORK.read_bytes(), metadata_of_adaptation(hand_stub.TOLD)
    )
    write_adapted(file, content)
    again = HandAdapting(
        window.workbench, words.searching, words.query_list, words.judgements.keeper
    )
    windows.settle()
    assert again.adaptation == hand_stub.TOLD


def test_a_failure_is_said(
    window: MainWindow, adapting: HandAdapting, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, bool]] = []
    window.workbench.said.connect(lambda text, serious: said.append((text, serious)))
    adapt(window, monkeypatch, hand_stub.fail)
    assert background.wait_until(lambda: not adapting.busy, 60)
    assert ("only 3 words can be read surely", True) in said
    assert not adapting.is_adapted


@pytest.mark.slow
def test_a_killed_program_leaves_the_pages_and_no_process(tmp_path: Path) -> None:
    program = """
        import sys
        from pathlib import Path
        from spotlab.progress import silent
        from spotlab.spotting.page_entries import page_entries
        from spotlab.studies.words import adapting
        from tests.gui.words import hand_stub

        if __name__ == "__main__":
            adapting.adapt_words = hand_stub.adapt_for_ever
            arguments = {"entries": page_entries([Path(sys.argv[1])])}
            adapting.adapt_in_process(arguments, silent)
    """
    folder = hand_stub.copied_page(tmp_path / "letters", PAGE)
    script = tmp_path / "adapt.py"
    script.write_text(textwrap.dedent(program))
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not (folder / "learning").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert (folder / "learning").exists()
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    while _members(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _members(process.pid)
    (folder / "learning").unlink()
    assert [each.name for each in folder.iterdir()] == [PAGE.name]
    assert not (folder / NAME).exists()


def _members(session: int) -> list[int]:
    """Processes of a session that have not ended."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(place.parent.name))
    return found
