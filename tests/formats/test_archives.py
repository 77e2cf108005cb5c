"""Archives are read as the folders in them are, and nothing gets out of the place they go to."""

from __future__ import annotations

import base64
import io
import json
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest
from PIL import Image

import spotlab
from spotlab.errors import BadInput, NotSaved
from spotlab.formats.collection import containers
from spotlab.formats.collection.containers import is_archive, unpack
from spotlab.formats.store import cache_folder
from tests.formats.test_truth_files import METS, PAGE, VOC
from tests.judging_files import command

CVAT = """<annotations><image id="0" name="plan.png" width="90" height="60">
<box label="sofa" xtl="5" ytl="5" xbr="45" ybr="25"/></image></annotations>"""
LABELME = {"shapes": [{"label": "sofa", "points": [[1, 1], [30, 20]], "shape_type": "rectangle"}],
           "imagePath": "plan.png", "imageWidth": 90, "imageHeight": 60}  # fmt: skip
RESULT = {"id": "a", "type": "rectanglelabels", "original_width": 90, "original_height": 60,
          "value": {"x": 9, "y": 9, "width": 9, "height": 9, "rectanglelabels": ["sofa"]},
          }  # fmt: skip
TASK = {
    "data": {"image": "/data/upload/1/0a1b2c3d-plan.png"},
    "annotations": [{"result": [RESULT]}],
}
EXPORTS = {
    "CVAT": {"annotations.xml": CVAT, "images/plan.png": "image"},
    "eScriptorium": {"plan.xml": PAGE.format("plan.png", "sofa"), "plan.png": "image",
                     "METS.xml": METS.format('<fileGrp USE="export"><file ID="a"><FLocat '
                                             'xlink:href="plan.xml"/></file></fileGrp>')},
    "Transkribus": {"1/doc/plan.png": "image",
                    "1/doc/page/plan.xml": PAGE.format("plan.png", "sofa")},
    "Roboflow": {"data.yaml": "train: ../train/images\nnames: [sofa]\n",
                 "train/images/plan.png": "image", "train/labels/plan.txt": "0 .5 .5 .2 .2\n"},
    "Label Studio": {"result.json": json.dumps([TASK]), "images/0a1b2c3d-plan.png": "image"},
    "VOC": {"VOC/Annotations/plan.xml": VOC.format("plan.png"),
            "VOC/ImageSets/Main/train.txt": "plan\n", "VOC/JPEGImages/plan.png": "image"},
    "labelme on a Mac": {"set/plan.json": json.dumps(LABELME), "set/plan.png": "image",
                         "__MACOSX/set/._plan.json": "junk"},
}  # fmt: skip


def content_of(text: str) -> bytes:
    if text != "image":
        return text.encode()
    buffer = io.BytesIO()
    Image.new("L", (90, 60), 255).save(buffer, "PNG")
    return buffer.getvalue()


def packed(path: Path, files: dict[str, str]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(name, content_of(text))
        return path
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content_of(text))
            tar.addfile(info, io.BytesIO(content_of(text)))
    return path


@pytest.mark.parametrize("producer", EXPORTS)
@pytest.mark.parametrize("name", ["export.zip", "export.tar.gz"])
def test_an_export_is_read_at_every_door(
    tmp_path: Path, producer: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = packed(tmp_path / name, EXPORTS[producer])
    truth = spotlab.read_truth(path)
    assert truth.labels == {"sofa": 1}
    [page] = truth.truth_set.truths.values()
    assert page.page.image.is_file()
    assert any("export.tar.gz was" in line or "export.zip was" in line for line in truth.remarks)
    assert command("validate", path) == 0
    assert command("convert", path, tmp_path / "out", "--to", "coco", "--images", "copy") == 0
    assert len(list((tmp_path / "out").rglob("*.png"))) == 1
    assert {each.name for each in tmp_path.iterdir()} == {name, "out"}  # nothing beside it
    capsys.readouterr()


def refused(path: Path, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        spotlab.read_truth(path)
    assert not any(cache_folder("unpacked").glob("*/*"))


@pytest.mark.parametrize(
    "name", ["../plan.xml", "/plan.xml", "a/../../plan.xml", "..\\plan.xml", "C:\\plan.xml"]
)
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    path = packed(tmp_path / "evil.zip", {"good.xml": "<a/>", name: "<b/>"})
    refused(path, "a name leads out of the archive")
    assert [each.name for each in tmp_path.iterdir()] == ["evil.zip"]


def test_links_are_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    refused(tmp_path / "a.zip", "a link")
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    refused(tmp_path / "a.tar", "a link")


def test_what_is_written_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAXIMUM_SIZE", 1 << 20)
    refused(packed(tmp_path / "bomb.zip", {"a.txt": "0" * (2 << 20)}), "more than 1,048,576 bytes")
    monkeypatch.setattr(containers, "MAXIMUM_FILES", 2)
    refused(packed(tmp_path / "many.zip", dict.fromkeys("abc", "")), "more than 2 files")


def test_a_damaged_archive_is_refused_in_words(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", EXPORTS["CVAT"])
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    refused(path, "cannot be unpacked")
    path = packed(tmp_path / "b.tar.gz", {"a.xml": CVAT * 999, "b.xml": CVAT})
    path.write_bytes(path.read_bytes()[:-40])
    refused(path, "cannot be unpacked|not known")


def test_an_archive_goes_where_it_is_asked_to(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", EXPORTS["CVAT"])
    assert is_archive(path) and not is_archive(tmp_path)
    unpack(path, tmp_path / "deep" / "a")
    assert (tmp_path / "deep" / "a" / "images" / "plan.png").is_file()
    with pytest.raises(NotSaved, match="is there already"):
        unpack(path, tmp_path / "deep" / "a")


@pytest.mark.parametrize("name", EXPORTS)
def test_what_is_converted_never_names_the_cache(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = packed(tmp_path / "export.zip", EXPORTS[name])
    target = tmp_path / "out.json"
    assert command("convert", path, target, "--to", "coco") == 2
    told = capsys.readouterr().err
    assert "is in the archive" in told and "--images copy" in told and not target.exists()
    folder = tmp_path / "out"
    assert command("convert", path, folder, "--to", "coco", "--images", "link") == 2
    assert command("convert", path, folder, "--to", "coco", "--images", "copy") == 0
    text = "".join(file.read_text() for file in folder.rglob("*.json"))
    assert str(cache_folder("unpacked")) not in text and "cache" not in text
    assert [file.suffix for file in folder.rglob("*.png")] == [".png"]


def test_images_that_are_not_in_the_archive_are_named_beside_it(tmp_path: Path) -> None:
    path = packed(tmp_path / "export.zip", {"annotations.xml": CVAT})
    target = tmp_path / "out.json"
    assert command("convert", path, target, "--to", "coco") == 0
    [image] = json.loads(target.read_text())["images"]
    assert image["file_name"] == "plan.png"


def test_the_image_inside_a_file_of_labelme_is_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (90, 60), "red").save(buffer, "PNG")
    inside = {**LABELME, "imageData": base64.b64encode(buffer.getvalue()).decode()}
    folder = tmp_path / "set"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.json").write_text(json.dumps({**inside, "imagePath": f"{name}.png"}))
    assert command("convert", folder, tmp_path / "out", "--to", "yolo", "--images", "copy") == 0
    assert sorted(file.name for file in (tmp_path / "out").rglob("*.png")) == ["a.png", "b.png"]
    assert sorted(file.name for file in folder.iterdir()) == ["a.json", "b.json"]
    assert command("validate", tmp_path / "out") == 0
    broken = {**LABELME, "imageData": base64.b64encode(b"no image").decode()}
    (folder / "a.json").write_text(json.dumps(broken))
    (folder / "b.json").unlink()
    assert command("convert", folder, tmp_path / "o2", "--to", "yolo", "--images", "copy") == 2
    assert "plan.png" in capsys.readouterr().err


def test_spotters_search_the_pages_of_an_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Image.new("L", (300, 200), 255)
    for left in (20, 200):
        page.paste(0, (left, 40, left + 40, 80))
        page.paste(255, (left + 8, 48, left + 32, 72))
    page.save(tmp_path / "plan.png")
    page.crop((10, 30, 70, 90)).save(tmp_path / "box.png")
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        archive.write(tmp_path / "plan.png", "scans/plan.png")
    out = tmp_path / "run.csv"
    assert command("spot", "symbols", "--pages", tmp_path / "pages.zip", "--query",
                   tmp_path / "box.png", "--out", out) == 0  # fmt: skip
    assert ",plan," in out.read_text()


def test_an_archive_in_an_archive_is_the_cause_that_is_named(tmp_path: Path, capsys) -> None:
    inner, outer = tmp_path / "inner.zip", tmp_path / "outer.zip"
    for path, name, content in ((inner, "a.txt", b"x"), (outer, "inner.zip", b"")):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, content or inner.read_bytes())
    assert command("convert", outer, tmp_path / "o.json") == 2
    assert "inner.zip is an archive, which has to be named itself" in capsys.readouterr().err
