"""PAGE XML of other programs: every real file goes round, valid, with nothing lost."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from lxml import etree
from pypxml import PageXML

from spotlab.errors import BadInput
from spotlab.formats.collection.folder import scan, summary
from spotlab.formats.truth import page_xml
from spotlab.model import Region
from spotlab.model.region import labels_of
from tests.formats.page_files import assert_valid, is_valid

NOW = datetime(2026, 11, 21, 5, 6, 7)


def page_files(shared_data: Path) -> list[Path]:
    found = [
        *(shared_data / "page_alto_xsd" / "examples").glob("*.xml"),
        *(shared_data / "kant_ocr_systems").glob("*/*.xml"),
    ]
    files = [path for path in found if b"cGts" in path.read_bytes()[:400]]
    assert len(files) == 24
    return files


def canonical(content: bytes) -> str:
    """C14N without the time of the last change."""
    root = etree.fromstring(content)
    for node in root.iter("{*}LastChange", "{*}pcLastChange"):
        node.text = ""
    return str(etree.canonicalize(root, with_comments=True))


@pytest.mark.slow
def test_every_file_goes_round(shared_data: Path) -> None:
    for path in page_files(shared_data):
        truth = page_xml.read(path)
        content = page_xml.serialise(truth, NOW)
        again = page_xml.parse(content, path)
        assert again.regions == truth.regions, path
        assert page_xml.serialise(again, NOW) == content
        assert canonical(content) == canonical(truth.source), path


@pytest.mark.slow
def test_every_file_stays_valid_under_edits(shared_data: Path) -> None:
    new = Region(((10, 10), (60, 10), (60, 40)), "sofa", "new")
    for path in page_files(shared_data):
        truth = page_xml.read(path)
        changed = tuple(replace(each, label="x", comment="y", text="z") for each in truth.regions)
        changes = [(), (*truth.regions[:0:-2], new, *truth.regions[:1]), changed]
        for regions in changes:
            content = page_xml.serialise(replace(truth, regions=regions), NOW)
            if is_valid(truth.source):
                assert_valid(content)
            assert page_xml.parse(content, path).regions == regions


def test_another_library_reads_them_back(shared_data: Path, tmp_path: Path) -> None:
    for number, path in enumerate(page_files(shared_data)):
        truth = page_xml.read(path)
        saved = tmp_path / f"{number}.xml"
        page_xml.write(truth, saved, NOW)
        if not re.search(rb"pagecontent/201[3-9]-07-15", truth.source[:800]):
            continue  # this library does not know what was before
        theirs = PageXML.open(saved, raise_on_error=False)
        found = {node["id"] for node in theirs.find_all(depth=-1) if node.is_region}
        assert {region.id for region in truth.regions} <= found, path


def test_the_older_layout_is_read(shared_data: Path) -> None:
    path = shared_data / "page_alto_xsd" / "examples" / "OLD_pcGts_mp00105.xml"
    truth = page_xml.read(path)
    assert (truth.page.width, truth.page.height) == (2280, 3257)
    assert labels_of(truth.regions) == {
        "floating": 3, "footer": 1, "heading": 2, "image": 1, "noise": 1, "page-number": 1,
        "paragraph": 3, "separator": 6,
    }  # fmt: skip
    assert truth.regions[0].points[0] == (2141, 525)


def test_summaries_agree_with_the_files(shared_data: Path) -> None:
    for path in page_files(shared_data):
        truth = page_xml.read(path)
        found = summary(path)
        assert found.labels == labels_of(truth.regions), path
        assert found.state == truth.state


def test_words_of_ocr_systems(shared_data: Path) -> None:
    path = next((shared_data / "kant_ocr_systems").glob("*gt4histocr*/*_0001.xml"))
    truth = page_xml.parse(path.read_bytes(), path, words=True)
    text = " ".join(region.text for region in truth.regions)
    assert len(truth.regions) > 100
    assert "Berliniſche" in text


def test_a_folder_of_files_finds_its_images(shared_data: Path) -> None:
    entries = scan([shared_data / "kant_ocr_systems" / "OCR-D-GT-PAGE"])
    assert [(entry.image.name, entry.missing) for entry in entries] == [
        ("INPUT_0017.tif", False), ("INPUT_0020.tif", False),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["UIBK_impactgt_0003.xml", "impactgt.xsd"])
def test_other_xml_is_refused(shared_data: Path, name: str) -> None:
    path = shared_data / "page_alto_xsd" / "examples" / name
    with pytest.raises(BadInput, match="expected PcGts"):
        page_xml.read(path)
