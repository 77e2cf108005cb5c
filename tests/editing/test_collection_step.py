"""A collection step as a value: its inverse, twice the same, later steps, its file on the disk."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing import unfinished
from spotlab.editing.collection_step import (
    Change,
    CollectionStep,
    change_pages,
    delete_labels,
    parts_of,
    rename_label,
    survey_pages,
)
from spotlab.editing.document import Document
from spotlab.editing.history import History
from spotlab.editing.journal import InUse
from spotlab.editing.unfinished import (
    NAME,
    Claim,
    Interrupted,
    adopt_unfinished,
    find_unfinished,
    read_unfinished,
    remove_unfinished,
    unfinished_remarks,
    write_unfinished,
)
from spotlab.errors import BadInput
from spotlab.formats.collection.folder import scan
from spotlab.model import LabelSet, Page, Region, Truth
from tests.gui.labelled_pages import labels_on_disk, write_labelled

ONE = Path("/nowhere/one.xml")
CORNERS = ((0, 0), (9, 0), (9, 9))
LABELS = LabelSet().with_label("bed").with_label("sofa").with_label("sink")


def document(*labels: str) -> Document:
    regions = tuple(Region(CORNERS, label, f"r{at}") for at, label in enumerate(labels, 1))
    return Document(Truth(Page(Path("/nowhere/one.png"), 20, 20), regions))


def labels_of(document: Document) -> list[str]:
    return [region.label for region in document]


def renaming(old: str = "sofa", new: str = "couch", *ids: str) -> CollectionStep:
    return rename_label(LABELS, old, new, Path("/nowhere"), {ONE: ids or ("r1",)})


@given(st.lists(st.sampled_from(["sofa", "couch", "bed", ""]), max_size=5))
def test_twice_is_once_and_the_inverse_takes_back_what_was_done(labels: list[str]) -> None:
    page = document(*labels)
    ids = tuple(region.id for region in page if region.label == "sofa")
    step = replace(renaming(), pages={ONE: tuple(Change(id, "sofa", "couch") for id in ids)})
    page.apply(step.edits(ONE, page))
    assert "sofa" not in labels_of(page)
    assert step.edits(ONE, page) == []
    page.apply(step.inverse().edits(ONE, page))
    assert labels_of(page) == labels
    assert step.inverse().edits(ONE, page) == []


def test_what_was_changed_or_removed_since_is_left_alone() -> None:
    page = document("couch", "lamp")
    back = renaming("sofa", "couch", "r1", "r2", "r3").inverse()
    page.apply(back.edits(ONE, page))
    assert labels_of(page) == ["sofa", "lamp"]


def test_a_label_comes_back_with_its_place_colour_and_digit() -> None:
    for step in (renaming(), renaming("sofa", "bed"), delete_labels(
        LABELS, ["sofa"], Path("/nowhere"), {ONE: ["r1"]}
    )):  # fmt: skip
        after = step.labels_after(LABELS)
        assert "sofa" not in after
        assert step.labels_after(after) == after
        assert step.inverse().labels_after(after) == LABELS
    taken = renaming("sofa", "bed").labels_after(LABELS).with_label("lamp")
    back = renaming("sofa", "bed").inverse().labels_after(taken)
    assert [(label.name, label.digit) for label in back] == [
        ("bed", "1"), ("sofa", ""), ("sink", "3"), ("lamp", "2")
    ]  # fmt: skip


def test_an_attribute_that_regions_do_not_have_is_refused() -> None:
    for wrong in ((1, "couch", "label"), ("sofa", "couch", "points"), ("a", "b", "uncertain")):
        with pytest.raises(ValueError, match="is not a valid"):
            Change("r1", *wrong)  # type: ignore[arg-type]


def test_later_steps_stay_when_it_is_taken_out() -> None:
    page = document("sofa", "bed")
    history, step = History(page), renaming()
    history.do(step.name, step.edits(ONE, page), of=step.id)
    history.do("Comment", page.replacing(replace(page["r1"], comment="old")))
    history.do("Delete", page.removing(["r1"]))
    back = step.inverse()
    history.take_out(step.id, "Undo", back.edits(ONE, page), partial(back.rewritten, ONE, page))
    assert history.done_names == ["Comment", "Delete"] and labels_of(page) == ["bed"]
    history.undo()
    assert (page["r1"].label, page["r1"].comment) == ("sofa", "old")
    history.undo()
    assert (page["r1"].label, page["r1"].comment) == ("sofa", "")
    assert history.undo() is None


def test_a_page_that_is_opened_later_has_the_steps_in_its_history() -> None:
    first = renaming()
    second = rename_label(
        first.labels_after(LABELS), "couch", "bed", Path("/nowhere"), {ONE: ["r1"]}
    )
    page = document("bed", "bed")
    history = History(page)
    for part in parts_of([first, second], ONE, page):
        history.note_done(part)
    assert not history.dirty and history.mark and history.mark.of == second.id
    history.undo()
    assert labels_of(page) == ["couch", "bed"]
    history.undo()
    assert labels_of(page) == ["sofa", "bed"]


def test_a_part_without_edits_does_not_make_a_page_dirty() -> None:
    recorded = []

    class Recorder:
        def record(self, kind: str, step: object) -> None:
            recorded.append(kind)

    page = document("bed")
    history = History(page, Recorder())
    history.do("Rename", [], of="step")
    assert not history.dirty and history.holds("step")
    history.undo()
    history.redo()
    assert not history.dirty and not recorded
    history.take_out("step", "Undo", [], lambda part, steps: steps)
    assert not history.dirty and not history.done_names and not recorded


def test_what_is_meant_is_read_back_also_where_the_folder_was_moved(tmp_path: Path) -> None:
    folder = write_labelled(tmp_path / "a" / "pages", 3)
    survey = survey_pages(scan([folder]), "sofa")
    step = rename_label(LABELS, "sofa", "couch", folder, survey.carrying).inverse()
    assert write_unfinished(step) == folder / NAME
    (own,) = find_unfinished([folder])
    assert own.own and read_unfinished(own) == step
    moved = folder.rename(tmp_path / "b")
    (foreign,) = find_unfinished([moved])
    assert not foreign.own  # the state folder knows the old place
    again = read_unfinished(foreign)
    assert again.folder == moved and set(again.pages) == set(moved.glob("*.xml"))
    assert change_pages(again.inverse(), list(again.pages), LABELS).problems == {}
    assert labels_on_disk(moved) == {"couch": 3}
    remove_unfinished(moved)
    assert (moved / NAME).exists()
    adopt_unfinished(foreign, (moved / NAME).read_bytes())
    remove_unfinished(moved)
    assert not (moved / NAME).exists()


def test_it_is_found_from_pages_below_and_above(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_labelled(tmp_path / "all" / name, 1)
    step = replace(renaming(), folder=tmp_path / "all", pages={})
    write_unfinished(step)
    meant = find_unfinished([tmp_path / "all"])
    assert [each.path for each in meant] == [tmp_path / "all" / NAME] and meant[0].own
    assert find_unfinished([tmp_path / "all" / "b"]) == meant
    assert find_unfinished([tmp_path / "all" / "a", tmp_path / "all" / "b"]) == meant
    assert find_unfinished([tmp_path]) == []
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "all" / "a")
    assert find_unfinished([link]) == meant


def test_a_folder_that_cannot_be_written_has_it_in_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = write_labelled(tmp_path / "pages", 1)
    (folder / NAME).mkdir()  # nothing can be written there
    path = write_unfinished(replace(renaming(), folder=folder, pages={}))
    assert path.is_relative_to(tmp_path / "state")
    own, foreign = find_unfinished([folder])
    assert (own.path, own.own) == (path, True) and not foreign.own
    assert read_unfinished(own).folder == folder
    (folder / NAME).rmdir()
    remove_unfinished(folder)
    assert not path.exists()
    assert write_unfinished(replace(renaming(), folder=folder)) == folder / NAME


@pytest.mark.parametrize(
    "damage",
    [
        {"spotlab unfinished step": 3},
        {"pages": {"one.xml": [{"region": "r1"}]}},
        {"pages": {"one.xml": [{"region": "r1", "points": ["a", "b"]}]}},
        {"pages": []},
        {"added": [{"place": "x"}]},
    ],
)
def test_a_damaged_file_is_named_and_kept(tmp_path: Path, damage: dict[str, object]) -> None:
    path = write_unfinished(replace(renaming(), folder=tmp_path))
    path.write_text(json.dumps({**json.loads(path.read_text()), **damage}))
    with pytest.raises(BadInput, match=NAME):
        read_unfinished(Interrupted(path, tmp_path))
    (remark,) = unfinished_remarks([tmp_path])
    assert NAME in remark and path.exists()


def test_two_windows_do_not_carry_out_steps_of_one_collection(tmp_path: Path) -> None:
    claim = Claim(tmp_path)
    with pytest.raises(InUse, match="Another window"):
        Claim(tmp_path)
    claim.release()
    Claim(tmp_path).release()


def test_a_kill_while_the_intention_is_replaced_leaves_an_own_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is written first: it knows the file as it was and as it will be."""
    folder = write_labelled(tmp_path / "pages", 1)
    step = rename_label(LABELS, "sofa", "couch", folder, {folder / "page_0001.xml": ["r1"]})
    write_unfinished(step)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(unfinished, "write_atomically", killed)
    with pytest.raises(KeyboardInterrupt):
        write_unfinished(step.inverse())
    (found,) = find_unfinished([folder])
    assert found.own and read_unfinished(found) == step
