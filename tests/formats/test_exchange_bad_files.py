"""Files of other programs that are damaged: one error names the place and what was expected."""

# ruff: noqa: E501

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spotlab.errors import BadInput
from spotlab.formats.collection.detect import format_of, known_formats
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import yolo
from tests.formats.exchanged import read
from tests.formats.foreign_files import (
    CUBICASA,
    CVAT,
    DOTA,
    FILE,
    FLOORPLANCAD,
    GROUP,
    HOCR,
    METS,
    RECTANGLE,
    image,
    label_studio,
)

BAD = [
    ("a.txt", "0 0.5 0.5 0.5\n", "line 1: 4 numbers are no region; expected a class"),
    ("a.txt", "0 0.5 0.5 0.5 0.5\nx 1\n", "line 2: 'x 1' is not all numbers"),
    ("a.txt", "0 0.5 0.5 1.5 0.5\n", "line 1: 1.5 is no share of the image; expected numbers"),
    ("a.txt", "0.5 0.5 0.5 0.5 0.5\n", "line 1: the class is 0.5; expected a whole number"),
    ("b.txt", "0 0.5 0.5 0.5 0.5\n", "shares of the image and its image b is not there; expected"),
    ("data.yaml", "train: images\nnames:\n", "names: the names of classes are missing"),
    ("data.yaml", "train: images\nnames: [a\n", "line 2: '\\[a' does not end"),
    ("data.yaml", "train: images\nnames:\n  a: b\n", "names: the class 'a' is no number"),
    ("data.yaml", "train: images\nnames: [a]\n", "train: neither images nor labels are in images"),
    ("a.xml", CVAT.replace('xtl="10.50"', 'xtl="left"'), "box: xtl is 'left'; expected a number"),
    ("a.xml", CVAT.replace("90.00,60.00", "90.00"), "polygon: '90.00' is not a point"),
    ("a.xml", CVAT.replace('rle="1, ', 'rle="9, '), "mask: the run lengths sum up to 16 in a mask of 4"),
    ("a.xml", "<annotations><track id='0'/></annotations>", "CVAT for video; expected CVAT for im"),
    ("a.json", '[{"data": {}, "annotations": []}]', r"\[0\].data: the task has no image"),
    ("c.json", '[{"data": {"image": "q.png"}, "annotations": [{"result": []}]}]',
     "no result gives the size and its image q.png is not there"),
    ("a.json", json.dumps([{"data": {"image": "q"}, "annotations": [{"result": [label_studio(
        {**RECTANGLE, "width": "w"}, "rectangle")]}]}]), "x1.value.width: 'w' is no number"),
    ("a.hocr", HOCR.replace("bbox 588 528 787 581", "bbox 588 528"), "word_1_2: the bbox has 2 num"),
    ("a.hocr", HOCR.replace("'ocr_page'", "'page'"), "no element of the class ocr_page"),
    ("a.svg", FLOORPLANCAD.replace("M 1,1 L 2,2", "M 1,1 L 2"), ""),
    ("a.svg", FLOORPLANCAD.replace("M 115.0,94.5 L", "M 115.0 L"), "the path 'M 115.0 L.* is not un"),
    ("a.svg", FLOORPLANCAD.replace('"33"', '"36"'), "the semantic-id is '36'; expected a number fr"),
    ("b.svg", FLOORPLANCAD, "units of the drawing and its image b is not there"),
    ("a.svg", CUBICASA.replace("matrix(0,1,-1,0,100,200)", "skew(3)"), r"'skew\(3\)' is not underst"),
    ("a.txt", DOTA.replace("2408", "y"), "line 3: '2753 y 2861 .* does not begin with eight numbers"),
    ("a.txt", DOTA.replace("large-vehicle 1", "large vehicle 1"), "line 4: 11 words are no object"),
    ("mets.xml", METS.format(groups=""), "fileSec: no file group has PAGE files"),
    ("mets.xml", METS.format(groups=GROUP.format("GT", FILE.format("GT", 1))),
     "OCR-D-GT-PAGE.1.xml is not there; expected the whole workspace"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "problem"), BAD)
def test_bad_input_is_named(tmp_path: Path, name: str, content: str, problem: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    image(tmp_path / "a.png")
    kinds = {".yaml": "yolo", ".json": "label-studio", ".hocr": "hocr"}
    format = known_formats()[kinds[path.suffix]] if path.suffix in kinds else None
    if format is None:
        kind = {".txt": "dota" if "imagesource" in content else "yolo",
                ".xml": "mets" if "mets" in content else "cvat"}.get(path.suffix)  # fmt: skip
        format = known_formats()[kind] if kind else format_of(path)
    if not problem:
        assert read(format.name, path)  # what has no class does not matter
        return
    with pytest.raises(BadInput, match=problem):
        format.read_file(path, Reading(strict=True))


def test_a_list_of_images_that_is_none_is_told_by_the_file_that_names_it(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("root:x:0:0\n")
    data = tmp_path / "data.yaml"
    data.write_text(f"train: {elsewhere}\nnames: [sofa]\n")
    with pytest.raises(BadInput, match=r"data\.yaml: positions are shares of the image"):
        yolo.FORMAT.read_file(data)
