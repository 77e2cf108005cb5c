"""What the window works on, without the window: pages open, edits are saved by themselves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from spotlab.editing.journal import journal_path
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages import collection
from spotlab.gui.pages.workbench import Workbench
from spotlab.model import PageState, Primitive

pytestmark = pytest.mark.usefixtures("patient")

SQUARE = [(10, 10), (60, 10), (60, 60), (10, 60)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "plans"
    folder.mkdir()
    for number in (1, 2, 10):
        image = Image.new("L", (300, 200), 255)
        ImageDraw.Draw(image).rectangle((20, 20, 50, 50), outline=0, width=2)
        image.save(folder / f"plan_{number}.png")
    return folder


@pytest.fixture
def workbench(qapp: object, tmp_path: Path, folder: Path):
    workbench = Workbench(Settings(tmp_path / "settings.json"))
    workbench.heard = []
    workbench.trouble.connect(lambda *trouble: workbench.heard.append(trouble))
    assert workbench.open_paths([folder])
    assert background.wait_for_all()
    yield workbench
    background.cancel_all()
    for session in workbench.sessions:
        session.close()


def settle(workbench: Workbench) -> None:
    """What a pause brings."""
    workbench.autosave.now()
    assert background.wait_for_all()


def test_pages_are_listed_in_the_order_a_person_expects(workbench: Workbench) -> None:
    assert [entry.name for entry in workbench.entries] == ["plan_1", "plan_2", "plan_10"]
    assert workbench.index == 0
    assert workbench.pixels is not None
    assert not workbench.pixels.preview
    assert workbench.ink.page is not None
    assert workbench.ink.page.is_labelled
    states = [workbench.collection.state(index) for index in range(3)]
    assert states == [PageState.UNTOUCHED] * 3


def test_what_is_drawn_is_saved_at_a_pause(workbench: Workbench, folder: Path, qtbot) -> None:
    workbench.editing.apply_label("sofa")
    region = workbench.editing.add_region(SQUARE, Primitive.HULL)
    assert region is not None
    assert workbench.selection.ids == (region.id,)
    path = folder / "plan_1.xml"
    assert journal_path(path).exists(), "before anybody sees it"
    qtbot.waitUntil(path.exists, timeout=60_000)
    assert background.wait_for_all()
    assert not journal_path(path).exists()
    assert page_xml.read(path).regions == (region,)
    assert workbench.collection.state(0) is PageState.DRAFT
    assert dict(workbench.collection.counts()) == {"sofa": 1}
    qtbot.waitUntil(lambda: "sofa" in read_labels(folder), timeout=60_000)


def test_a_page_change_saves_and_undo_still_works_on_coming_back(
    workbench: Workbench, folder: Path
) -> None:
    workbench.editing.add_region(SQUARE, Primitive.BOX)
    workbench.open_page(1)
    assert background.wait_for_all()
    assert len(page_xml.read(folder / "plan_1.xml").regions) == 1
    assert workbench.document is not None
    assert len(workbench.document) == 0
    workbench.editing.undo()
    assert len(workbench.document) == 0, "undo stays on its page"
    workbench.open_page(0)
    assert background.wait_for_all()
    workbench.editing.undo()
    assert len(workbench.document) == 0
    assert workbench.close()
    assert len(page_xml.read(folder / "plan_1.xml").regions) == 0


def test_quick_page_changes_show_only_the_last_page(workbench: Workbench) -> None:
    for index in (1, 2, 0, 2):
        workbench.open_page(index)
    assert background.wait_for_all()
    assert workbench.document is not None
    assert workbench.document.page.image.name == "plan_10.png"
    assert workbench.pixels is not None
    assert workbench.pixels.entry == workbench.entries[2]


def test_nothing_without_an_area_is_left_behind(workbench: Workbench) -> None:
    said: list[str] = []
    workbench.said.connect(lambda text, serious: said.append(text))
    assert workbench.editing.add_region([(5, 5), (50, 5), (20, 5)], Primitive.POLYGON) is None
    assert said == ["The outline has no area: nothing was drawn"]
    assert workbench.history is not None
    assert workbench.history.undo_name is None


def test_another_programs_change_is_read_or_asked_about(workbench: Workbench, folder: Path) -> None:
    workbench.editing.apply_label("sofa")
    workbench.editing.add_region(SQUARE, Primitive.HULL)
    settle(workbench)
    path = folder / "plan_1.xml"
    theirs = path.read_bytes().replace(b'"sofa"', b'"divan"')
    path.write_bytes(theirs)
    assert background.wait_until(lambda: "Read" in (workbench.history.undo_name or ""))
    assert [region.label for region in workbench.document] == ["divan"], "nothing unsaved: read it"

    workbench.editing.add_region([(100, 100), (150, 100), (150, 150)], Primitive.HULL)
    path.write_bytes(theirs + b"\n")
    assert background.wait_until(
        lambda: workbench.heard[-1:] and workbench.heard[-1][0] == "changed"
    )
    settle(workbench)
    assert path.read_bytes() == theirs + b"\n"
    assert len(workbench.document) == 2, "the work is still there"
    assert not workbench.close(), "closing would lose it"
    workbench.save(overwrite=True)
    assert background.wait_for_all()
    assert workbench.heard[-1][0] == "solved"
    assert len(page_xml.read(path).regions) == 2


def test_reload_gives_up_what_is_here(workbench: Workbench, folder: Path) -> None:
    workbench.editing.add_region(SQUARE, Primitive.HULL)
    settle(workbench)
    workbench.editing.add_region([(100, 100), (150, 100), (150, 150)], Primitive.HULL)
    workbench.reload()
    assert background.wait_for_all()
    assert len(workbench.document) == 1
    assert not journal_path(folder / "plan_1.xml").exists()


def test_a_folder_that_goes_away_is_told_and_nothing_is_lost(
    workbench: Workbench, folder: Path
) -> None:
    workbench.editing.add_region(SQUARE, Primitive.HULL)
    settle(workbench)
    away = folder.with_name("away")
    folder.rename(away)
    workbench.editing.add_region([(100, 100), (150, 100), (150, 150)], Primitive.HULL)
    settle(workbench)
    assert workbench.heard[-1][0] in ("unsaved", "changed")
    assert not workbench.close()
    shutil.move(away, folder)
    workbench.save()
    assert background.wait_for_all()
    assert len(page_xml.read(folder / "plan_1.xml").regions) == 2
    assert workbench.close()


def test_a_damaged_page_is_told_and_others_open(workbench: Workbench, folder: Path) -> None:
    (folder / "plan_2.png").write_bytes((folder / "plan_2.png").read_bytes()[:80])
    (folder / "plan_10.xml").write_text("<PcGts><Page")
    before = (folder / "plan_10.xml").read_bytes()
    workbench.open_page(1)
    assert background.wait_for_all()
    assert workbench.heard[-1][0] == "unreadable"
    assert "plan_2.png" in workbench.heard[-1][1]
    workbench.open_page(2)
    assert background.wait_for_all()
    assert "plan_10.xml" in workbench.heard[-1][1]
    assert workbench.document is None
    assert (folder / "plan_10.xml").read_bytes() == before
    workbench.open_page(0)
    assert background.wait_for_all()
    assert workbench.document is not None


def test_labels_of_files_join_those_of_the_collection(workbench: Workbench, folder: Path) -> None:
    workbench.editing.apply_label("sofa")
    workbench.editing.add_region(SQUARE, Primitive.HULL)
    colour = workbench.labels["sofa"].colour
    assert workbench.close()
    (folder / "spotlab.json").unlink(missing_ok=True)
    assert workbench.open_paths([folder])
    assert background.wait_for_all()
    assert workbench.labels["sofa"].colour == colour


def test_an_empty_folder_says_so_and_closes_nothing(workbench: Workbench, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    said: list[str] = []
    workbench.said.connect(lambda text, serious: said.append(text))
    workbench.open_paths([empty])
    assert said
    assert len(workbench.entries) == 3


def test_files_are_counted_once_though_two_count(
    workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    frames = [Image.new("L", (60, 50), 255)] * 2
    for name in ("a", "c"):
        frames[0].save(scans / f"{name}.tif", save_all=True, append_images=frames[1:])
    call = background.call

    def call_on_slow_disk(function: Callable[..., Any], *arguments: Any) -> Any:
        result = call(function, *arguments)
        if function is collection.expand:
            assert background.wait_for_all()  # the look into the whole collection, too
        return result

    monkeypatch.setattr(background, "call", call_on_slow_disk)
    assert workbench.open_paths([scans])
    names = [entry.name for entry in workbench.entries]
    assert names == ["a_p1", "a_p2", "c_p1", "c_p2"]
    assert workbench.entry == workbench.entries[0]
    assert workbench.index == 0


def test_pages_of_one_file_are_pages_like_all_others(workbench: Workbench, tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    frames = [Image.new("L", (60 + 10 * number, 50), 255) for number in range(3)]
    for name in ("a", "c"):
        frames[0].save(scans / f"{name}.tif", save_all=True, append_images=frames[1:])
    frames[0].save(scans / "d.png")
    assert workbench.open_paths([scans])
    workbench.open_page(len(workbench.entries) - 1)  # before the pages of c are counted
    assert workbench.entry is not None
    assert workbench.entry.name == "d"
    assert background.wait_for_all()
    names = [entry.name for entry in workbench.entries]
    assert names == ["a_p1", "a_p2", "a_p3", "c_p1", "c_p2", "c_p3", "d"]
    assert workbench.index == 6, "the open page stays the open page"
    workbench.open_page(1)
    assert background.wait_for_all()
    assert workbench.document is not None
    assert (workbench.document.page.width, workbench.document.page.frames) == (70, 3)
    workbench.editing.add_region([(5, 5), (20, 5), (20, 20)], Primitive.HULL)
    settle(workbench)
    assert (scans / "a_p2.xml").exists()
    assert workbench.collection.state(1) is PageState.DRAFT
    assert workbench.collection.state(0) is PageState.UNTOUCHED
