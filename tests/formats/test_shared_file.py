"""Files that several programs change: nobody's change is lost, whatever is killed or refused."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from spotlab.errors import NotSaved
from spotlab.formats.collection.label_file import (
    NAME,
    CollectionFile,
    open_collection_file,
    read_labels,
    write_labels,
)
from spotlab.formats.rows import files as atomic
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.model import Label, LabelSet


def labels_of(file: SharedFile[CollectionFile]) -> list[str]:
    return [label.name for label in file.value.labels]


def add(file: SharedFile[CollectionFile], name: str, colour: str = "") -> None:
    before = file.value
    labels = before.labels.with_label(name, colour)
    file.set(CollectionFile(labels, before.values), before)


def lock(file: SharedFile[CollectionFile]) -> None:
    before = file.value
    file.set(CollectionFile(LabelSet(before.labels.labels, True), before.values), before)


@pytest.fixture
def both(tmp_path: Path) -> tuple[SharedFile[CollectionFile], SharedFile[CollectionFile]]:
    write_labels(tmp_path, LabelSet((Label("sofa", "#000000", "1"),)))
    files = open_collection_file(tmp_path), open_collection_file(tmp_path)
    for file in files:
        file.look()
    return files


Both = tuple[SharedFile[CollectionFile], SharedFile[CollectionFile]]


def test_what_two_windows_add_is_both_there(both: Both, tmp_path: Path) -> None:
    one, other = both
    add(one, "chair", "#123456")
    one.write()
    add(other, "table")
    remarks = other.write()
    labels = read_labels(tmp_path)
    assert [label.name for label in labels] == ["sofa", "chair", "table"]
    assert labels["chair"].colour == "#123456"
    assert [label.digit for label in labels] == ["1", "2", "3"]
    assert remarks == ("“table” has the digit 3 now: another window gave 2 to “chair”",)
    assert labels_of(one) == ["sofa", "chair"]
    one.look()
    assert labels_of(one) == ["sofa", "chair", "table"]


def test_what_one_locks_stays_locked(both: Both, tmp_path: Path) -> None:
    one, other = both
    lock(one)
    one.write()
    add(other, "intruder")
    remarks = other.write()
    assert read_labels(tmp_path) == LabelSet((Label("sofa", "#000000", "1"),), locked=True)
    assert remarks == ("The label set was locked in another window: “intruder” was not added",)
    assert other.value.labels.locked and "intruder" not in other.value.labels


def test_colours_and_removals_under_a_lock(both: Both, tmp_path: Path) -> None:
    one, other = both
    lock(one)
    one.write()
    before = other.value
    changed = before.labels.with_colour("sofa", "#FF0000").without("sofa")
    other.set(CollectionFile(changed, {"ink": {"method": "wolf"}}), before)
    assert "was not removed" in other.write()[0]
    assert "sofa" in read_labels(tmp_path) and read_labels(tmp_path).locked
    assert json.loads((tmp_path / NAME).read_text())["ink"] == {"method": "wolf"}


def test_of_one_label_each_field_counts_by_itself(both: Both, tmp_path: Path) -> None:
    one, other = both
    before = one.value
    one.set(CollectionFile(before.labels.with_colour("sofa", "#111111"), {}), before)
    one.write()
    changed = before.labels.with_description("sofa", "Two seats").with_digit("sofa", "7")
    other.set(CollectionFile(changed, {}), before)
    assert other.write() == ()
    assert read_labels(tmp_path)["sofa"] == Label("sofa", "#111111", "7", "Two seats")
    again = one.value
    one.set(CollectionFile(again.labels.with_colour("sofa", "#222222"), {}), again)
    one.write()
    mine = other.value
    other.set(CollectionFile(mine.labels.with_colour("sofa", "#333333"), {}), mine)
    assert other.write() == (
        "The colour of “sofa” was changed in another window, too: yours is kept",
    )
    assert read_labels(tmp_path)["sofa"].colour == "#333333"


def test_a_change_beats_a_removal(both: Both, tmp_path: Path) -> None:
    one, other = both
    before = one.value
    one.set(CollectionFile(before.labels.without("sofa"), {}), before)
    one.write()
    other.set(CollectionFile(before.labels.with_colour("sofa", "#111111"), {}), before)
    assert "it stays" in other.write()[0]
    assert read_labels(tmp_path)["sofa"].colour == "#111111"


def test_a_file_that_is_gone_or_damaged_takes_nothing_with_it(both: Both, tmp_path: Path) -> None:
    one, other = both
    (tmp_path / NAME).unlink()
    add(one, "chair")
    one.write()
    assert [label.name for label in read_labels(tmp_path)] == ["sofa", "chair"]
    for number, content in enumerate((b"{torn", b"[]", b"\xff\xfe{}", b'{"a": ' + b"[" * 9999), 1):
        (tmp_path / NAME).write_bytes(content)
        add(other, f"table {number}")
        remarks = other.write()
        assert len(remarks) == 1 and str(tmp_path / NAME) in remarks[0]
        ending = ".damaged" if number == 1 else f".damaged-{number}"
        assert (tmp_path / (NAME + ending)).read_bytes() == content
        names = [label.name for label in read_labels(tmp_path)]
        assert names[0] == "sofa" and names[-1] == f"table {number}"


def test_wrong_values_are_left_out_one_by_one_and_kept_aside(tmp_path: Path) -> None:
    wrong = (
        '{"labels": [{"name": "sofa", "colour": 5, "x": 1}, {"name": ""}, 7, {"name": "bed"},'
        ' {"name": "bed"}, {"name": "\\ud800"}], "locked": "yes", "mine": [1], '
        '"ink": {"method": "wolf", "window": 1e999, "k": 7},'
        ' "rooms": {"margin": -1e9, "wide": true}}'
    )
    (tmp_path / NAME).write_text(wrong)
    file = open_collection_file(tmp_path)
    problems = file.look()
    assert labels_of(file) == ["sofa", "bed"] and not file.value.labels.locked
    values = dict(file.value.values)
    assert values == {"mine": [1], "ink": {"method": "wolf"}, "rooms": {"wide": True}}
    places = ("labels[0].colour", "labels[1].name", "labels[2]", "labels[4]", "labels[5].name",
              "locked", "ink.window", "ink.k", "rooms.margin")  # fmt: skip
    for place in places:
        assert any(f"{NAME}: {place}: " in problem for problem in problems), place
    assert file.look() == () and (tmp_path / NAME).read_text() == wrong
    add(file, "chair")
    assert file.write() == ()  # it is said once
    assert (tmp_path / f"{NAME}.damaged").read_text() == wrong
    assert [label.name for label in read_labels(tmp_path)] == ["sofa", "bed", "chair"]
    assert json.loads((tmp_path / NAME).read_text())["mine"] == [1]


def test_a_write_that_fails_is_kept_elsewhere_and_done_later(
    both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = both

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    add(one, "chair")
    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "replace", refuse)
        with pytest.raises(NotSaved, match="the disk is full"):
            one.write()
        assert one.is_pending and not one.is_safe  # nor is there room in the state folder
    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "fsync", lambda _: None)
        patch.setattr("spotlab.formats.shared.shared_file.write_atomically", refuse_to_save)
        with pytest.raises(NotSaved):
            one.write()
    assert one.is_pending and one.is_safe
    add(one, "table")
    assert not one.is_safe
    assert one.write() == () and not one.is_pending
    assert [label.name for label in read_labels(tmp_path)] == ["sofa", "chair", "table"]


def refuse_to_save(path: Path, *_: object) -> None:
    raise NotSaved(f"{path} was not saved: the disk is full; the old file is untouched")


def test_what_another_program_writes_between_reading_and_writing_is_kept(
    both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = both
    write, meddled = atomic.os.fsync, []

    def meddle(handle: int) -> None:
        write(handle)
        if not meddled:  # an editor, which knows of no locks
            meddled.append(True)
            text = '{"labels": [{"name": "sofa"}, {"name": "by hand"}]}'
            (tmp_path / "new").write_text(text)
            (tmp_path / "new").rename(tmp_path / NAME)

    monkeypatch.setattr(atomic.os, "fsync", meddle)
    add(one, "chair")
    one.write()
    assert {label.name for label in read_labels(tmp_path)} == {"sofa", "by hand", "chair"}


def test_threads_and_changes_while_it_is_written(both: Both, tmp_path: Path) -> None:
    one, other = both
    for file, own in ((one, "a"), (other, "b")):
        writers = [threading.Thread(target=file.write) for _ in range(3)]
        for number, thread in enumerate(writers):
            add(file, f"{own}{number}")
            thread.start()
            add(file, f"{own}{number} more")
        for thread in writers:
            thread.join(60)
        file.write()
    names = {label.name for label in read_labels(tmp_path)}
    assert names == {"sofa", *(f"{w}{n}{m}" for w in "ab" for n in range(3) for m in ("", " more"))}
