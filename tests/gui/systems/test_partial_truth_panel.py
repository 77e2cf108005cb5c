"""Somebody says of a few items whether they are relevant, and is killed while doing so."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.consensus.answers import estimate_with_answers
from spotlab.formats.votes.answers import read_answers
from spotlab.gui.kit import background
from spotlab.gui.systems.partial_truth.asked_item import INTERVAL
from spotlab.gui.systems.partial_truth.partial_truth import BEFORE, PartialTruthPanel
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.state import Systems
from tests.formats.test_token_places import page_of
from tests.gui import windows
from tests.gui.systems.voted import SYSTEMS, settled, showing, table, use

Y, N, U, SPACE = Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_U, Qt.Key.Key_Space


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[PartialTruthPanel]:
    with showing(tmp_path, PartialTruthPanel) as panel:
        yield panel


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """The table as a file, without its truth."""
    path = tmp_path / "votes.csv"
    rows = table(60).votes.dense().astype(int)
    lines = [f"item {number}," + ",".join(map(str, row)) for number, row in enumerate(rows)]
    path.write_text("\n".join([",".join(("item", *SYSTEMS)), *lines]) + "\n")
    return path


@pytest.fixture
def opened(panel: PartialTruthPanel, votes: Path) -> PartialTruthPanel:
    panel.systems.open([votes])
    settled()
    return panel


def asked(truth: PartialTruth) -> int:
    assert background.wait_until(lambda: truth.current is not None)
    assert truth.current is not None
    return truth.current.item


def press(panel: PartialTruthPanel, key: Qt.Key) -> int:
    """Press a key; the item that it was about."""
    item = asked(panel.truth)
    QTest.keyClick(panel, key)
    return item


def test_without_votes_it_says_what_to_do(panel: PartialTruthPanel) -> None:
    assert panel.nothing.isVisible() and "Open votes" in panel.nothing.text()
    QTest.keyClick(panel, Y)
    assert not panel.truth.said


def test_one_item_is_asked_for_with_who_votes_for_it(opened: PartialTruthPanel) -> None:
    item = asked(opened.truth)
    assert opened.card.title.text() == f"item {item}"
    row = table(60).votes.dense()[item]
    yes = [name for name, vote in zip(SYSTEMS, row, strict=True) if vote]
    text = opened.card.votes.text()
    assert not yes or f"<b>Yes</b> {len(yes)}: {', '.join(yes)}" in text
    assert opened.caption.text() == BEFORE and not opened.figures.isVisible()


def test_keys_answer_and_the_next_item_follows(opened: PartialTruthPanel) -> None:
    items = [press(opened, key) for key in (Y, N, U)]
    assert len({*items, asked(opened.truth)}) == 4
    said = [opened.truth.said[item].relevant for item in items]
    assert said == [True, False, None]
    assert "2 answered" in opened.count.text() and "1 unknown" in opened.count.text()
    assert opened.systems.item == asked(opened.truth)


def test_buttons_answer_too_and_leave_the_keys_here(opened: PartialTruthPanel) -> None:
    item = asked(opened.truth)
    QTest.mouseClick(opened.buttons[N], Qt.MouseButton.LeftButton)
    assert opened.truth.said[item].relevant is False
    assert opened.hasFocus() or not opened.isActiveWindow()


def test_later_asks_for_it_again(opened: PartialTruthPanel) -> None:
    settled()
    item = press(opened, SPACE)
    assert asked(opened.truth) != item and item not in opened.truth.said
    assert item in {each.item for each in opened.truth.offered}


def test_undo_takes_an_answer_back_and_asks_again(opened: PartialTruthPanel) -> None:
    item = press(opened, Y)
    press(opened, N)
    QTest.keyClick(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QTest.mouseClick(opened.undo, Qt.MouseButton.LeftButton)
    assert asked(opened.truth) == item and not opened.truth.said
    assert not opened.undo.isEnabled()
    assert opened.truth.keeping.path is not None
    assert not read_answers(opened.truth.keeping.path).items


def test_there_are_no_figures_until_answers_are_enough(opened: PartialTruthPanel) -> None:
    for count in range(1, 20):
        press(opened, Y if count % 3 else N)
        assert opened.truth.missing == 20 - count
    settled()
    assert opened.truth.estimates is None and not opened.figures.isVisible()
    assert opened.progress.value() == 19 and opened.progress.maximum() == 20
    assert opened.systems.method != "answers"
    press(opened, Y)
    settled()
    assert opened.figures.isVisible() and not opened.progress.isVisible()
    assert opened.systems.method == "answers"  # they are recommended from now on
    found, truth = opened.systems.answered, opened.truth.estimates
    assert found is not None and truth is not None
    assert found.figures.f == pytest.approx(truth.f)
    opened.truth.undo()
    settled()
    assert opened.systems.answered is None and opened.systems.chosen_method is None


def test_what_nobody_can_tell_is_remembered(opened: PartialTruthPanel, votes: Path) -> None:
    unknown, told = press(opened, U), press(opened, Y)
    settled()
    opened.systems.close()
    opened.systems.open([votes])
    settled()
    assert opened.truth.said[unknown].relevant is None and opened.truth.said[told].relevant
    assert "1 unknown" in opened.count.text()
    read = read_answers(votes.with_name("votes.answers.csv"))
    assert list(read.unknown) == [f"item {unknown}"] and read.items == (f"item {told}",)
    inclusion = opened.truth.said[unknown].asked.inclusion
    assert read.unknown[f"item {unknown}"] == (pytest.approx(inclusion), 0) and inclusion > 0


def test_each_answer_is_on_the_disk_at_once(opened: PartialTruthPanel, votes: Path) -> None:
    path = votes.with_name("votes.answers.csv")
    assert not path.exists()  # nothing was said
    first, second = press(opened, Y), press(opened, N)
    read = read_answers(path)
    assert read.items == (f"item {first}", f"item {second}")
    assert read.relevant.tolist() == [1, 0] and read.round.tolist() == [0, 1]
    assert ((read.inclusion > 0) & (read.inclusion < 1)).all()


def test_answers_are_there_again(opened: PartialTruthPanel, votes: Path) -> None:
    items = [press(opened, key) for key in (Y, N, Y)]
    settled()
    inclusion = opened.truth.answers.inclusion
    opened.systems.close()
    opened.systems.open([votes])
    settled()
    assert [*opened.truth.said] == items
    assert np.array_equal(opened.truth.answers.inclusion, inclusion)
    assert asked(opened.truth) not in items
    press(opened, Y)
    assert opened.truth.answers.round.tolist() == [0, 1, 2, 3]


def test_figures_sharpen_as_answers_come(panel: PartialTruthPanel) -> None:
    known = table()
    assert known.truth is not None
    use(panel.workbench, known)
    widths = []
    for count in (20, 60):
        while panel.truth.answered < count:
            press(panel, Y if known.truth[asked(panel.truth)] else N)
        settled()
        found = panel.truth.estimates
        assert found is not None
        widths.append(float(np.ptp(found.f_interval, axis=1).mean()))
    assert widths[1] < widths[0]
    assert panel.truth.tau is not None and "τ to the truth" in panel.tau.text()
    expected = estimate_with_answers(known.votes, panel.truth.answers)
    cell, name = panel.figures.item(0, 3), panel.figures.item(0, 0)
    assert cell is not None and name is not None
    best = int(np.nanargmax(expected.f))
    assert name.text() == SYSTEMS[best]
    assert cell.data(INTERVAL)[0] == pytest.approx(float(expected.f[best]))
    assert "not kept" in panel.kept.text()


def test_an_item_chosen_elsewhere_is_asked_for_and_counts_for_itself(
    opened: PartialTruthPanel,
) -> None:
    asked(opened.truth)
    settled()
    other = next(item for item in range(60) if item not in {e.item for e in opened.truth.offered})
    opened.systems.choose_item(other)
    assert opened.card.title.text() == f"item {other}"
    QTest.keyClick(opened, Y)
    assert math.isnan(opened.truth.said[other].asked.inclusion)


def test_answers_are_imported(opened: PartialTruthPanel, tmp_path: Path) -> None:
    first = press(opened, Y)
    other = (first + 1) % 60
    path = tmp_path / "known.csv"
    path.write_text(f"item,relevant\nitem {first},0\nitem {other},0\nitem 99,1\n")
    opened.truth.import_answers(path)
    settled()
    assert opened.truth.said[first].relevant is True  # what was said stays
    assert opened.truth.said[other].relevant is False
    assert asked(opened.truth) != other
    assert opened.truth.keeping.path is not None
    assert f"item {other}" in read_answers(opened.truth.keeping.path).items


def test_when_all_is_said_nothing_is_asked(panel: PartialTruthPanel) -> None:
    small = table(4)
    use(panel.workbench, replace(small, truth=None))
    for _ in range(4):
        press(panel, Y)
    settled()
    assert panel.truth.current is None and panel.finished.isVisible()
    QTest.keyClick(panel, Y)
    assert len(panel.truth.said) == 4


def test_what_stands_beside_the_votes_is_not_written_over(
    panel: PartialTruthPanel, votes: Path
) -> None:
    path = votes.with_name("votes.answers.csv")
    path.write_text("something,else\n1,2\n")
    lines: list[str] = []
    panel.workbench.said.connect(lambda line, _: lines.append(line))
    panel.systems.open([votes])
    settled()
    press(panel, Y)
    assert path.read_text() == "something,else\n1,2\n"
    assert any("votes.answers.csv" in line for line in lines)
    assert "not kept" in panel.kept.text()


def test_an_item_of_an_open_page_is_seen(panel: PartialTruthPanel, tmp_path: Path) -> None:
    panel.workbench.open_paths([windows.write_pages(tmp_path / "pages", 1)])
    settled()
    boxes = np.tile([40.0, 40.0, 100.0, 90.0], (8, 1))
    seen = replace(table(8), boxes=boxes, pages=("page_1",) * 4 + ("elsewhere",) * 4)
    use(panel.workbench, seen)
    for item, there in ((1, True), (6, False), (2, True)):
        panel.truth.pick(item)
        settled()
        assert panel.card.picture.isVisible() is there
    size = panel.card.picture.pixmap().size()
    assert size.width() / size.height() == pytest.approx(66 / 56, abs=0.03)  # with a margin
    assert panel.card.place.text() == "on page_1"


def test_in_the_window_its_keys_are_its_own(votes: Path, qapp: QApplication) -> None:
    window = windows.open_window(votes.parent)
    windows.press(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    window.workbench.state(Systems).open([votes])
    windows.settle()
    window.docks.by_name["partial_truth"].raise_()
    windows.settle()
    panel = window.panels["partial_truth"]
    assert isinstance(panel, PartialTruthPanel) and panel.isVisible()
    QTest.mouseClick(panel.card, Qt.MouseButton.LeftButton)
    assert panel.hasFocus()
    said = []
    for key in (Y, N, SPACE, U):
        asked(panel.truth)
        windows.settle()
        QTest.keyClick(window.windowHandle(), key)  # as the desktop sends it
        said.append(len(panel.truth.said))
    assert said == [1, 2, 2, 3]
    assert [each.relevant for each in panel.truth.said.values()] == [True, False, None]
    windows.close(window)


KILLED = """
import sys
from pathlib import Path
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
app = QApplication([])
from spotlab.gui.kit import background
from spotlab.gui.systems.partial_truth.partial_truth import PartialTruthPanel
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
votes = Path(sys.argv[1])
panel = PartialTruthPanel(Workbench(Settings(votes.with_name("settings.json"))))
panel.show()
panel.systems.open([votes])
background.wait_for_all(30)
while True:
    background.wait_until(lambda: panel.truth.current is not None)
    item = panel.truth.current.item
    QTest.keyClick(panel, Qt.Key.Key_Y)
    print(item, flush=True)
"""


@pytest.mark.slow
def test_a_kill_loses_no_answer(votes: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    said = []
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(votes)], stdout=subprocess.PIPE, env=environment,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip().isdigit():
                said.append(f"item {line.strip()}")
            if len(said) == 7:
                process.send_signal(signal.SIGKILL)
                break
    read = read_answers(votes.with_name("votes.answers.csv"))
    assert read.items[:7] == tuple(said) and not read.bad_lines


def test_a_word_is_seen_where_a_system_read_it(panel: PartialTruthPanel, tmp_path: Path) -> None:
    folder = windows.write_pages(tmp_path / "img", 1)
    (folder / "page_1.png").rename(folder / "p.png")
    for name, words in {"a": ("one", "two"), "b": ("two", "one")}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.xml").write_text(page_of(*words))
    panel.systems.open([tmp_path / "a", tmp_path / "b"])  # no page is open in the window
    settled()
    table = panel.systems.table
    assert table is not None
    item = table.texts.index("two")
    panel.truth.pick(item)
    settled()
    assert panel.card.picture.isVisible() and panel.card.title.text() == "two"
    assert panel.systems.place == (item, (60, 20, 100, 40))
