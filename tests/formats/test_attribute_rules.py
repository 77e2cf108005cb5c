"""Rules for attributes: in spotlab.json, in label sets of other programs, and in validation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import spotlab
from spotlab.cli import root
from spotlab.errors import BadInput
from spotlab.formats.collection.label_file import (
    merge_label_sets,
    open_collection_file,
    read_labels,
    write_labels,
)
from spotlab.formats.collection.label_table import read_label_table, write_label_table
from spotlab.formats.truth import page_xml
from spotlab.model import AttributeKind, Attributes, AttributeSpec, Label, LabelSet, Region, Truth
from tests.formats.exchanged import blank_page, read, write

BOX = ((10, 10), (60, 10), (60, 60), (10, 60))
RULES = (
    AttributeSpec("seats", AttributeKind.WHOLE, required=True, description="How many"),
    AttributeSpec("parts", AttributeKind.CHOICES, ("arm", "back"), ("arm",)),
    AttributeSpec("seen", AttributeKind.YES_NO, default=False),
)
LABELS = LabelSet(
    (Label("sofa", "#112233", "1", attributes=RULES), Label("bed", "#445566", "2")),
    attributes=(AttributeSpec("angle", AttributeKind.NUMBER, default=0),),
)


def test_they_stay_in_the_collection_with_what_else_is_there(tmp_path: Path) -> None:
    path = tmp_path / "spotlab.json"
    path.write_text(json.dumps({"labels": [{"name": "sofa", "mine": 1}], "other": 2}))
    write_labels(tmp_path, LABELS)
    assert read_labels(tmp_path) == LABELS
    content = json.loads(path.read_text())
    assert content["other"] == 2 and content["labels"][0]["mine"] == 1
    write_labels(tmp_path, LABELS.with_specs("", ()).with_specs("sofa", ()))
    assert "attributes" not in path.read_text()
    write_label_table(tmp_path / "labels.json", LABELS)
    assert read_label_table(tmp_path / "labels.json") == LABELS


WRONG = [
    ({"kind": "text"}, "labels[0].attributes[1]: object missing required field `name`"),
    ({"name": "s", "kind": "colour"}, 'labels[0].attributes[1].kind: "colour" is no kind'),
    ({"name": "s", "least": 1}, "labels[0].attributes[1]: object contains unknown field `least`"),
    ({"name": "s", "kind": "one of a list"}, "labels[0].attributes[1]: an attribute of the kind"),
    ({"name": "s", "default": 3}, "labels[0].attributes[1]: the default “3” is not a text"),
    ({"name": "a"}, "labels[0].attributes[1]: there is an attribute 'a' already"),
    ("state", "labels[0].attributes[1]: expected `object`"),
]


@pytest.mark.parametrize(("rule", "said"), WRONG)
def test_a_rule_that_makes_no_sense_is_named_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: object, said: str
) -> None:
    path = tmp_path / "spotlab.json"
    content = {"labels": [{"name": "sofa", "attributes": [{"name": "a"}, rule]}, {"name": "bed"}]}
    path.write_text(json.dumps(content))
    with pytest.raises(BadInput) as raised:
        read_labels(tmp_path)
    assert said in str(raised.value).replace("spotlab.json, ", "spotlab.json: ")
    blank_page(tmp_path)
    page_xml.write(Truth(blank_page(tmp_path)), tmp_path / "plan.xml")
    with pytest.raises(SystemExit) as ended:
        root.main(["validate", str(tmp_path)])
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert (told.out + told.err).count(said.split(": ", maxsplit=1)[0]) == 1
    file = open_collection_file(tmp_path)  # the window uses all else
    file.look()
    assert [label.name for label in file.value.labels] == ["sofa", "bed"]
    assert [spec.name for spec in file.value.labels["sofa"].attributes] == ["a"]


def test_two_windows_change_different_rules() -> None:
    base = LABELS
    mine = base.with_specs("bed", (AttributeSpec("state"),))
    theirs = base.with_specs("", (*base.attributes, AttributeSpec("note")))
    merged = merge_label_sets(base, mine, theirs)
    assert merged.value["bed"].attributes == mine["bed"].attributes
    assert merged.value.attributes == theirs.attributes and not merged.remarks
    other = base.with_specs("", (AttributeSpec("angle"),))
    both = merge_label_sets(
        base, base.with_specs("", (AttributeSpec("angle", required=True),)), other
    )
    assert both.value.attributes[0].required
    assert any("“angle” was changed in another window" in line for line in both.remarks)


def test_validating_names_file_and_region_of_what_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = {"seats": "3", "parts": ("arm", "leg"), "angle": True}
    far = tuple((x + 200, y) for x, y in BOX)
    regions = (
        Region(BOX, "sofa", "r1", attributes=Attributes(values)),
        Region(far, "bed", "r2", attributes=Attributes({"seats": "x"})),
    )
    page_xml.write(Truth(blank_page(tmp_path), regions), tmp_path / "plan.xml")
    before = (tmp_path / "plan.xml").read_bytes()
    write_labels(tmp_path, LABELS)
    with pytest.raises(SystemExit) as ended:
        root.main(["validate", str(tmp_path)])
    assert ended.value.code == 2
    told = capsys.readouterr().out
    assert "plan" in told
    for said in (
        "'sofa' at (35, 35): attribute 'seats': “3” is not a whole number",
        "'sofa' at (35, 35): attribute 'parts': “arm, leg” is not a list of arm, back",
        "'sofa' at (35, 35): attribute 'angle': “true” is not a number",
    ):
        assert said in told
    assert "'bed'" not in told  # the rule is the sofa's
    page_xml.write(replace(page_xml.read(tmp_path / "plan.xml"), regions=(
        replace(regions[0], attributes=Attributes({"parts": ("arm",), "angle": 1.5})),
    )), tmp_path / "plan.xml")  # fmt: skip
    with pytest.raises(SystemExit):
        root.main(["validate", str(tmp_path)])
    assert "attribute 'seats': is missing" in capsys.readouterr().out
    assert before


def test_label_sets_of_other_programs_bring_rules(tmp_path: Path) -> None:
    cvat = [{"name": "sofa", "color": "#112233", "attributes": [
        {"name": "seats", "input_type": "number", "mutable": False, "values": ["1", "9", "1"],
         "default_value": "2"},
        {"name": "colour", "input_type": "select", "values": ["red", "blue"],
         "default_value": "red"},
        {"name": "seen", "input_type": "checkbox", "values": [], "default_value": "false"},
        {"name": "note", "input_type": "text", "values": [], "default_value": ""},
    ]}]  # fmt: skip
    (tmp_path / "cvat.json").write_text(json.dumps(cvat))
    [label] = read_label_table(tmp_path / "cvat.json")
    assert label.attributes == (
        AttributeSpec("seats", AttributeKind.NUMBER, default=2),
        AttributeSpec("colour", AttributeKind.CHOICE, ("red", "blue"), "red"),
        AttributeSpec("seen", AttributeKind.YES_NO, default=False),
        AttributeSpec("note"),
    )
    (tmp_path / "studio.xml").write_text(
        '<View><Image name="i" value="$image"/><RectangleLabels name="l" toName="i">'
        '<Label value="sofa" background="#112233"/><Label value="bed"/></RectangleLabels>'
        '<Choices name="state" toName="i" perRegion="true" required="true"><Choice value="new"/>'
        '<Choice value="worn"/></Choices><Choices name="parts" toName="i" perRegion="true" '
        'choice="multiple"><Choice value="arm"/></Choices><Choices name="page" toName="i">'
        '<Choice value="good"/></Choices><Number name="seats" toName="i" perRegion="true"/></View>'
    )
    found = read_label_table(tmp_path / "studio.xml")
    assert [label.name for label in found] == ["sofa", "bed"]
    assert found.attributes == (
        AttributeSpec("state", AttributeKind.CHOICE, ("new", "worn"), None, True),
        AttributeSpec("parts", AttributeKind.CHOICES, ("arm",)),
        AttributeSpec("seats", AttributeKind.NUMBER),
    )
    options = {"options": {"new": "", "worn": ""}, "default_options": {"new": True}}
    via = {"_via_attributes": {"region": {
        "label": {"type": "dropdown", "options": {"sofa": "", "bed": ""}},
        "state": {"type": "radio", "description": "of the cloth", **options},
        "kinds": {"type": "checkbox", **options}, "note": {"type": "text"},
    }}}  # fmt: skip
    (tmp_path / "via.json").write_text(json.dumps(via))
    found = read_label_table(tmp_path / "via.json")
    assert [label.name for label in found] == ["sofa", "bed"]
    assert found.attributes == (
        AttributeSpec("state", AttributeKind.CHOICE, ("new", "worn"), "new",
                      description="of the cloth"),
        AttributeSpec("kinds", AttributeKind.CHOICES, ("new", "worn"), ("new",)),
        AttributeSpec("note"),
    )  # fmt: skip


def test_via_and_label_studio_give_values_of_their_kinds(tmp_path: Path) -> None:
    blank_page(tmp_path)
    shape = {"name": "rect", "x": 1, "y": 1, "width": 9, "height": 9}
    given = {"label": "sofa", "parts": {"arm": True, "back": False}, "seats": 3, "note": "x"}
    via = {"plan.png-1": {"filename": "plan.png", "regions": [
        {"shape_attributes": shape, "region_attributes": given}]}}  # fmt: skip
    (tmp_path / "via.json").write_text(json.dumps(via))
    [truth] = read("via", tmp_path / "via.json")
    assert truth.regions[0].attributes == Attributes({"parts": ("arm",), "seats": 3, "note": "x"})
    where = {"original_width": 400, "original_height": 300, "id": "a"}
    box = {"x": 1, "y": 1, "width": 9, "height": 9, "rotation": 0}
    results = [
        {**where, "type": "rectanglelabels", "value": {**box, "rectanglelabels": ["sofa"]}},
        {**where, "type": "choices", "from_name": "state", "value": {**box, "choices": ["new"]}},
        {**where, "type": "number", "from_name": "seats", "value": {**box, "number": 3}},
    ]
    tasks = [{"data": {"image": "plan.png"}, "annotations": [{"result": results}]}]
    (tmp_path / "studio.json").write_text(json.dumps(tasks))
    [truth] = read("label-studio", tmp_path / "studio.json")
    assert truth.regions[0].attributes == Attributes({"state": "new", "seats": 3})


def test_cvat_says_what_becomes_text_and_declares_the_rest(tmp_path: Path) -> None:
    values = ({"n": 3, "seen": True, "mixed": 1, "list": ("a",)}, {"n": 2.5, "seen": False,
              "mixed": "one"})  # fmt: skip
    regions = tuple(
        Region(BOX, "sofa", f"r{at}", attributes=Attributes(each)) for at, each in enumerate(values)
    )
    lost = write("cvat", [Truth(blank_page(tmp_path), regions, LABELS)], tmp_path / "all.xml")
    assert "2 values of attributes became text" in lost
    [again] = read("cvat", tmp_path / "all.xml")
    assert again.regions[0].attributes == Attributes(
        {"n": 3, "seen": True, "mixed": "1", "list": "a"}
    ) or sorted(again.regions[0].attributes) == [
        ("list", "a"), ("mixed", "1"), ("n", 3), ("seen", True),
    ]  # fmt: skip
    kinds = {spec.name: spec.kind.value for spec in again.labels["sofa"].attributes}
    assert kinds == {"list": "text", "mixed": "text", "n": "number", "seen": "yes or no"}


def test_tables_of_the_library_have_them(tmp_path: Path) -> None:
    attributes = Attributes({"n": 3, "seen": True, "parts": ("a", "b")})
    truth = Truth(blank_page(tmp_path), (Region(BOX, "sofa", "r", attributes=attributes),))
    page_xml.write(truth, tmp_path / "plan.xml")
    frame = spotlab.read_truth(tmp_path).frame()
    assert frame["attributes"].tolist() == [{"n": 3, "seen": True, "parts": ("a", "b")}]
    [again] = spotlab.read_truth(frame).truth_set.truths.values()
    assert again.regions[0].attributes == attributes
    texts = frame.assign(attributes=['{"n": 3, "seen": true, "parts": ["a", "b"]}'])
    [again] = spotlab.read_truth(texts).truth_set.truths.values()
    assert again.regions[0].attributes == attributes
    with pytest.raises(spotlab.SpotlabError, match="row 1: attributes are 'x'; expected a dict"):
        spotlab.read_truth(frame.assign(attributes=["x"]))
