"""The page list on ten thousand pages: listed, filtered, scrolled."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.formats.collection.folder import PageEntry, scan
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.panel.page_model import PageFilter
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.pages.workbench import Workbench

PAGES = 10_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that are images by name only: nothing is opened for a list."""
    folder = tmp_path_factory.mktemp("pages")
    for number in range(PAGES):
        (folder / f"plan_{number}.png").touch()
    return folder


@pytest.fixture
def panel(qapp: QApplication, tmp_path: Path) -> PagesPanel:
    workbench = Workbench(Settings(tmp_path / "settings.json"))
    panel = PagesPanel(workbench)
    panel.resize(260, 800)
    panel.show()
    missing = [
        PageEntry(tmp_path / f"plan_{n}.png", 0, 1, tmp_path / f"plan_{n}.xml", False, missing=True)
        for n in range(PAGES)
    ]
    workbench.collection._set_entries(tuple(missing))
    QApplication.processEvents()
    return panel


def test_list_ten_thousand_pages(
    benchmark: BenchmarkFixture, qapp: QApplication, tmp_path: Path, folder: Path
) -> None:
    """From the call until the list is on the screen."""

    def show() -> PagesPanel:
        workbench = Workbench(Settings(tmp_path / "settings.json"))
        panel = PagesPanel(workbench)
        panel.resize(260, 800)
        panel.show()
        workbench.collection.use(scan([folder]))
        panel.grab()
        workbench.collection.stop()
        return panel

    panel = benchmark.pedantic(show, rounds=5)
    assert panel.model.rowCount() == PAGES


def test_filter_by_name(benchmark: BenchmarkFixture, panel: PagesPanel) -> None:
    def narrow_and_widen() -> int:
        panel.model.set_filter(PageFilter.parse("99"))
        narrow = panel.model.rowCount()
        panel.model.set_filter(PageFilter())
        return narrow

    assert benchmark(narrow_and_widen) == 280


def test_scroll_a_page_further(benchmark: BenchmarkFixture, panel: PagesPanel) -> None:
    """A frame of scrolling: the list is painted anew."""
    bar = panel.list.verticalScrollBar()
    place = 0

    def scroll() -> None:
        nonlocal place
        place = (place + 500) % bar.maximum()
        bar.setValue(place)
        panel.list.viewport().repaint()

    benchmark(scroll)
