"""Somebody has the collection looked through and goes to what was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from spotlab.gui.pages.panel.findings import FindingsPanel
from spotlab.gui.window.main_window import MainWindow
from tests.gui.windows import add, begin_anew, settle, write_pages


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return begin_anew(lasting, write_pages(tmp_path / "pages", 2))


def panel(window: MainWindow) -> FindingsPanel:
    widget = window.panels["findings"]
    assert isinstance(widget, FindingsPanel)
    return widget


def test_a_click_goes_to_the_page_and_the_region(window: MainWindow) -> None:
    window.workbench.open_page(1)
    settle()
    add(window, "sofa")
    double = add(window, "sofa")
    window.workbench.open_page(0)
    settle()
    assert window.actions_by_id.trigger("file.validate")
    settle()
    findings = panel(window)
    assert findings.isVisible()
    page = findings.tree.topLevelItem(0)
    assert page is not None and page.text(0).startswith("page_2")
    findings.tree.itemClicked.emit(page.child(0), 0)
    settle()
    assert window.workbench.index == 1
    assert [region.id for region in window.workbench.selected] == [double.id]


def test_nothing_found_is_said(window: MainWindow) -> None:
    add(window, "sofa")
    window.actions_by_id.trigger("file.validate")
    settle()
    assert panel(window).head.text() == "No mistakes found on 1 page"
    assert panel(window).tree.topLevelItemCount() == 0
