"""Steps on many regions: recorded as columns, and the same as one region after the other."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from spotlab.editing.document import MANY, Document, Edit, EditError
from spotlab.editing.history import History
from spotlab.editing.journal import journal_path
from spotlab.editing.journal_lines import parse_journal
from spotlab.editing.region_index import RegionIndex, totals_of
from spotlab.editing.session import EditingSession
from spotlab.model import Ignore, Page, Primitive, Region, Truth
from tests.editing.killed import in_a_child

COUNT = 2 * MANY
Do = Callable[[Document], Sequence[Edit]]


def page() -> Page:
    return Page(Path("plan.png"), 5000, 5000)


def region(number: int) -> Region:
    x, y = number % 20 * 50.0, number // 20 * 50.0
    points = ((x, y), (x + 30, y), (x + 30, y + 20), (x, y + 20))
    label = ("sofa", "bed", "")[number % 3]
    kinds = tuple(each for each in Primitive if each.has_area)
    return Region(points, label, f"r{number}", kinds[number % len(kinds)], number % 5 == 0)


def document() -> Document:
    return Document(Truth(page(), tuple(map(region, range(COUNT)))))


def every_other(document: Document) -> list[str]:
    return list(document.ids)[1::2]


STEPS: dict[str, Do] = {
    "label": lambda doc: doc.setting(doc.ids, "label", "chair"),
    "ignore": lambda doc: doc.setting(doc.ids, "ignore", Ignore.AREA),
    "remove": lambda doc: doc.removing(every_other(doc)),
    "remove all": lambda doc: doc.removing(doc.ids),
    "add": lambda doc: doc.adding(*(replace(r, id=f"new{n}") for n, r in enumerate(doc))),
    "move": lambda doc: doc.replacing(
        *(replace(r, points=tuple((x + 1, y) for x, y in r.points)) for r in doc),
        replace(doc.page, checked=True),
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_on_many_does_what_its_single_edits_do(name: str) -> None:
    quick, slow = document(), document()
    index = RegionIndex(quick)
    quick.changed.connect(index.apply)
    history = History(quick)
    before = tuple(quick)
    edits = STEPS[name](quick)
    single = tuple(one for edit in edits for one in edit.singles())
    assert len(single) > len(edits)
    history.do(name, edits)
    slow.apply(single)
    after = tuple(quick)
    assert after == tuple(slow) and quick.page == slow.page and after != before
    assert (quick.labels, quick.state) == (slow.labels, slow.state)
    assert quick.labels == Document(quick.truth).labels
    for expected, go in ((before, history.undo), (after, history.redo), (before, history.undo)):
        go()
        assert tuple(quick) == expected
        assert sorted(r.id for r in index) == sorted(r.id for r in expected)
        assert all(r in index.visible((*r.bounds,)) for r in expected[:5])


def test_what_does_not_fit_changes_nothing() -> None:
    here = document()
    removal, relabelling = here.removing(here.ids), here.setting(here.ids, "label", "chair")
    addition = here.adding(*here)
    here.apply(here.setting(["r7"], "label", "lamp"))
    before = tuple(here)
    for edits in (removal, relabelling, addition, [*here.removing(["r3"]), *removal]):
        with pytest.raises(EditError):
            here.apply(edits)
        assert tuple(here) == before
        assert here.labels == Document(here.truth).labels


def opened(folder: Path, author: str = "") -> EditingSession:
    session = EditingSession.open(folder / "plan.xml", page())
    session.author = author
    return session


def killed(session: EditingSession) -> None:
    """As a killed program leaves it: what was recorded is there, nothing is saved."""
    session.close()


def begun(folder: Path) -> EditingSession:
    session = opened(folder, "Anna")
    session.history.do("Add", session.document.adding(*map(region, range(COUNT))))
    return session


@pytest.mark.parametrize("name", STEPS)
def test_a_step_on_many_outlives_the_program(name: str, tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.save()
    session.history.do(name, STEPS[name](session.document))
    after, histories = tuple(session.document), [r.history for r in session.document]
    session.history.undo()
    before, old = tuple(session.document), [r.history for r in session.document]
    session.history.redo()
    killed(session)
    again = opened(tmp_path)
    assert "Recovered 3 steps" in again.recovered
    assert tuple(again.document) == after
    assert [r.history for r in again.document] == histories
    again.history.undo()
    assert tuple(again.document) == before
    assert [r.history for r in again.document] == old
    killed(again)


@pytest.mark.parametrize("count", [2, COUNT])
def test_an_undone_step_is_still_undone_after_a_kill(count: int, tmp_path: Path) -> None:
    session = begun(tmp_path)
    ids = session.document.ids[:count]
    session.history.do("Label", session.document.setting(ids, "label", "chair"))
    session.history.undo()
    killed(session)
    again = opened(tmp_path)
    assert (again.history.undo_name, again.history.redo_name) == ("Add", "Label")
    again.history.redo()
    assert {region.label for region in again.document.regions_of(ids)} == {"chair"}
    killed(again)


@pytest.mark.parametrize("meanwhile", ["nothing", "move", "remove", "label"])
def test_a_removal_is_recorded_with_the_regions_as_they_are(meanwhile: str, tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.save()  # outlines are prepared for the steps that follow
    doc = session.document
    steps: dict[str, Do] = {
        "nothing": lambda doc: (),
        "move": lambda doc: doc.replacing(
            *(replace(r, points=tuple((x + 1, y) for x, y in r.points)) for r in tuple(doc)[::2])
        ),
        "remove": lambda doc: doc.removing(["r3"]),
        "label": lambda doc: doc.setting(doc.ids, "label", "chair"),
    }
    session.history.do("Meanwhile", steps[meanwhile](doc))
    before = tuple(doc)
    session.history.do("Delete", doc.removing(doc.ids[:-1]))
    session.history.undo()
    steps_recorded = parse_journal(journal_path(session.path).read_bytes()).steps
    gone, back = (recorded.step.edits for recorded in steps_recorded[-2:])
    assert tuple(doc) == before
    assert [edit.before for edit in gone] == [edit.after for edit in back] == [before[:-1]]
    assert [r.history for r in back[0].after] == [r.history for r in before[:-1]]
    killed(session)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("undone", [False, True], ids=["done", "undone"])
@pytest.mark.parametrize("name", STEPS)
def test_a_step_on_many_is_handed_to_the_system_before_it_is_shown(
    name: str, undone: bool, tmp_path: Path
) -> None:
    def work() -> None:
        session = begun(tmp_path)
        session.save()
        kill = partial(os.kill, os.getpid(), signal.SIGKILL)
        edits = STEPS[name](session.document)
        if undone:
            session.history.do(name, edits)
            session.document.changed.connect(lambda _: kill())
            session.history.undo()
        session.document.changed.connect(lambda _: kill())
        session.history.do(name, edits)

    assert os.WTERMSIG(in_a_child(work)) == signal.SIGKILL
    expected = document()
    if not undone:
        expected.apply(STEPS[name](expected))
    again = opened(tmp_path)
    assert tuple(again.document) == tuple(expected)
    killed(again)


def test_a_label_is_recorded_as_the_ids_alone(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.save()
    session.history.do("Label", session.document.setting(session.document.ids, "label", "chair"))
    line = journal_path(session.path).read_bytes().splitlines()[1]
    [edit] = json.loads(line)["edits"]
    assert edit["changes"] == list(session.document.ids)
    assert edit["now"]["label"] == {"values": ["chair"]}
    assert len(edit["now"]["history"]["values"]) == 1
    assert "points" not in edit["now"] and "points" not in edit["was"]
    killed(session)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_line_that_was_cut_loses_that_step_alone(share: float, tmp_path: Path) -> None:
    session = begun(tmp_path)
    before = tuple(session.document)
    journal = journal_path(session.path)
    start = journal.stat().st_size
    session.history.do("Label", session.document.setting(session.document.ids, "label", "chair"))
    killed(session)
    content = journal.read_bytes()
    journal.write_bytes(content[: start + round(share * (len(content) - start))])
    again = opened(tmp_path)
    assert tuple(again.document) == before
    killed(again)


def test_a_damaged_step_on_many_is_counted_and_later_ones_that_fit_are_taken(
    tmp_path: Path,
) -> None:
    session = begun(tmp_path)
    session.history.do("Label", session.document.setting(session.document.ids, "label", "chair"))
    session.history.do("Delete", session.document.removing(["r1"]))
    session.history.do("Flag", session.document.setting(session.document.ids[5:], "comment", "x"))
    killed(session)
    journal = journal_path(session.path)
    lines = journal.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b'"changes"', b'"chang\x00s"')
    journal.write_bytes(b"\n".join(lines))
    again = opened(tmp_path)
    assert "1 step could not be read" in again.recovered
    assert "1 did not match" in again.recovered or "1 step did not match" in again.recovered
    assert {r.comment for r in again.document} == {"", "x"}
    assert len(again.document) == COUNT, "the deleted region had the label that could not be read"
    killed(again)


def test_lines_that_make_no_sense_are_no_steps(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.history.do("Label", session.document.setting(session.document.ids, "label", "chair"))
    killed(session)
    value = json.loads(journal_path(session.path).read_bytes().splitlines()[2])
    del value["sum"]
    assert len(parse_journal(json.dumps(value).encode() + b"\n").steps) == 1
    for path, wrong in (("changes", [1]), ("was", {}), ("now", {"label": {"values": [3]}}),
                        ("now", {"colour": ["red"]}), ("was", {"label": ["sofa"]}),
                        ("now", {}), ("now", {"points": [[[1, 2]]] * COUNT})):  # fmt: skip
        changed = json.loads(json.dumps(value))
        changed["edits"][0][path] = wrong
        steps = parse_journal(json.dumps(changed).encode() + b"\n").steps
        assert len(steps) == (path == "was" and wrong == {}), (path, wrong)


def test_totals_are_the_sums() -> None:
    bow_tie = Region(((0, 0), (10, 10), (10, 0), (0, 10)))
    regions = [bow_tie, *map(region, range(40))]
    totals = totals_of(regions)
    assert totals.area == pytest.approx(sum(r.area for r in regions), rel=1e-12)
    assert totals.points == 4 * 41 and totals.bounds == (0.0, 0.0, 980.0, 70.0)
