"""Somebody works on several collections in turn, and finds what was open with each of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import OPEN_WITH, Settings
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.window.session import KEPT, MARK, CollectionViews
from spotlab.gui.words.state.words import Words
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs

VOTES = "item,one,two,three\n1,1,1,0\n2,0,1,0\n3,1,0,1\n4,0,0,1\n"
LIST = "query,page,x,y,width,height,score\nthe,page_1.png,40,40,60,50,{score}\n"


@pytest.fixture
def folder(tmp_path: Path, qapp: QApplication) -> Path:
    """Two collections, votes and lists for each, and runs for the first one."""
    for name, score in (("first", 0.9), ("second", 0.8)):
        write_collection(tmp_path / name)
        (tmp_path / f"{name}.csv").write_text(VOTES)
        (tmp_path / f"list of {name}.csv").write_text(LIST.format(score=score))
    write_runs(tmp_path / "found")
    return tmp_path


def start(folder: Path, *pages: str) -> MainWindow:
    """Start as the command does, on these pages or where the last start ended."""
    window = windows.open_window(folder)
    paths = [folder / name for name in pages]
    if not paths:
        window.session.reopen()
    elif not window.session.go_on(paths):
        window.open_paths(paths)
    settle()
    return window


def settle() -> None:
    for _ in range(3):
        windows.settle()


def leave(window: MainWindow) -> None:
    """Close it as the user does."""
    window.close()
    windows.close(window)


def open_votes(window: MainWindow, path: Path) -> Systems:
    systems = window.workbench.state(Systems)
    systems.open([path])
    settle()
    return systems


def open_all(window: MainWindow, folder: Path) -> None:
    """Runs, votes whose weights are changed, and a list, with the first collection."""
    window.workbench.state(Inspection).runs.open([folder / "found" / "partly.csv"])
    open_votes(window, folder / "first.csv").set_weight("two", 0.25)
    window.workbench.state(Words).imported.open([folder / "list of first.csv"])
    settle()


def is_all_open(window: MainWindow, folder: Path) -> bool:
    systems = window.workbench.state(Systems)
    words, runs = window.workbench.state(Words), window.workbench.state(Inspection).runs
    return (
        [run.name for run in runs] == ["partly"]
        and systems.paths == (folder / "first.csv",)
        and systems.weights["two"] == 0.25
        and [source.imported.lists[0].score[0] for source in words.imported.sources] == [0.9]
    )


@pytest.mark.slow
def test_what_was_open_with_a_collection_comes_back_in_the_same_start(folder: Path) -> None:
    window = start(folder, "first")
    open_all(window, folder)
    assert is_all_open(window, folder)
    window.open_paths([folder / "second"])
    settle()
    assert not window.workbench.state(Inspection).runs
    open_votes(window, folder / "second.csv")
    words = window.workbench.state(Words)
    words.close_source(0)
    words.imported.open([folder / "list of second.csv"])
    settle()
    window.open_paths([folder / "first"])
    settle()
    assert is_all_open(window, folder)
    window.open_paths([folder / "second"])
    settle()
    assert window.workbench.state(Systems).paths == (folder / "second.csv",)
    assert words.imported.files == ((folder / "list of second.csv",),)
    leave(window)


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
def test_it_comes_back_in_a_later_start(
    folder: Path, killed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = start(folder, "first")
    open_all(window, folder)
    if killed:  # nothing is kept at the end, only what was written meanwhile
        assert background.wait_until(lambda: b"first.csv" in window.session.path.read_bytes())
        monkeypatch.setattr(window.session, "keep", lambda: None)
    leave(window)
    window = start(folder, "second")
    assert window.workbench.state(Systems).table is None
    leave(window)
    window = start(folder, "first")
    assert is_all_open(window, folder)
    leave(window)
    window = start(folder)
    assert is_all_open(window, folder)
    leave(window)


def test_votes_without_pages_stay_whatever_pages_are_opened(folder: Path) -> None:
    window = start(folder)
    open_votes(window, folder / "first.csv")
    leave(window)
    window = start(folder, "second")
    assert window.workbench.state(Systems).paths == (folder / "first.csv",)
    leave(window)
    window = start(folder)
    assert window.session.opened == (folder / "second",)
    assert window.workbench.state(Systems).paths == (folder / "first.csv",)
    leave(window)


def test_votes_that_are_open_stay_with_pages_that_had_none(folder: Path) -> None:
    window = start(folder, "first")
    open_votes(window, folder / "first.csv")
    window.open_paths([folder / "second"])
    settle()
    assert window.workbench.state(Systems).paths == (folder / "first.csv",)
    leave(window)


def test_votes_that_are_gone_are_named_and_the_pages_open(folder: Path) -> None:
    window = start(folder, "first")
    open_votes(window, folder / "first.csv")
    window.open_paths([folder / "second"])
    settle()
    window.workbench.state(Systems).close()
    (folder / "first.csv").unlink()
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    assert window.open_paths([folder / "first"])
    settle()
    assert any("first.csv" in text for text in said)
    assert window.session.opened == (folder / "first",)
    leave(window)


def test_what_ended_a_start_is_not_opened_again_unasked(folder: Path) -> None:
    window = start(folder, "first")
    open_votes(window, folder / "first.csv")
    window.open_paths([folder / "second"])
    window.workbench.state(Systems).close()
    mark = window.session.path.with_name(MARK)
    leave(window)
    mark.touch()  # as a start leaves it that is killed while it opens them
    window = windows.open_window(folder)
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    assert window.open_paths([folder / "first"])
    settle()
    assert any("stays closed" in text for text in said)
    assert window.workbench.state(Systems).table is None
    leave(window)


def test_wrong_values_are_left_out_and_said(folder: Path) -> None:
    key = str(folder / "first")
    settings = {"open_with": {key: {"systems": {"votes": {"paths": 3}}}}}
    leave(start(folder))
    path = folder / "settings.json"
    Settings(path).set(OPEN_WITH, settings["open_with"])
    assert background.wait_until(lambda: b"open_with" in path.read_bytes())
    window = windows.open_window(folder)
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    assert window.open_paths([folder / "first"])
    settle()
    assert any("workspaces.systems.votes.paths" in text for text in said)
    leave(window)


def test_the_oldest_of_many_collections_is_forgotten(tmp_path: Path, qapp: QApplication) -> None:
    views = CollectionViews(Settings(tmp_path / "settings.json"))
    for number in range(KEPT + 5):
        views.keep((f"/pages/{number}",), {"systems": {"votes": {"paths": [str(number)]}}})
    views.keep(("/pages/20",), {"systems": {"votes": {"paths": ["new"]}}})
    views.keep((f"/pages/{KEPT + 5}",), {"systems": {"votes": {}}})
    assert not views.of(("/pages/5",)) and views.of(("/pages/6",))
    assert views.of(("/pages/20",)) == {"systems": {"votes": {"paths": ["new"]}}}
    views.keep(("/pages/20",), {"systems": {}})
    assert not views.of(("/pages/20",))
