"""Files as people have them: marks of encodings, packed XML, JSON cut off, archives, VIA 3."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.collection.convert import convert
from spotlab.formats.collection.detect import format_of
from spotlab.model import Primitive, Truth
from tests.judging_files import command

Captured = pytest.CaptureFixture[str]


def image(folder: Path, name: str = "p.png") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    Image.new("L", (400, 300), 255).save(folder / name)


def only(path: Path) -> Truth:
    [truth] = format_of(path).read_file(path)
    return truth


def test_yolo_with_a_byte_order_mark(tmp_path: Path) -> None:
    image(tmp_path / "images")
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "p.txt").write_bytes(b"\xef\xbb\xbf0 .475 .4167 .35 .3\r\n")
    data = tmp_path / "data.yaml"
    data.write_bytes(b"\xef\xbb\xbfnames:\r\n  0: sofa\r\ntrain: images\r\n")
    assert [region.label for region in only(data).regions] == ["sofa"]
    assert format_of(tmp_path / "labels" / "p.txt").name == "yolo"


def test_xml_that_gzip_has_packed(tmp_path: Path) -> None:
    image(tmp_path)
    text = '<g><o><s label="sofa" x0="120" y0="80" x1="260" y1="170"/></o></g>'
    (tmp_path / "p.xml.gz").write_bytes(gzip.compress(text.encode()))
    assert only(tmp_path / "p.xml.gz").regions[0].bounds == (120, 80, 260, 170)


def test_json_that_is_cut_off_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"version": "5", "flags": {}, "sha')
    with pytest.raises(BadInput, match="not JSON"):
        format_of(path)


def test_a_folder_without_truth_says_what_is_there(tmp_path: Path, capsys: Captured) -> None:
    image(tmp_path / "in")
    with zipfile.ZipFile(tmp_path / "in" / "job.zip", "w") as archive:
        archive.writestr("annotations.xml", "<annotations/>")
    with pytest.raises(BadInput, match=r"no truth files: job\.zip is an archive"):
        convert(tmp_path / "in", tmp_path / "o.json")
    command("validate", tmp_path / "in")
    assert "job.zip is an archive, which has to be named itself" in "".join(capsys.readouterr())


def test_shapes_of_via_3(tmp_path: Path) -> None:
    image(tmp_path)
    project = {
        "project": {"pid": "x"}, "config": {}, "view": {"7": {"fid_list": ["1"]}},
        "attribute": {"1": {"aname": "label", "type": 4, "options": {"0": "sofa"}},
                      "2": {"aname": "sides", "type": 2, "options": {"a": "left", "b": "top"}}},
        "file": {"1": {"fid": "1", "fname": "p.png", "type": 2}},
        "metadata": {"a": {"vid": "7", "xy": [2, 120, 80, 140, 90], "av": {"1": "0", "2": "a,b"}},
                     "b": {"vid": "7", "xy": [7, 1, 1, 9, 1, 9, 9], "av": {"1": "0"}},
                     "c": {"vid": "7", "xy": [12, 1], "av": {}}, "d": {"vid": "7", "xy": []}},
    }  # fmt: skip
    path = tmp_path / "v.json"
    path.write_text(json.dumps(project))
    box, polygon = only(path).regions
    assert (box.label, box.bounds, box.primitive) == ("sofa", (120, 80, 260, 170), Primitive.BOX)
    assert dict(box.attributes) == {"sides": ("left", "top")}
    assert (polygon.label, len(polygon.points)) == ("sofa", 3)
