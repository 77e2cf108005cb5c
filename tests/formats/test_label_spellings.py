"""Labels, queries and votes that only differ in how Unicode spells their accents are the same."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from spotlab.api.evaluate import evaluate
from spotlab.formats.collection.label_file import open_collection_file, read_labels
from spotlab.formats.votes.reading import read_votes
from spotlab.model import Region
from spotlab.model.region import LabelSet

APART, TOGETHER = (unicodedata.normalize(form, "Tür") for form in ("NFD", "NFC"))
BOX = "0,0 20,0 20,10 0,10"


@pytest.mark.parametrize("truth_name", [APART, TOGETHER])
@pytest.mark.parametrize("query", [APART, TOGETHER])
@pytest.mark.parametrize("form", ["table", "coco"])
def test_a_query_finds_the_label_that_looks_the_same(
    truth_name: str, query: str, form: str, tmp_path: Path
) -> None:
    truth = {"page": ["p"], "label": [truth_name], "points": [BOX], "page_width": [99],
             "page_height": [99]}  # fmt: skip
    run: object = {"query": [query], "page": ["p"], "score": [1], "points": [BOX]}
    if form == "coco":
        file = tmp_path / "run.json"
        file.write_text(json.dumps([
            {"image_id": "p", "category_id": query, "bbox": [0, 0, 20, 10], "score": 1}
        ]))  # fmt: skip
        run = file
    (found,) = evaluate(truth, run, draws=0).evaluation.runs
    assert found.figures.mean["f"] == 1
    assert not found.unsearched and not found.unknown_queries


def test_a_label_set_has_one_of_two_spellings(tmp_path: Path) -> None:
    labels = LabelSet().with_label(APART)
    assert TOGETHER in labels and APART in labels and labels[APART].name == TOGETHER
    assert len(labels.with_label(TOGETHER)) == 1
    assert Region(((0, 0), (9, 0), (9, 9)), APART).label == TOGETHER
    assert Region(((0, 0), (9, 0), (9, 9))).with_label(APART).label == TOGETHER
    (tmp_path / "spotlab.json").write_text(json.dumps(
        {"labels": [{"name": APART, "digit": "1"}, {"name": TOGETHER, "digit": "2"}]}
    ))  # fmt: skip
    assert [label.name for label in read_labels(tmp_path)] == [TOGETHER]
    file = open_collection_file(tmp_path)
    said = file.look()
    assert [label.name for label in file.value.labels] == [TOGETHER]
    assert "there is a label" in str(said)


def test_votes_on_one_item_are_of_one_item(tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    table.write_text(f"item,system,vote\n{APART},{APART},1\n{TOGETHER},b,0\n")
    read = read_votes([table])
    assert (read.items, read.systems) == ((TOGETHER,), (TOGETHER, "b"))
    other = tmp_path / "votes.csv"
    other.write_text(f"item,{APART}\n{APART},1\n{TOGETHER},0\n")
    read = read_votes([other])
    assert (read.items, read.systems, len(read.bad_lines)) == ((TOGETHER,), (TOGETHER,), 1)
