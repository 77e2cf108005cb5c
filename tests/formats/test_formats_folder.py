"""Pages of folders and files: which truth belongs to which image, in what order."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.collection.folder import PageEntry, expand, image_of, scan, summary, truth_path
from spotlab.formats.collection.label_file import NAME, read_labels, write_labels
from spotlab.formats.truth import page_xml
from spotlab.model import LabelSet, Page, PageState, Region, Truth


def write_truth(path: Path, image: str, *regions: Region, checked: bool = False) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    truth = Truth(Page(Path(image), 90, 60, checked=checked), regions)
    path.write_bytes(page_xml.serialise(truth, datetime(2026, 1, 1), image_filename=image))


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_bytes(b"")


def listed(folder: Path) -> list[tuple[str, str, bool]]:
    return [
        (
            entry.image.relative_to(folder).as_posix(),
            entry.truth_path.relative_to(folder).as_posix(),
            entry.has_truth,
        )
        for entry in scan([folder])
    ]


def test_natural_order_folders_and_hidden_ones(tmp_path: Path) -> None:
    touch(tmp_path, "plan_10.png", "plan_2.png", "Plan_1.JPG", "b/x.png", "b10/x.png", "b9/x.png",
          ".hidden/x.png", ".x.png", "notes.txt")  # fmt: skip
    assert [image for image, _, _ in listed(tmp_path)] == [
        "Plan_1.JPG", "plan_2.png", "plan_10.png", "b/x.png", "b9/x.png", "b10/x.png",
    ]  # fmt: skip


def test_truth_beside_the_image_or_in_page(tmp_path: Path) -> None:
    touch(tmp_path, "a.png", "b.png", "c.png")
    write_truth(tmp_path / "a.xml", "a.png")
    write_truth(tmp_path / "page" / "b.xml", "b.png")
    assert listed(tmp_path) == [
        ("a.png", "a.xml", True), ("b.png", "page/b.xml", True), ("c.png", "c.xml", False),
    ]  # fmt: skip
    assert truth_path(tmp_path / "b.png", 0, 1) == tmp_path / "page" / "b.xml"


def test_two_images_with_the_same_stem(tmp_path: Path) -> None:
    touch(tmp_path, "plan.png", "plan.jpg")
    assert listed(tmp_path) == [
        ("plan.jpg", "plan.jpg.xml", False), ("plan.png", "plan.png.xml", False),
    ]  # fmt: skip
    write_truth(tmp_path / "plan.xml", "plan.png")
    assert listed(tmp_path) == [
        ("plan.jpg", "plan.jpg.xml", False), ("plan.png", "plan.xml", True),
    ]  # fmt: skip
    write_truth(tmp_path / "plan.jpg.xml", "plan.jpg")
    assert listed(tmp_path)[0] == ("plan.jpg", "plan.jpg.xml", True)


def test_other_xml_is_neither_read_nor_overwritten(tmp_path: Path) -> None:
    touch(tmp_path, "plan.png")
    (tmp_path / "plan.xml").write_text("<annotation/>")
    (tmp_path / "mets.xml").write_text("<mets/>")
    write_labels(tmp_path, LabelSet().with_label("sofa"))
    assert listed(tmp_path) == [("plan.png", "plan.png.xml", False)]


def test_truth_that_is_called_otherwise(tmp_path: Path) -> None:
    touch(tmp_path, "scan.png", "images/far.png")
    write_truth(tmp_path / "scan_truth.xml", "scan.png")
    write_truth(tmp_path / "xml" / "t.xml", r"..\images\far.png")
    write_truth(tmp_path / "xml" / "gone.xml", "gone.png")
    assert listed(tmp_path) == [
        ("scan.png", "scan_truth.xml", True),
        ("xml/gone.png", "xml/gone.xml", True),
        ("images/far.png", "xml/t.xml", True),
    ]
    assert [entry.missing for entry in scan([tmp_path])] == [False, True, False]
    assert image_of(tmp_path / "xml" / "t.xml") == tmp_path / "images" / "far.png"
    assert image_of(tmp_path / "xml" / "gone.xml") is None


def test_files_are_given_by_name(tmp_path: Path) -> None:
    touch(tmp_path, "plan.png", "other.png")
    write_truth(tmp_path / "plan.xml", "plan.png")
    (one,) = scan([tmp_path / "plan.xml", tmp_path / "plan.png"])
    assert one == PageEntry(tmp_path / "plan.png", 0, 1, tmp_path / "plan.xml", True)
    for name, problem in (("none.png", "it does not exist"), ("x.txt", "the file is not a page")):
        if name == "x.txt":
            touch(tmp_path, name)
        with pytest.raises(BadInput, match=problem):
            scan([tmp_path / name])


def test_files_of_several_pages(tmp_path: Path) -> None:
    frames = [Image.new("L", (90, 60), shade) for shade in (0, 99, 255)]
    frames[0].save(tmp_path / "scan.tif", save_all=True, append_images=frames[1:])
    frames[0].save(tmp_path / "one.tif")
    write_truth(tmp_path / "scan_p2.xml", "scan.tif")
    one, several = scan([tmp_path])
    assert (one.frames, several.frames) == (None, None)
    assert expand(one) == [PageEntry(one.image, 0, 1, tmp_path / "one.xml", False)]
    pages = expand(several)
    assert [(page.name, page.frame, page.truth_path.name, page.has_truth) for page in pages] == [
        ("scan_p1", 0, "scan_p1.xml", False),
        ("scan_p2", 1, "scan_p2.xml", True),
        ("scan_p3", 2, "scan_p3.xml", False),
    ]
    write_truth(tmp_path / "scan.xml", "scan.tif")
    (several,) = (entry for entry in scan([tmp_path]) if entry.image.name == "scan.tif")
    assert expand(several)[0].truth_path.name == "scan.xml"  # begun before the pages were known
    (second,) = scan([tmp_path / "scan_p2.xml"])
    assert (second.frame, second.frames) == (1, 3)
    (tmp_path / "bad.tif").write_bytes(b"no image")
    with pytest.raises(BadInput):
        expand(scan([tmp_path / "bad.tif"])[0])


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    touch(tmp_path, "a/x.png")
    os.symlink(tmp_path, tmp_path / "a" / "again")
    assert len(scan([tmp_path])) == 1


def test_summaries(tmp_path: Path) -> None:
    corners = ((1, 1), (9, 1), (9, 9))
    path = tmp_path / "plan.xml"
    assert summary(path).state is PageState.UNTOUCHED
    write_truth(path, "plan.png")
    assert summary(path).state is PageState.UNTOUCHED
    regions = [
        Region(corners, "sofa"),
        Region(corners, "bed"),
        Region(corners),
        Region(corners, "bed"),
    ]
    write_truth(path, "plan.png", *regions)
    found = summary(path)
    assert (found.state, found.labels) == (PageState.DRAFT, {"": 1, "bed": 2, "sofa": 1})
    assert found.regions == 4
    write_truth(path, "plan.png", *regions, checked=True)
    assert summary(path).state is PageState.CHECKED
    write_truth(path, "plan.png", Region(corners, uncertain=True), checked=True)
    assert summary(path).state is PageState.UNCERTAIN
    path.write_bytes(path.read_bytes()[:300])
    assert summary(path).state is None
    assert str(path) in summary(path).error


def test_labels_keep_what_else_is_in_the_file(tmp_path: Path) -> None:
    assert read_labels(tmp_path) == LabelSet()
    path = tmp_path / NAME
    path.write_text('{"theirs": [1], "labels": [{"name": "sofa", "colour": "#000000", "x": 1}]}')
    labels = read_labels(tmp_path).with_label("größe")
    write_labels(tmp_path, labels)
    assert read_labels(tmp_path) == labels
    assert '"theirs": [\n    1' in path.read_text() and '"x": 1' in path.read_text()
    path.write_text("{broken")
    with pytest.raises(BadInput, match="line 1"):
        read_labels(tmp_path)
    write_labels(tmp_path, labels)
    assert read_labels(tmp_path) == labels
    assert (tmp_path / f"{NAME}.damaged").read_text() == "{broken"
