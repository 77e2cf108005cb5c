"""Words, lines and blocks are taken from every format that has them, and refused by the others."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from tests.formats.test_truth_files import METS, VOC
from tests.judging_files import command

BOX = 'HPOS="5" VPOS="5" WIDTH="40" HEIGHT="20"'
PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata/>
<Page imageFilename="a.png" imageWidth="90" imageHeight="60"><TextRegion id="r"><Coords
points="5,5 45,5 45,25 5,25"/><TextLine id="l"><Coords points="5,5 45,5 45,25 5,25"/>
<Word id="w"><Coords points="5,5 45,5 45,25 5,25"/><TextEquiv><Unicode>a</Unicode></TextEquiv>
</Word></TextLine></TextRegion></Page></PcGts>"""
FILES = {
    "a.xml": PAGE,
    "alto.xml": "<alto><Description><sourceImageInformation><fileName>a.png</fileName>"
    "</sourceImageInformation></Description><Layout><Page WIDTH='90' HEIGHT='60'><PrintSpace>"
    f"<TextBlock ID='b' {BOX}><TextLine ID='l' {BOX}><String ID='s' CONTENT='a' {BOX}/></TextLine>"
    "</TextBlock></PrintSpace></Page></Layout></alto>",
    "a.hocr": "<div class='ocr_page' title='image a.png; bbox 0 0 90 60'><div class='ocr_carea' "
    "title='bbox 5 5 45 25'><span class='ocr_line' title='bbox 5 5 45 25'><span class='ocrx_word' "
    "title='bbox 5 5 45 25'>a</span></span></div></div>",
    "mets.xml": METS.format('<fileGrp USE="GT"><file ID="a"><FLocat xlink:href="a.xml"/></file>'
                            "</fileGrp>"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Image.new("L", (90, 60), 255).save(tmp_path / "a.png")
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def labels(source: Path, *options: str) -> dict[str, int]:
    target = source.parent / "out.json"
    assert command("convert", source, target, "--overwrite", *options) == 0
    content = json.loads(target.read_text())
    names = {category["id"]: category["name"] for category in content["categories"]}
    return Counter(names[annotation["category_id"]] for annotation in content["annotations"])


@pytest.mark.parametrize("name", FILES)
def test_each_is_taken_where_it_is_asked_for(folder: Path, name: str) -> None:
    assert labels(folder / name, "--words") == {"word": 1}
    assert labels(folder / name, "--lines") == {"line": 1}
    block = "text" if name in ("a.xml", "mets.xml") else "block"
    assert labels(folder / name, "--blocks") == {block: 1}
    assert labels(folder / name, "--words", "--lines") == {"word": 1, "line": 1}
    assert labels(folder / name, "--words", "--blocks") == {"word": 1, block: 1}


def test_a_format_without_them_refuses(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "voc.xml").write_text(VOC.format("a.png"))
    for option in ("--words", "--lines", "--blocks"):
        assert command("convert", folder / "voc.xml", folder / "no.json", option) == 2
        assert f"Pascal VOC has no {option[2:]}" in capsys.readouterr().err


def test_regions_that_have_a_text_are_words(folder: Path, capsys) -> None:
    shapes = [{"label": "sofa", "points": [[1, 1], [30, 20]], "shape_type": "rectangle",
               "spotlab": {"text": text}} for text in ("orders", "")]  # fmt: skip
    content = {"shapes": shapes, "imagePath": "a.png", "imageWidth": 90, "imageHeight": 60}
    (folder / "a.json").write_text(json.dumps(content))
    assert labels(folder / "a.json", "--words") == {"sofa": 1}
    assert "1 × region without a text" in capsys.readouterr().err


def test_a_file_group_needs_mets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("convert", folder / "a.xml", folder / "no.json", "--file-group", "GT") == 2
    assert "no METS" in capsys.readouterr().err
    assert command("convert", folder / "mets.xml", folder / "no.json", "--file-group", "GT") == 0
    run = folder / "run.csv"
    run.write_text('query,page,score,points\ntext,a,1,"5,5 45,5 45,25"\n')
    asked = ("evaluate", "--run", run, "--draws", 0, "--file-group", "GT", "--truth")
    assert command(*asked, folder / "mets.xml") == 0
    assert command(*asked, folder / "alto.xml") == 2
