"""The sample contest: what its command writes, and where somebody finds it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.cli import root
from spotlab.formats.votes import read_votes
from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import VOTES, own_sample, sample_collection
from tests.gui import windows

SAMPLE = ("--engines", "three", "--tokens", "400", "--seed", "4")


def write(out: Path, *arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        root.main(["synthesise", "votes", *arguments, "--out", str(out)])
    return int(ended.value.code or 0)


def test_the_sample_comes_from_its_seed(tmp_path: Path) -> None:
    assert write(tmp_path / "again.csv", *SAMPLE) == 0
    shipped = sample_collection(VOTES) / "contest.csv"
    assert (tmp_path / "again.csv").read_bytes() == shipped.read_bytes()


def test_votes_read_back_with_truth_engines_and_pages(tmp_path: Path) -> None:
    assert write(tmp_path / "a.csv", "--tokens", "150") == 0
    assert write(tmp_path / "b.csv", "--tokens", "150", "--seed", "1") == 0
    assert (tmp_path / "a.csv").read_bytes() != (tmp_path / "b.csv").read_bytes()
    table = read_votes(tmp_path / "a.csv")
    assert not table.bad_lines
    assert len(table.systems) == 24 and table.factors["engine"].count("biased") == 12
    assert table.truth is not None and set(np.unique(table.truth)) == {0.0, 1.0}
    tokens = [item.partition(".")[0] for item in table.items]
    assert [int(token) for token in tokens] == sorted(int(token) for token in tokens)
    right = [token for token, true in zip(tokens, table.truth, strict=True) if true]
    assert len(right) == len(set(right)) <= 150  # a token has one right reading
    assert set(table.pages) == {"page 1", "page 2"}
    assert all((votes := table.votes.dense()).sum(axis=1) >= 1), votes  # somebody read it


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path)
    yield window
    windows.close(window)


def test_a_click_opens_ones_own_copy(window: MainWindow) -> None:
    window.enter("systems")
    windows.settle()
    centre = window.above["systems"]
    assert isinstance(centre, SystemsCentre)
    button = centre.starts[0].sample_button
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    windows.settle()
    systems = window.workbench.state(Systems)
    assert len(systems.names) == 24 and systems.oracle == "truth"
    assert list(systems.paths) == [own_sample(VOTES) / "contest.csv"]
