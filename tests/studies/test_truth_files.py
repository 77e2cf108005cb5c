"""The truth that runs are judged by: from folders and files, and which page a run means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from spotlab.errors import BadInput
from spotlab.formats.truth import page_xml
from spotlab.model import Page, Region, Truth
from spotlab.studies.tally.truth import TruthSet, explain_unmatched, match_pages, read_truths

RING = ((0, 0), (4, 0), (4, 4))


def write_truth(folder: Path, name: str, *, image: bool = True, xml: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if image:
        Image.new("L", (9, 7)).save(folder / name)
    truth = Truth(Page(folder / name, 9, 7), (Region(RING, "sofa"),))
    path = folder / (xml or f"{Path(name).stem}.xml")
    page_xml.write(truth, path)
    return path


def test_a_folder_gives_its_pages_in_natural_order(tmp_path: Path) -> None:
    write_truth(tmp_path, "plan_10.png")
    write_truth(tmp_path / "more", "plan_2.png")
    write_truth(tmp_path, "gone.png", image=False)
    Image.new("L", (9, 7)).save(tmp_path / "bare_2.png")
    Image.new("L", (9, 7)).save(tmp_path / "bare_1.png")
    told: list[str] = []
    found = read_truths([tmp_path], progress=lambda _done, _total, doing: told.append(doing))
    assert list(found.truths) == ["gone", "plan_2", "plan_10"]
    assert [truth.page.name for truth in found.truths.values()] == list(found.truths)
    assert found.without_truth == ("bare_1", "bare_2")
    assert found.truths["gone"].page.area == 63
    assert found.truths["gone"].regions[0].label == "sofa"
    assert "reading truth" in told


def test_pages_of_one_file_have_their_numbers(tmp_path: Path) -> None:
    frames = [Image.new("L", (9, 7)) for _ in range(3)]
    frames[0].save(tmp_path / "scan.tif", save_all=True, append_images=frames[1:])
    write_truth(tmp_path, "scan.tif", image=False, xml="scan_p2.xml")
    found = read_truths([tmp_path])
    assert list(found.truths) == ["scan_p2"]
    assert (found.truths["scan_p2"].page.frame, found.truths["scan_p2"].page.frames) == (1, 3)
    assert found.without_truth == ("scan_p1", "scan_p3")
    assert match_pages(["scan_p2", "scan_p1"], found) == {"scan_p2": "scan_p2", "scan_p1": None}


def test_one_file_given_twice_is_read_once(tmp_path: Path) -> None:
    file = write_truth(tmp_path / "a", "plan.png")
    assert list(read_truths([tmp_path, file, tmp_path / "a" / "plan.png"]).truths) == ["plan"]


def test_no_pages_at_all(tmp_path: Path) -> None:
    for paths in ([], [tmp_path]):
        with pytest.raises(BadInput, match="it has no truth"):
            read_truths(paths)
    with pytest.raises(BadInput, match="does not exist"):
        read_truths([tmp_path / "none"])
    (tmp_path / "bad.xml").write_text("<x")
    with pytest.raises(BadInput, match=r"bad\.xml"):
        read_truths([tmp_path / "bad.xml"])


def coco(path: Path, names: list[str], category: str = "sofa") -> Path:
    images = [{"id": i, "file_name": f"{name}.png", "width": 9, "height": 7}
              for i, name in enumerate(names)]  # fmt: skip
    annotation = {"id": 1, "image_id": 0, "category_id": 3, "bbox": [0, 0, 2, 2]}
    categories = [{"id": 3, "name": category}]
    path.write_text(
        json.dumps({"images": images, "annotations": [annotation], "categories": categories})
    )
    return path


def test_coco_truth_says_what_the_ids_mean(tmp_path: Path) -> None:
    found = read_truths([coco(tmp_path / "a.json", ["one", "two"])])
    assert list(found.truths) == ["one", "two"]
    assert found.image_ids == {0: "one", 1: "two"}
    assert found.categories == {3: "sofa"}
    assert found.truths["one"].regions[0].area == 4
    both = [tmp_path / "a.json", coco(tmp_path / "b.json", ["three"])]
    found = read_truths(both)
    assert found.image_ids == {1: "two"}
    assert found.categories == {3: "sofa"}
    assert found.remarks == ("image_id 0 means different things in the truth files: one, three",)


def test_words_can_be_the_truth(tmp_path: Path) -> None:
    path = write_truth(tmp_path, "plan.png")
    word = (
        '<TextRegion id="t"><Coords points="0,0 9,0 9,9"/><TextLine id="l">'
        '<Coords points="0,0 9,0 9,9"/><Word id="w"><Coords points="1,1 3,1 3,3"/><TextEquiv>'
        "<Unicode>Hi</Unicode></TextEquiv></Word></TextLine></TextRegion></Page>"
    )
    path.write_text(path.read_text("utf-8").replace("</Page>", word), "utf-8")
    assert [r.label for r in read_truths([tmp_path]).truths["plan"].regions] == ["sofa", "text"]
    words = read_truths([tmp_path], words=True).truths["plan"].regions
    assert [(word.label, word.text, word.area) for word in words] == [("word", "Hi", 2)]
    assert read_truths([path], words=True).truths["plan"].regions == words


def test_a_page_is_found_by_any_of_its_names() -> None:
    pages = [Page(Path("in/plan.png"), 9, 9), Page(Path("v1.2.jpg"), 9, 9),
             Page(Path("scan.tif"), 9, 9, 0, 2), Page(Path("scan.tif"), 9, 9, 1, 2)]  # fmt: skip
    found = TruthSet({page.name: Truth(page) for page in pages}, without_truth=("bare",))
    expected = {
        "plan": "plan", "plan.png": "plan", "plan.tif": "plan", "x/y/plan.png": "plan",
        "C:\\x\\plan.JPG": "plan", "plan.xml": "plan", "v1.2": "v1.2", "v1.2.jpg": "v1.2",
        "v1": None, "v1.3": None, "scan_p2": "scan_p2", "scan.tif": None, "Plan": None,
        "bare.png": None, "": None,
    }  # fmt: skip
    assert {name: match_pages([name], found)[name] for name in expected} == expected
    assert explain_unmatched("scan.tif", found) == "the name may mean scan_p1 or scan_p2"
    assert explain_unmatched("in/bare.png", found) == "the page has no truth file"
    assert explain_unmatched("Plan", found) == "there is no such page in the truth"


def test_a_page_with_a_namesake_without_truth_needs_its_file_name(tmp_path: Path) -> None:
    write_truth(tmp_path, "a.png")
    Image.new("L", (9, 7)).save(tmp_path / "a.jpg")
    found = read_truths([tmp_path])
    expected = {"a.png": "a.png", "a": None, "a.jpg": None}
    assert match_pages(["a.png", "a", "a.jpg"], found) == expected
    assert explain_unmatched("a", found) == "the name may mean a.jpg or a.png"


def test_a_folder_without_page_gives_its_truth_of_other_formats(tmp_path: Path) -> None:
    for name in ("one", "bare"):
        Image.new("L", (9, 7)).save(tmp_path / f"{name}.png")
    coco(tmp_path / "truth.json", ["one", "two"])
    (tmp_path / "results.json").write_text("[]")
    found = read_truths([tmp_path])
    assert list(found.truths) == ["one", "two"]
    assert found.without_truth == ("bare",)
    assert found.remarks == ("results.json was skipped: the format is not known",)
