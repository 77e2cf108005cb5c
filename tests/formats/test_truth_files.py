"""One image has one truth, and its image is found where the format has it: at every door."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from PIL import Image

import spotlab
from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import scan
from tests.judging_files import command, points, write_run

PAGE = """<?xml version="1.0"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata/>
<Page imageFilename="{0}" imageWidth="90" imageHeight="60">
<CustomRegion id="r1" type="{1}"><Coords points="5,5 45,5 45,25 5,25"/></CustomRegion>
</Page></PcGts>"""
ALTO = """<alto><Description><sourceImageInformation><fileName>{0}</fileName>
</sourceImageInformation></Description><Layout><Page WIDTH="90" HEIGHT="60"><PrintSpace>
<TextBlock><TextLine><String CONTENT="a" HPOS="5" VPOS="5" WIDTH="9" HEIGHT="9"/></TextLine>
</TextBlock></PrintSpace></Page></Layout></alto>"""
VOC = """<annotation><filename>{0}</filename><size><width>90</width><height>60</height></size>
<object><name>sofa</name><bndbox><xmin>6</xmin><ymin>6</ymin><xmax>45</xmax><ymax>25</ymax></bndbox>
</object></annotation>"""


def image(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (90, 60), 255).save(path)
    return path


def put(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def rivals(folder: Path, kind: str) -> list[Path]:
    """Two files that have the same right to be the truth of plan.png."""
    if kind == "of a file that may have several pages":
        image(folder / "plan.tif")
        return [put(folder / f"{name}.xml", PAGE.format("plan.tif", "sofa")) for name in "ab"]
    image(folder / "plan.png")
    if kind == "called otherwise":
        return [put(folder / f"plan_{name}.xml", PAGE.format("plan.png", "sofa"))
                for name in ("alt", "gt")]  # fmt: skip
    if kind == "in page and beside":
        return [put(folder / name, PAGE.format("plan.png", "sofa"))
                for name in ("plan.xml", "page/plan.xml")]  # fmt: skip
    if kind == "in two folders":
        return [put(folder / name / "plan.xml", PAGE.format("../plan.png", "sofa"))
                for name in ("anna", "ben")]  # fmt: skip
    shape = {"label": "sofa", "points": [[1, 1], [30, 1], [30, 20]], "shape_type": "polygon"}
    content = {"shapes": [shape], "imagePath": "plan.png", "imageWidth": 90, "imageHeight": 60}
    return [put(folder / "plan.json", json.dumps(content)),
            put(folder / "plan.xml", VOC.format("plan.png"))]  # fmt: skip


KINDS = ["called otherwise", "in page and beside", "in two folders",
         "of a file that may have several pages", "of two formats"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_several_truths_of_an_image_are_named(tmp_path: Path, kind: str, capsys) -> None:
    files = rivals(tmp_path / "set", kind)
    run = write_run(tmp_path / "run.csv", ("sofa", "plan", 1, points(0, 0, 9, 9)))
    asked = ("evaluate", "--truth", tmp_path / "set", "--run", run, "--draws", 0)
    for question in (asked, ("convert", tmp_path / "set", tmp_path / "out.json", "--to", "coco")):
        assert command(*question) == 2
        told = capsys.readouterr().err
        assert all(str(file) in told for file in files) and "name the file" in told
    assert not (tmp_path / "out.json").exists()
    with pytest.raises(SpotlabError, match="it has truth in"):
        spotlab.read_truth(tmp_path / "set")
    assert command("validate", tmp_path / "set") == 0
    said = capsys.readouterr().out
    assert all(f"the image has truth in {file}, too" in said for file in files)
    # the one that is named besides counts
    assert command(*asked, "--truth", files[1]) == 0
    assert spotlab.read_truth([tmp_path / "set", files[1]]).pages == ("plan",)


@pytest.mark.parametrize("kind", KINDS[:4])
def test_the_page_list_has_each_of_them(tmp_path: Path, kind: str) -> None:
    files = rivals(tmp_path / "set", kind)
    assert {entry.truth_path for entry in scan([tmp_path / "set"])} == set(files)


def test_the_file_called_like_the_image_is_its_truth_and_the_other_is_named(tmp_path: Path) -> None:
    image(tmp_path / "plan.png")
    put(tmp_path / "plan.xml", PAGE.format("plan.png", "sofa"))
    put(tmp_path / "old.xml", PAGE.format("plan.png", "bed"))
    truth = spotlab.read_truth(tmp_path)
    assert truth.labels == {"sofa": 1}
    assert [(each.path.name, each.kind) for each in truth.findings] == [("old.xml", "remark")]
    [entry] = scan([tmp_path])
    assert [path.name for path in entry.others] == ["old.xml"]


METS = """<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">
<fileSec>{0}</fileSec></mets>"""
MANY = {
    "Transkribus": ('<fileGrp ID="MASTER"><fileGrp ID="PAGEXML"><file ID="P" {1}><FLocat '
                    'xlink:href="page/1.xml"/></file></fileGrp></fileGrp>', "application/xml"),
    "eScriptorium": ('<fileGrp USE="export"><file ID="I"><FLocat xlink:href="1.png"/></file>'
                     '<file ID="P"><FLocat xlink:href="page/1.xml"/></file></fileGrp>', ""),
    "moved": ('<fileGrp USE="A"><file ID="P"><FLocat LOCTYPE="URL" '
              'xlink:href="file:///home/anna/export/page/1.xml"/></file></fileGrp>', "text/xml"),
}  # fmt: skip


@pytest.mark.parametrize("producer", MANY)
def test_mets_of_any_producer(tmp_path: Path, producer: str, capsys) -> None:
    folder = tmp_path / "doc"
    image(folder / "1.png")
    put(folder / "page" / "1.xml", PAGE.format("1.png", "sofa"))
    put(folder / "alto" / "1.xml", ALTO.format("1.png"))
    groups, kind = MANY[producer]
    put(folder / "mets.xml", METS.format(groups.replace("{1}", f'MIMETYPE="{kind}"')))
    for source in (folder, folder / "mets.xml"):
        truth = spotlab.read_truth(source)
        assert (truth.pages, truth.labels) == (("1",), {"sofa": 1})
        assert command("validate", source) == 0
        assert command("convert", source, tmp_path / "out.json", "--overwrite") == 0
        assert len(json.loads((tmp_path / "out.json").read_text())["images"]) == 1
    assert any("ALTO" in str(each) for each in spotlab.read_truth(folder).findings)
    capsys.readouterr()


@pytest.mark.parametrize(
    ("truth", "content", "there"),
    [
        ("VOC2007/Annotations/a.xml", VOC.format("a.png"), "VOC2007/JPEGImages/a.png"),
        ("VOC2007/Annotations/a.xml", VOC.format("a"), "VOC2007/JPEGImages/a.png"),
        ("set/xml/a.xml", VOC.format("Bu\u0308ro.png"), "set/photos/deep/B\u00fcro.png"),
        ("alto/a.xml", ALTO.format("a.png"), "images/a.png"),
        ("annotations/instances_val2017.json", "coco", "val2017/a.png"),
        ("truth/anno/x.json", "coco", "elsewhere/a.png"),
    ],
)
def test_images_are_found_in_the_layout_of_the_format(
    tmp_path: Path, truth: str, content: str, there: str
) -> None:
    if content == "coco":
        content = json.dumps({
            "images": [{"id": 1, "file_name": "a.png", "width": 90, "height": 60}],
            "categories": [{"id": 1, "name": "sofa"}],
            "annotations": [{"image_id": 1, "category_id": 1, "bbox": [5, 5, 9, 9]}]})  # fmt: skip
    folder = tmp_path / "set"
    put(folder / truth, content)
    found = image(folder / there)
    [page] = spotlab.read_truth(folder).truth_set.truths.values()
    assert page.page.image.samefile(found)


def test_an_image_that_is_nowhere_is_named(tmp_path: Path, capsys) -> None:
    put(tmp_path / "set" / "a.xml", VOC.format("a.png"))
    image(tmp_path / "set" / "one" / "b.png")
    assert command("convert", tmp_path / "set", tmp_path / "out") == 0
    assert "1 × image that is not there (first: a.png)" in capsys.readouterr().err


@pytest.mark.parametrize(
    "train",
    ["[images/train/1.png]", "train.txt", "lists", "/content/set/images/train", "../images/train",
     "windows.txt"],
)  # fmt: skip
def test_data_yaml_with_lists_of_images(tmp_path: Path, train: str, capsys) -> None:
    folder = tmp_path / "set"
    image(folder / "images" / "train" / "1.png")
    put(folder / "labels" / "train" / "1.txt", "0 0.5 0.5 0.25 0.2\n")
    put(folder / "train.txt", "data/images/train/1.png\n")
    put(folder / "windows.txt", "C:\\set\\images\\train\\1.png\r\n")
    if train == "lists":
        train = "[images/train, train.txt]"
    put(folder / "data.yaml", f"train: {train}\nnames: [sofa]\n")
    truth = spotlab.read_truth(folder)
    assert (truth.pages, truth.labels) == (("1",), {"sofa": 1})
    for question in (("validate", folder), ("convert", folder, tmp_path / "out")):
        assert command(*question) == 0


def test_bytes_are_no_list_of_images(tmp_path: Path, capsys) -> None:
    put(tmp_path / "set" / "data.yaml", "train: list.bin\nnames: [sofa]\n")
    (tmp_path / "set" / "list.bin").write_bytes(b"\xff\xd8\0\0" * 99)
    assert command("convert", tmp_path / "set", tmp_path / "out") == 2
    assert "list.bin is no list of images" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"Rar!\x1a\x07", "a RAR archive"), (b"7z\xbc\xaf\x27", "a 7z archive"),
     (b"%PDF-1.7", "a PDF file"), (b"PAR1", "a Parquet table")],
)  # fmt: skip
def test_a_refusal_says_what_the_file_is(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "truth.dat").write_bytes(content)
    with pytest.raises(SpotlabError, match=problem):
        spotlab.read_truth(tmp_path / "truth.dat")


def test_a_text_that_mentions_page_is_no_page(tmp_path: Path, capsys) -> None:
    path = put(tmp_path / "SOURCE.txt", "The root element of PAGE is PcGts.\n")
    assert command("validate", path) == 2
    assert "the format is not known" in capsys.readouterr().err


def test_packed_files_in_a_folder_are_read(tmp_path: Path) -> None:
    image(tmp_path / "a.png")
    shape = {"label": "sofa", "points": [[1, 1], [30, 20]], "shape_type": "rectangle"}
    content = {"shapes": [shape], "imagePath": "a.png", "imageWidth": 90, "imageHeight": 60}
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))
    assert spotlab.read_truth(tmp_path).labels == {"sofa": 1}


def test_spotting_names_several_truths_and_what_it_cannot_read(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "set"
    files = rivals(folder, "called otherwise")
    asked = ("spot", "symbols", "--pages", folder, "--query", "sofa", "--out", tmp_path / "run.csv")
    assert command(*asked) == 2
    told = capsys.readouterr().err
    assert all(str(file) in told for file in files)
    files[0].unlink()
    drawn = Image.new("L", (90, 60), 255)
    drawn.paste(0, (8, 8, 40, 20))
    drawn.save(folder / "plan.png")
    image(folder / "bad.png")
    (folder / "bad.xml").write_text(PAGE.format("bad.png", "sofa")[:-50])
    assert command(*asked) == 0
    assert "bad.xml, line" in capsys.readouterr().err
    assert command(*asked, "--strict") == 2


def test_masks_of_pages_are_no_pages(tmp_path: Path) -> None:
    """VOCdevkit has SegmentationClass/a.png for JPEGImages/a.jpg."""
    voc = tmp_path / "VOC2012"
    put(voc / "Annotations" / "a.xml", VOC.format("a.jpg"))
    for name in ("JPEGImages/a.jpg", "JPEGImages/b.jpg", "SegmentationClass/a.png"):
        image(voc / name)
    truth = spotlab.read_truth(tmp_path)
    assert (truth.pages, truth.truth_set.without_truth) == (("a",), ("b",))


def test_a_page_of_the_chosen_file_group_has_its_plain_name(tmp_path: Path) -> None:
    image(tmp_path / "OCR-D-IMG" / "1.png")
    groups = ""
    for name in ("OCR-D-GT-PAGE", "OCR-D-SEG"):
        put(tmp_path / name / "1.xml", PAGE.format("OCR-D-IMG/1.png", name))
        groups += (
            f'<fileGrp USE="{name}"><file ID="{name}"><FLocat xlink:href="{name}/1.xml"/></file>'
            "</fileGrp>"
        )
    put(tmp_path / "mets.xml", METS.format(groups))
    for chosen, label in (("", "OCR-D-GT-PAGE"), ("OCR-D-SEG", "OCR-D-SEG")):
        truth = spotlab.read_truth(tmp_path, file_group=chosen)
        assert (truth.pages, truth.labels) == (("1",), {label: 1})


def test_a_page_that_mets_names_and_is_not_there_is_named_at_every_door(
    tmp_path: Path, capsys
) -> None:
    image(tmp_path / "1.png")
    put(tmp_path / "page" / "1.xml", PAGE.format("1.png", "sofa"))
    files = "".join(
        f'<file ID="{at}" MIMETYPE="application/vnd.prima.page+xml">'
        f'<FLocat xlink:href="page/{at}.xml"/></file>'
        for at in (1, 2)
    )
    put(tmp_path / "mets.xml", METS.format(f'<fileGrp USE="GT">{files}</fileGrp>'))
    problem = "mets.xml, file group GT: page/2.xml is not there; expected the whole workspace"
    for source in (tmp_path, tmp_path / "mets.xml"):
        assert command("convert", source, tmp_path.parent / f"{source.name}.json") == 0
        said = capsys.readouterr()
        assert problem in said.out + said.err
        assert command("convert", "--strict", source, tmp_path.parent / "no.json") == 2
        assert problem in capsys.readouterr().err


def test_an_image_that_is_twice_in_a_file_is_named_at_every_door(tmp_path: Path, capsys) -> None:
    image(tmp_path / "plan.png")
    images = [{"id": at, "file_name": "plan.png", "width": 90, "height": 60} for at in (1, 2)]
    boxes = [{"id": at, "image_id": at, "category_id": 1, "bbox": [1, 1, 9, 9]} for at in (1, 2)]
    content = {"images": images, "annotations": boxes, "categories": [{"id": 1, "name": "sofa"}]}
    path = put(tmp_path / "coco.json", json.dumps(content))
    run = write_run(tmp_path / "run.csv", ("sofa", "plan", 0.9, points(1, 1, 10, 10)))
    for arguments in (
        ("validate", path),
        ("convert", path, tmp_path / "o.json"),
        ("convert", path, tmp_path / "o", "--to", "page"),
        ("evaluate", "--truth", path, "--run", run),
    ):
        assert command(*arguments) == 2
        assert "coco.json: the image plan.png is in it twice" in capsys.readouterr().err


def test_pages_of_one_image_file_are_all_validated(tmp_path: Path, capsys) -> None:
    page = Image.new("L", (90, 60), 255)
    page.save(tmp_path / "scan.tif", save_all=True, append_images=[page.copy()])
    one = ALTO.format("scan.tif")
    inner = one[one.index("<Page") : one.index("</Layout>")]
    path = put(tmp_path / "scan.xml", one.replace(inner, inner + inner))
    assert command("validate", path) == 0
    assert "2 pages with truth" in capsys.readouterr().out


def test_page_xml_of_any_name_is_read_at_every_door(tmp_path: Path, capsys) -> None:
    image(tmp_path / "plan.png")
    path = put(tmp_path / "plan.page", PAGE.format("plan.png", "sofa"))
    assert command("validate", path) == 0
    assert command("convert", path, tmp_path / "o.json") == 0
    assert spotlab.read_truth(path).labels == {"sofa": 1}


@pytest.mark.parametrize("images", ["none", "copy"])
def test_page_xml_that_is_written_elsewhere_names_its_image(
    tmp_path: Path, images: str, capsys
) -> None:
    image(tmp_path / "in" / "plan.png")
    before = PAGE.format("plan.png", "sofa")
    put(tmp_path / "in" / "page" / "plan.xml", before)
    arguments = tmp_path / "in", tmp_path / "o", "--to", "page", "--images", images
    assert command("convert", *arguments) == 0
    assert command("validate", tmp_path / "o") == 0
    after = (tmp_path / "o" / "plan.xml").read_text()
    name = "plan.png" if images == "copy" else "../in/plan.png"
    assert f'imageFilename="{name}"' in after
    assert after.partition("<CustomRegion")[2] == before.partition("<CustomRegion")[2]
