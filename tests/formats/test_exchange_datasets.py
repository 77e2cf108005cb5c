"""Data sets: parts by shares and seed, images, what stays whole when something fails."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from spotlab.errors import BadArgument, BadInput, Cancelled, NotSaved
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.dataset import PARTS, RECORD, Images, Split, split_pages
from spotlab.formats.collection.export import ExportSelection
from spotlab.formats.truth import coco, page_xml
from spotlab.model import Page, Region, Truth
from spotlab.progress import silent

SOFA = Region(((10, 10), (40, 10), (40, 30)), "sofa", "r1", comment="old")
BED = Region(((50, 10), (90, 10), (90, 30), (50, 30)), "bed", "r2")


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    folder = tmp_path / "plans"
    for index in range(10):
        write_page(folder / f"{index}.png", checked=index % 2 == 0)
    return folder


def write_page(image: Path, checked: bool = False) -> None:
    image.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (100, 80), 7).save(image)
    page_xml.write(Truth(Page(image, 100, 80, checked=checked), (SOFA, BED)),
                   image.with_suffix(".xml"))  # fmt: skip


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@given(st.sets(st.text(min_size=1, max_size=5), min_size=3, max_size=60),
       st.lists(st.integers(0, 9), min_size=3, max_size=3), st.integers(0, 5))  # fmt: skip
@settings(deadline=None)
def test_every_page_is_in_one_part_of_its_share(
    names: set[str], shares: list[int], seed: int
) -> None:
    shares[0] += 1
    split = Split.parse("/".join(map(str, shares)), seed)
    ordered = sorted(names)
    parts = split_pages(ordered, split)
    assert sorted(index for pages in parts.values() for index in pages) == list(range(len(names)))
    for part, share in zip(PARTS, split.shares, strict=True):
        assert (part in parts) == (share > 0)
        if share:
            assert parts[part] and abs(len(parts[part]) - share * len(names)) < 3
    turned = split_pages(ordered[::-1], split)  # the order does not matter
    assert {part: {ordered[::-1][index] for index in pages} for part, pages in turned.items()} == {
        part: {ordered[index] for index in pages} for part, pages in parts.items()
    }


def test_another_seed_gives_other_parts() -> None:
    names = [f"page_{index}" for index in range(30)]
    first, again, other = (split_pages(names, Split.parse("50/50", seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("text", ["", "80", "0/1", "80/-10/30", "a/b", "1/2/3/4", "nan/1", "inf/1"])
def test_shares_that_are_none(text: str) -> None:
    with pytest.raises(BadArgument, match="expected two or three numbers such as 80/10/10"):
        Split.parse(text)


def test_yolo_with_parts_and_copied_images(plans: Path, tmp_path: Path) -> None:
    done = convert(plans, tmp_path / "set", "yolo", split=Split.parse("80/10/10"),
                   images=Images.COPY)  # fmt: skip
    assert (done.pages, done.regions) == (10, 20)
    assert "YOLO boxes: 10 outlines became their bounding boxes" in done.remarks
    files = files_in(tmp_path / "set")
    record = json.loads((tmp_path / "set" / RECORD).read_text())
    assert {part: len(pages) for part, pages in record["pages"].items()} == {
        "train": 8, "val": 1, "test": 1,
    }  # fmt: skip
    for part, pages in record["pages"].items():
        for page in pages:
            assert {f"images/{part}/{page}.png", f"labels/{part}/{page}.txt"} <= files
    assert files == {*record["files"], RECORD} and len(files) == 22
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plans", "set"]
    back = convert(tmp_path / "set", tmp_path / "back")
    assert (back.pages, back.regions, back.remarks) == (10, 20, ())


@pytest.mark.parametrize("name", ["page", "coco", "labelme", "voc", "cvat", "label-studio"])
def test_every_other_format_has_a_folder_for_each_part(
    plans: Path, tmp_path: Path, name: str
) -> None:
    convert(plans, tmp_path / "set", name, split=Split.parse("70/30", 3), images=Images.LINK)
    record = json.loads((tmp_path / "set" / RECORD).read_text())
    assert (record["seed"], record["images"]) == (3, "link")
    for part, count in (("train", 7), ("val", 3)):
        folder = tmp_path / "set" / part
        images = folder / "images" if name == "cvat" else folder
        assert all(os.path.samefile(images / f"{page}.png", plans / f"{page}.png")
                   for page in record["pages"][part])  # fmt: skip
        back = convert(folder, tmp_path / f"back-{part}", "coco", images=Images.COPY)
        assert (back.pages, back.regions) == (count, 2 * count)


def test_pages_and_labels_are_chosen(plans: Path, tmp_path: Path) -> None:
    chosen = ExportSelection(checked=True, labels=frozenset({"bed", "sink"}))
    done = convert(plans, tmp_path / "set", "yolo", selection=chosen, images=Images.COPY)
    assert (done.pages, done.regions) == (5, 5)
    assert done.remarks[:3] == (
        "5 pages were left out that are not marked as checked",
        "5 regions of other labels were left out",
        "no region has the label 'sink'",
    )
    assert (tmp_path / "set" / "data.yaml").read_text().count('"') == 2 + 4  # one name, two places
    assert "images are needed" not in "".join(done.remarks)


def test_pages_of_the_same_name_keep_their_images_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write_page(tmp_path / "plans" / folder / "one.png")
    convert(tmp_path / "plans", tmp_path / "apart", "yolo")
    assert {"labels/a/one.txt", "labels/b/one.txt"} <= files_in(tmp_path / "apart")
    convert(tmp_path / "plans", tmp_path / "set", "yolo", images=Images.COPY)
    assert {"labels/a_one.txt", "images/b_one.png"} <= files_in(tmp_path / "set")


def test_a_page_of_a_file_of_several_becomes_an_image(tmp_path: Path) -> None:
    scan = tmp_path / "plans" / "scan.tif"
    scan.parent.mkdir()
    frames = [Image.new("L", (100, 80), shade) for shade in (10, 200)]
    frames[0].save(scan, save_all=True, append_images=frames[1:])
    for frame in (0, 1):
        truth = Truth(Page(scan, 100, 80, frame, 2), (BED,))
        page_xml.write(truth, scan.with_name(f"scan_p{frame + 1}.xml"))
    files = [scan.with_name(f"scan_p{number}.xml") for number in (1, 2)]
    truths = [page_xml.read(file) for file in files]
    assert truths[1].page.image == scan
    content = tmp_path / "all.json"
    coco.write([replace(truth, page=Page(scan, 100, 80, index, 2))
                for index, truth in enumerate(truths)], content, silent)  # fmt: skip
    convert(content, tmp_path / "set", "yolo", images=Images.LINK)
    with Image.open(tmp_path / "set" / "images" / "scan_p2.png") as image:
        assert image.getpixel((0, 0)) == 200


def test_what_fails_or_is_cancelled_leaves_nothing(plans: Path, tmp_path: Path) -> None:
    def stop(done: int, _total: int | None, doing: str) -> None:
        if doing == "copying images" and done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        convert(plans, tmp_path / "new" / "set", "yolo", stop, images=Images.COPY)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plans"]
    (plans / "4.png").unlink()
    with pytest.raises(NotSaved, match=r"4\.png was not copied: it does not exist"):
        convert(plans, tmp_path / "set", "coco", images=Images.COPY)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plans"]


def test_only_an_earlier_export_is_replaced(plans: Path, tmp_path: Path) -> None:
    target = tmp_path / "set"
    convert(plans, target, "yolo", split=Split.parse("50/50"))
    with pytest.raises(
        BadInput, match=r"the folder has 12 files; expected another place, or overwrite=True"
    ):
        convert(plans, target, "yolo")
    convert(plans, target, "yolo", overwrite=True)
    assert not (target / "labels" / "train").exists()  # nothing of the old parts is left
    (target / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"notes\.txt: the file is not from the earlier export"):
        convert(plans, target, "yolo", overwrite=True)
    (target / RECORD).unlink()
    with pytest.raises(BadInput, match="the folder is not an earlier export"):
        convert(plans, target, "yolo", overwrite=True)
    assert (target / "notes.txt").read_text() == "mine"
