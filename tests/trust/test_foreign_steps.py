"""A folder that carries somebody else's unfinished step: refused, or asked about and confined."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from spotlab.editing.collection_step import rename_label
from spotlab.editing.unfinished import NAME, write_unfinished
from spotlab.formats.collection.label_file import read_labels, write_labels
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import LabelSet
from tests.gui import labelled_pages as hand
from tests.gui import windows

PAGES = 3
STEP: dict[str, Any] = {
    "spotlab unfinished step": 1,
    "id": "r1",
    "name": "Rename sofa to couch",
    "takes back": False,
    "folder": "/nowhere",
    "removed": [],
    "added": [],
    "pages": {},
}
RENAMED = [{"region": "r1", "label": ["sofa", "couch"]}]
EVIL = "\nimport os\n"
ARRIVAL = {
    "region": "e1",
    "comes": {
        "points": [[1, 1], [9, 1], [9, 9]], "label": "word", "id": "e1", "primitive": "polygon",
        "uncertain": False, "comment": "", "text": EVIL, "ignore": "no", "history": [],
    },
}  # fmt: skip


def snapshot(top: Path) -> dict[str, bytes]:
    """Everything below a folder, links as where they lead, but for what a window may well write."""
    left_out = {"settings.json", "session.spotlab"}
    return {
        str(path.relative_to(top)): os.readlink(path).encode()
        if path.is_symlink()
        else path.read_bytes()
        for path in sorted(top.rglob("*"))
        if (path.is_file() or path.is_symlink()) and path.name not in left_out
    }


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the stranger's collection and one that is the user's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    top = tmp_path / "home"
    for name in ("strange", "mine"):
        folder = hand.write_labelled(top / name, PAGES)
        write_labels(folder, LabelSet().with_label("sofa", "#123456"))
    return top


@pytest.fixture
def opened(tmp_path: Path, qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    made: list[MainWindow] = []

    def open_window(*paths: Path) -> MainWindow:
        made.append(windows.open_window(tmp_path, *paths))
        hand.wait(lambda: not made[-1].workbench.collection_steps.changing)
        windows.settle()
        return made[-1]

    yield open_window
    for window in made:
        windows.close(window)


def put(folder: Path, **changed: object) -> Path:
    path = folder / NAME
    path.write_text(json.dumps({**STEP, **changed}))
    return path


def page(name: str) -> dict[str, object]:
    return {"pages": {"page_0001.xml": RENAMED, name: RENAMED}}


def new_page(name: str) -> dict[str, object]:
    said = {"image": "x.png", "width": 9, "height": 9, "frame": 0, "frames": 1, "checked": False}
    return {"spotlab unfinished step": 2, "pages": {name: [ARRIVAL]}, "new": {name: said}}


REFUSED: dict[str, dict[str, object]] = {
    "above": page("../mine/page_0001.xml"),
    "far above": page("../" * 30 + "etc/page.xml"),
    "hidden above": page("./x/../../mine/page_0001.xml"),
    "absolute": page("{mine}/page_0001.xml"),
    "link to a folder": page("link/page_0001.xml"),
    "link to a file": page("link.xml"),
    "through a link": page("link/../mine/page_0001.xml"),
    "begins a file above": new_page("../mine/evil.pth"),
    "begins a file of another suffix": new_page("evil.pth"),
    "begins an absolute file": new_page("{mine}/evil.xml"),
    "begins a hidden file": new_page(".evil.xml"),
    "a folder": page(".."),
    "no name": page(""),
    "a NUL": page("page\0.xml"),
    "not listed": {"pages": {"evil.xml": RENAMED}},
    "pages are a list": {"pages": [1, 2]},
    "a page is a number": {"pages": {"page_0001.xml": 3}},
    "a change is a text": {"pages": {"page_0001.xml": ["label"]}},
    "an unknown attribute": {"pages": {"page_0001.xml": [{"region": "r1", "points": ["", "x"]}]}},
    "a label is a number": {"pages": {"page_0001.xml": [{"region": "r1", "label": [1, 2]}]}},
    "the name is a list": {"name": ["x"]},
    "infinite place": {"removed": [{"place": 1e999, "name": "a", "colour": "", "digit": ""}]},
    "newer": {"spotlab unfinished step": 99},
}


def filled(value: object, mine: Path) -> Any:
    return json.loads(json.dumps(value).replace("{mine}", str(mine)))


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_a_step_that_leaves_the_folder_or_makes_no_sense_is_refused(
    place: Path, opened: Callable[..., MainWindow], name: str
) -> None:
    strange, mine = place / "strange", place / "mine"
    (strange / "link").symlink_to(mine)
    (strange / "link.xml").symlink_to(mine / "page_0001.xml")
    put(strange, **filled(REFUSED[name], mine))
    before = snapshot(place)
    window = opened(strange)
    assert window.banner.isVisible() and NAME in window.banner.text.text()
    assert window.workbench.offers.next(None) is None
    window.workbench.open_page(1)
    windows.settle()
    assert snapshot(place) == before


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"{", b"\xff\xfe", b"null", b"3", b"[]"])
def test_a_file_that_is_no_step_is_refused(
    place: Path, opened: Callable[..., MainWindow], content: bytes
) -> None:
    (place / "strange" / NAME).write_bytes(content)
    before = snapshot(place)
    window = opened(place / "strange")
    assert window.banner.isVisible() and NAME in window.banner.text.text()
    assert snapshot(place) == before


def test_a_link_in_place_of_the_file_is_refused(
    place: Path, opened: Callable[..., MainWindow]
) -> None:
    put(place / "mine", **page("page_0002.xml"))
    (place / "strange" / NAME).symlink_to(place / "mine" / NAME)
    before = snapshot(place)
    window = opened(place / "strange")
    assert "leads out" in window.banner.text.text()
    assert snapshot(place) == before


def test_nothing_above_the_opened_folder_is_looked_at(
    place: Path, opened: Callable[..., MainWindow]
) -> None:
    put(place, pages={"strange/page_0001.xml": RENAMED})
    before = snapshot(place)
    window = opened(place / "strange")
    assert not window.banner.isVisible()
    assert snapshot(place) == before


def test_a_foreign_step_is_asked_about_and_leaving_it_changes_nothing(
    place: Path, opened: Callable[..., MainWindow]
) -> None:
    strange = place / "strange"
    put(strange, name="Rename <b>sofa</b>\x1b]0;x\x07", **page("page_0002.xml"))
    before = snapshot(place)
    window = opened(strange)
    text = window.banner.text.text()
    assert "did not finish" in text and "2 pages" in text and "\x1b" not in text
    assert snapshot(place) == before
    hand.press_on_banner(window, "Show…")
    [box] = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert "page_0002.xml: label “sofa” becomes “couch” (1 region)" in box.detailedText()
    box.reject()
    hand.press_on_banner(window, "Leave")
    windows.settle()
    assert not window.banner.isVisible()
    assert snapshot(place) == before


def test_a_foreign_step_is_carried_out_once_the_user_agrees(
    place: Path, opened: Callable[..., MainWindow]
) -> None:
    strange = place / "strange"
    entries = [{"place": 0, "name": name, "colour": "#123456", "digit": ""}
               for name in ("sofa", "couch")]  # fmt: skip
    pages = {f"page_000{number}.xml": RENAMED for number in range(1, PAGES + 1)}
    put(strange, pages={**pages, "gone.xml": RENAMED}, removed=entries[:1], added=entries[1:])
    mine = snapshot(place / "mine")
    window = opened(strange)
    hand.press_on_banner(window, "Finish")
    hand.wait(lambda: not (strange / NAME).exists())
    hand.over(window)
    windows.settle()
    assert hand.labels_on_disk(strange) == {"couch": PAGES}
    assert [label.name for label in read_labels(strange)] == ["couch"]
    assert not (strange / "gone.xml").exists()
    assert snapshot(place / "mine") == mine
    hand.take_back(window)
    windows.settle()
    assert hand.labels_on_disk(strange) == {"sofa": PAGES}


def interrupted(folder: Path) -> Path:
    """A step that this user's spotlab had begun when it was killed."""
    labels = LabelSet().with_label("sofa", "#123456")
    carrying = {path: ["r1"] for path in folder.glob("*.xml")}
    return write_unfinished(rename_label(labels, "sofa", "couch", folder, carrying))


def test_the_users_own_step_is_finished_unasked(
    place: Path, opened: Callable[..., MainWindow]
) -> None:
    interrupted(place / "mine")
    window = opened(place / "mine")
    hand.over(window)
    windows.settle()
    assert hand.labels_on_disk(place / "mine") == {"couch": PAGES}
    assert "has been finished" in window.banner.text.text()


def copied(place: Path) -> Path:
    shutil.copyfile(place / "mine" / NAME, place / "strange" / NAME)
    return place / "strange"


def edited(place: Path) -> Path:
    path = place / "mine" / NAME
    path.write_text(path.read_text().replace("couch", "kouch"))
    return place / "mine"


def moved(place: Path) -> Path:
    return (place / "mine").rename(place / "elsewhere")


def of_another_user(place: Path) -> Path:
    shutil.rmtree(place.parent / "state")
    os.environ["XDG_STATE_HOME"] = str(place.parent / "state2")
    return place / "mine"


@pytest.mark.parametrize("changed", [copied, edited, moved, of_another_user])
def test_an_own_step_that_was_copied_edited_or_moved_is_asked_about(
    place: Path, opened: Callable[..., MainWindow], changed: Callable[[Path], Path]
) -> None:
    interrupted(place / "mine")
    folder = changed(place)
    if changed is of_another_user:
        from spotlab.editing import unfinished  # noqa: PLC0415

        unfinished._written.clear()  # another process of another user
    before = snapshot(folder)
    window = opened(folder)
    assert "did not finish" in window.banner.text.text()
    assert snapshot(folder) == before


def test_an_own_step_leaves_a_foreign_file_in_place(
    place: Path, opened: Callable[..., MainWindow]
) -> None:
    strange = place / "strange"
    path = put(strange, **page("page_0002.xml"))
    content = path.read_bytes()
    window = opened(strange)
    hand.press_on_banner(window, "Leave")
    hand.rename(window, "sofa", "stool")
    windows.settle()
    assert hand.labels_on_disk(strange) == {"stool": PAGES}
    assert path.read_bytes() == content


def test_a_page_that_is_a_link_out_of_the_folder_is_left_out_of_a_rename(
    place: Path, opened: Callable[..., MainWindow]
) -> None:
    strange = place / "strange"
    (strange / "page_0003.xml").unlink()
    (strange / "page_0003.xml").symlink_to(place / "mine" / "page_0003.xml")
    mine = snapshot(place / "mine")
    window = opened(strange)
    hand.type_name(window, "sofa", "stool")
    hand.answer(window, "Rename")
    hand.wait(lambda: bool(window.workbench.collection_steps.runner.problems))
    assert "leads out of the folder" in window.banner.text.text()
    buttons = {each.text() for each in window.banner.findChildren(QPushButton) if each.isVisible()}
    assert "Leave" in buttons
    hand.press_on_banner(window, "Leave")
    windows.settle()
    assert snapshot(place / "mine") == mine
