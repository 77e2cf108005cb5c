"""Pages of the same file name in different folders: each is judged, kept and written as itself."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import spotlab
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region, Truth
from spotlab.studies.tally.truth import explain_unmatched, match_pages, read_truths
from tests.judging_files import command

OUTLINES = {"docA": "5,5 25,5 25,40 5,40", "docB": "50,5 90,5 90,40 50,40"}


def region(folder: str) -> Region:
    points = tuple(
        (float(x), float(y)) for x, y in (p.split(",") for p in OUTLINES[folder].split())
    )
    return Region(points, "bed")


def image(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (200, 100), 255).save(path)
    return path


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    for folder in OUTLINES:
        plan = image(tmp_path / "plans" / folder / "p1.png")
        page_xml.write(Truth(Page(plan, 200, 100), (region(folder),)), plan.with_suffix(".xml"))
    return tmp_path / "plans"


@pytest.fixture
def annotations(collection: Path) -> Path:
    """The same as one COCO file, whose images have folders in their names."""
    content = {
        "images": [
            {"id": number, "file_name": f"{folder}/p1.png", "width": 200, "height": 100}
            for number, folder in enumerate(OUTLINES)
        ],
        "annotations": [
            {"id": number, "image_id": number, "category_id": 1,
             "bbox": [region(folder).bounds[0], 5, 20 if number == 0 else 40, 35]}
            for number, folder in enumerate(OUTLINES)
        ],
        "categories": [{"id": 1, "name": "bed"}],
    }  # fmt: skip
    for file in collection.rglob("*.xml"):
        file.unlink()
    path = collection / "truth.json"
    path.write_text(json.dumps(content))
    return path


def run_of(path: Path, pages: dict[str, str]) -> Path:
    rows = [
        f'bed,{page},{n},"{OUTLINES[folder]}"' for n, (page, folder) in enumerate(pages.items(), 1)
    ]
    path.write_text("\n".join(["query,page,rank,points", *rows]))
    return path


@pytest.mark.parametrize("names", ["{}/p1", "{}/p1.png", "x/{}/p1.jpg", "C:\\y\\{}\\p1"])
def test_a_run_says_folders_and_is_judged_right(collection: Path, names: str) -> None:
    run = run_of(collection / "run.csv", {names.format(folder): folder for folder in OUTLINES})
    result = spotlab.evaluate(collection, run)
    assert list(result.pages()["page"]) == ["docA/p1", "docB/p1"]
    assert result.evaluation.runs[0].left_out == ()
    pages = match_pages([names.format(folder) for folder in OUTLINES], read_truths([collection]))
    assert list(pages.values()) == ["docA/p1", "docB/p1"]


def test_a_name_that_means_two_pages_is_left_out_and_explained(collection: Path) -> None:
    truths = read_truths([collection])
    assert match_pages(["p1", "docC/p1"], truths) == {"p1": None, "docC/p1": None}
    assert explain_unmatched("p1", truths) == "the name may mean docA/p1 or docB/p1"


def test_a_page_of_another_folder_is_not_taken_for_the_one_with_truth(collection: Path) -> None:
    (collection / "docB" / "p1.xml").unlink()
    (collection / "docB" / "p1.png").unlink()
    truths = read_truths([collection])
    assert list(truths.truths) == ["p1"]
    found = match_pages(["docA/p1.png", "docB/p1.png"], truths)
    assert found == {"docA/p1.png": "p1", "docB/p1.png": None}
    assert "in another folder" in explain_unmatched("docB/p1.png", truths)


def test_one_file_with_folders_in_its_names_gives_the_same_pages(annotations: Path) -> None:
    truths = read_truths([annotations])
    assert list(truths.truths) == ["docA/p1", "docB/p1"] and not truths.without_truth
    assert truths.image_ids == {0: "docA/p1", 1: "docB/p1"}
    assert list(read_truths([annotations.parent]).truths) == ["docA/p1", "docB/p1"]
    assert not read_truths([annotations.parent]).without_truth


@pytest.mark.parametrize("target", ["page", "voc", "labelme", "yolo", "yolo-seg"])
def test_each_page_has_a_file_of_its_own(annotations: Path, tmp_path: Path, target: str) -> None:
    assert command("convert", annotations, tmp_path / "out", "--to", target) == 0
    files = {
        file.relative_to(tmp_path / "out").with_suffix("").as_posix().removeprefix("labels/")
        for file in (tmp_path / "out").rglob("*.*")
        if file.suffix in (".xml", ".json", ".txt") and file.stem == "p1"
    }
    assert files == {"docA/p1", "docB/p1"}


def test_a_table_keeps_pages_of_two_folders_apart(collection: Path) -> None:
    table = {"page": [f"{folder}/p1" for folder in OUTLINES], "label": ["bed", "bed"],
             "points": list(OUTLINES.values())}  # fmt: skip
    truth = spotlab.read_truth(table, images=collection)
    assert truth.pages == ("docA/p1", "docB/p1") and truth.regions == 2
    assert list(truth.frame()["page"]) == ["docA/p1", "docB/p1"]


def test_accents_written_apart_are_the_same_page(tmp_path: Path) -> None:
    apart, together = (unicodedata.normalize(form, "Büro") for form in ("NFD", "NFC"))
    assert apart != together
    plan = image(tmp_path / apart / f"{apart}.png")
    truth = Truth(Page(plan.with_name(f"{together}.png"), 200, 100), (region("docA"),))
    page_xml.write(truth, plan.with_name(f"{together}.xml"))
    truths = read_truths([tmp_path])
    assert list(truths.truths) == [together]
    assert truths.truths[together].page.image == plan
    assert match_pages([apart, f"{together}/{apart}.png"], truths) == {
        apart: together, f"{together}/{apart}.png": together,
    }  # fmt: skip


def test_an_image_of_yolo_and_its_text_file_spell_accents_in_different_ways(tmp_path: Path) -> None:
    apart, together = (unicodedata.normalize(form, "Büro") for form in ("NFD", "NFC"))
    image(tmp_path / "images" / f"{apart}.png")
    labels = tmp_path / "labels" / f"{together}.txt"
    labels.parent.mkdir()
    labels.write_text("0 0.5 0.5 0.2 0.2\n")
    (tmp_path / "data.yaml").write_text("train: images\nval: images\nnames: [sofa]\n")
    truth = spotlab.read_truth(tmp_path)
    assert (truth.pages, truth.labels) == ((together,), {"sofa": 1})


@pytest.mark.parametrize("spelled", [str.lower, str.title, str.upper])
def test_folders_of_yolo_may_begin_with_a_capital(
    tmp_path: Path, spelled: Callable[[str], str]
) -> None:
    image(tmp_path / spelled("images") / "1.JPG")
    labels = tmp_path / spelled("labels") / "1.txt"
    labels.parent.mkdir()
    labels.write_text("0 0.5 0.5 0.2 0.2\n")
    (tmp_path / "data.yaml").write_text(f"train: {spelled('images')}\nnames: [sofa]\n")
    truth = spotlab.read_truth(tmp_path)
    assert (truth.pages, truth.labels) == (("1",), {"sofa": 1})


def test_the_folder_of_truth_below_its_images_can_be_opened_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = image(tmp_path / "doc" / "plan.png")
    truth = Truth(Page(plan, 200, 100), (region("docA"),))
    (plan.parent / "page").mkdir()
    page_xml.write(truth, plan.parent / "page" / "plan.xml")
    assert list(read_truths([plan.parent / "page"]).truths) == ["plan"]
    monkeypatch.chdir(plan.parent / "page")
    assert command("validate", ".") == 0
    assert list(read_truths([Path(".")]).truths) == ["plan"]
    assert list(read_truths([plan.parent]).truths) == ["plan"]
