"""Links and names in a stranger's folder that lead out of it: nothing is written there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from spotlab.errors import BadInput, NotSaved, SpotlabError
from spotlab.formats.collection.dataset import Images, place_images
from spotlab.formats.collection.export import Replacing
from spotlab.formats.collection.folder import common_folder, common_root, scan
from spotlab.formats.collection.label_file import read_labels, write_labels
from spotlab.formats.lists.kept_lines import ListedQuery
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.runs.side_files import write_models, write_side_file
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import Outlines
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.state.queries import KeptQueries
from spotlab.model import LabelSet, Page, QueryModel, Run, Truth
from spotlab.progress import silent
from spotlab.studies.annotators.decisions import AnnotatorSide, open_decisions
from spotlab.studies.tally.subset import write_subset
from spotlab.trust import confined, confined_truth
from tests.gui import labelled_pages as hand
from tests.gui import windows


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of the user's that no stranger's folder may change."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "file.json").write_text('{"mine": 1}')
    return folder


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    return hand.write_labelled(tmp_path / "strange", 3)


@pytest.fixture
def opened(tmp_path: Path, qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    made: list[MainWindow] = []

    def open_window(*paths: Path) -> MainWindow:
        made.append(windows.open_window(tmp_path, *paths))
        windows.settle()
        return made[-1]

    yield open_window
    for window in made:
        windows.close(window)


def unchanged(mine: Path) -> bool:
    return os.listdir(mine) == ["file.json"] and (mine / "file.json").read_text() == '{"mine": 1}'


@pytest.mark.parametrize(
    "name", ["..", ".", "", "../mine/file.xml", "/etc/x.xml", "link/x.xml", "link.xml", "a\0.xml"]
)
def test_names_that_leave_the_folder_are_refused(strange: Path, mine: Path, name: str) -> None:
    (strange / "link").symlink_to(mine)
    (strange / "link.xml").symlink_to(mine / "new.xml")
    with pytest.raises(BadInput):
        confined(name, strange)


@pytest.mark.parametrize("name", ["x.pth", "x.xml.py", ".x.xml", "x", "x.xml "])
def test_truth_has_the_suffix_of_truth(strange: Path, name: str) -> None:
    confined(name, strange)
    with pytest.raises(BadInput, match="truth file"):
        confined_truth(name, strange)


def test_links_and_names_inside_the_folder_stay_possible(strange: Path) -> None:
    (strange / "inside").mkdir()
    (strange / "link.xml").symlink_to(strange / "page_0001.xml")
    assert confined_truth("link.xml", strange) == strange / "link.xml"
    assert confined_truth("inside/../page_0001.xml", strange) == strange / "page_0001.xml"
    above = strange.parent / "above"
    above.symlink_to(strange)
    assert confined_truth(above / "page_0001.xml", above) == strange / "page_0001.xml"


def run_with_models() -> Run:
    models = (QueryModel("q", "p", ((0, 0), (1, 0), (1, 1))),)
    outlines = Outlines.of([((0, 0), (9, 0), (9, 9))])
    run = Run.ordered("run", ["q"], ["p"], outlines, score=np.array([0.5]))
    return replace(run, models=models)


STATE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "labels": ("spotlab.json", lambda folder: write_labels(folder, LabelSet().with_label("a"))),
    "models": (
        "run.csv.models",
        lambda folder: write_models(run_with_models(), folder / "run.csv"),
    ),
    "provenance": (
        "run.csv.provenance.json",
        lambda folder: write_side_file(folder / "run.csv", {}),
    ),
    "subset": ("subsets/a.txt", lambda folder: write_subset(folder / "subsets" / "a.txt", ["p"])),
    "decisions": (
        "adjudication.jsonl",
        lambda folder: open_decisions(
            folder, AnnotatorSide("a", Path("/a")), AnnotatorSide("b", Path("/b"))
        ),
    ),
}


@pytest.mark.parametrize("target", ["new", "file.json"])
@pytest.mark.parametrize("what", STATE)
def test_state_beside_data_is_not_written_through_a_link(
    tmp_path: Path, mine: Path, what: str, target: str
) -> None:
    folder = tmp_path / "data"
    name, write = STATE[what]
    (folder / name).parent.mkdir(parents=True)
    (folder / name).symlink_to(mine / target)
    with pytest.raises(SpotlabError):
        write(folder)
    assert unchanged(mine)


def test_a_folder_of_subsets_that_is_a_link_is_not_written_to(tmp_path: Path, mine: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "subsets").symlink_to(mine)
    with pytest.raises(BadInput, match="leads out"):
        write_subset(tmp_path / "data" / "subsets" / "a.txt", ["p"])
    assert unchanged(mine)


def test_labels_of_opened_pages_are_not_written_through_a_link(
    strange: Path, mine: Path, opened: Callable[..., MainWindow]
) -> None:
    (strange / "spotlab.json").symlink_to(mine / "file.json")
    window = opened(strange)  # takes the labels of its regions into the list
    assert [label.name for label in window.workbench.labels] == ["sofa"]
    window.workbench.collection.write_labels()
    windows.settle()
    assert unchanged(mine)


def test_queries_are_not_written_through_a_link(
    strange: Path, mine: Path, opened: Callable[..., MainWindow]
) -> None:
    (strange / "queries.csv").symlink_to(mine / "new")
    window = opened(strange)
    queries = window.workbench.state(KeptQueries)
    queries.rename(ListedQuery("", ("page_0001", 1, 1, 9, 9)), "orders")
    windows.settle()
    assert unchanged(mine)


def test_an_image_elsewhere_does_not_move_the_collection_out_of_the_folder(
    strange: Path, mine: Path, opened: Callable[..., MainWindow]
) -> None:
    (mine / "cat.png").write_bytes((strange / "page_0001.png").read_bytes())
    for number in (1, 2, 3):
        path = strange / f"page_000{number}.xml"
        image = f"page_000{number}.png"
        path.write_text(path.read_text().replace(image, "../mine/cat.png"))
        (strange / image).unlink()
    entries = scan([strange])
    assert {entry.image for entry in entries} == {mine / "cat.png"}
    assert common_folder(entries) == common_root(entries) == strange
    window = opened(strange)
    windows.add(window, "stool")
    window.workbench.save()
    windows.settle()
    window.workbench.collection.write_labels()
    windows.settle()
    assert [label.name for label in read_labels(strange)] == ["sofa"]
    assert sorted(os.listdir(mine)) == ["cat.png", "file.json"]
    assert not (strange.parent / "spotlab.json").exists()


def test_truth_that_leads_out_is_written_once_the_user_allows_it(
    strange: Path, tmp_path: Path, opened: Callable[..., MainWindow]
) -> None:
    other = hand.write_labelled(tmp_path / "other", 1)
    before = (other / "page_0001.xml").read_bytes()
    (strange / "page_0001.xml").unlink()
    (strange / "page_0001.xml").symlink_to(other / "page_0001.xml")
    window = opened(strange)
    assert "leads out of the opened folder" in window.banner.text.text()
    windows.add(window, "stool")
    window.workbench.save()
    windows.settle()
    assert (other / "page_0001.xml").read_bytes() == before
    window.banner.dismiss()  # that it was not saved
    hand.press_on_banner(window, "Allow")
    window.workbench.save()
    windows.settle()
    labels = {region.label for region in page_xml.read(other / "page_0001.xml").regions}
    assert labels == {"sofa", "stool"}


def test_a_dangling_link_of_truth_makes_no_file(
    strange: Path, mine: Path, opened: Callable[..., MainWindow]
) -> None:
    (strange / "page_0001.xml").unlink()
    (strange / "page_0001.xml").symlink_to(mine / "evil.desktop")
    window = opened(strange)
    windows.add(window, "stool")
    window.workbench.save()
    windows.settle()
    assert unchanged(mine)


def test_no_file_is_made_where_a_link_leads_nowhere(tmp_path: Path, mine: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(mine / "new.csv")
    with pytest.raises(NotSaved, match="does not exist"):
        write_atomically(link, b"content")
    assert unchanged(mine)


def test_an_export_keeps_nothing_behind_a_link(tmp_path: Path, mine: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / ".spotlab-writing").symlink_to(mine)
    with pytest.raises(BadInput, match="leads out"):
        Replacing(folder, [folder / "a.xml"])
    assert unchanged(mine)


METS = """<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">
<fileSec><fileGrp USE="OCR-D-GT"><file ID="a" MIMETYPE="application/vnd.prima.page+xml">
<FLocat LOCTYPE="OTHER" xlink:href="NAME"/></file></fileGrp></fileSec></mets>"""


@pytest.mark.parametrize("name", ["../other/page_0001.xml", "OTHER/page_0001.xml"])
def test_mets_opens_no_page_of_another_folder(
    strange: Path, tmp_path: Path, opened: Callable[..., MainWindow], name: str
) -> None:
    other = hand.write_labelled(tmp_path / "other", 1)
    (strange / "mets.xml").write_text(METS.replace("NAME", name.replace("OTHER", str(other))))
    window = opened()
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    window.open_paths([strange / "mets.xml"])
    windows.settle()
    assert not window.workbench.entries and "leads out" in said[-1]
    (strange / "mets.xml").write_text(METS.replace("NAME", "page_0001.xml"))
    window.open_paths([strange / "mets.xml"])
    windows.settle()
    assert [entry.name for entry in window.workbench.entries] == ["page_0001"]


def test_leftovers_behind_links_stay(
    strange: Path, mine: Path, opened: Callable[..., MainWindow]
) -> None:
    (mine / "file.json").unlink()
    for folder in (mine, strange):
        (folder / ".page_0001.xml.abcdef12.tmp").write_text("left by a killed program")
    hand.write_labelled(mine / "pages", 1)
    (mine / "pages" / "page_0001.png").rename(mine / "page_0001.png")
    (strange / "link").symlink_to(mine)
    opened(strange)
    hand.wait(lambda: not (strange / ".page_0001.xml.abcdef12.tmp").exists())
    assert (mine / ".page_0001.xml.abcdef12.tmp").exists()


def test_an_export_passes_on_no_file_that_is_no_image(tmp_path: Path, mine: Path) -> None:
    truth = Truth(Page(mine / "file.json", 9, 9))
    with pytest.raises(BadInput, match=r"file\.json"):
        place_images([truth], tmp_path / "out", Images.COPY, silent)
    assert not list((tmp_path / "out").iterdir())
