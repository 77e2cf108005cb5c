"""Any steps, undone and done again, lead back to where they came from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.document import Document, Edit, EditError
from spotlab.editing.history import History
from spotlab.model import Page, Region, Truth

PAGE = Page(Path("plan.png"), 100, 100)
SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))


def document(*ids: str) -> Document:
    return Document(Truth(PAGE, tuple(Region(SQUARE, id=id) for id in ids)))


def test_a_step_is_all_or_nothing() -> None:
    one = document("a", "b")
    before = one.truth
    with pytest.raises(EditError):
        History(one).do("Bad", [*one.removing(["a"]), Edit((), (Region(SQUARE, id="b"),), (0,))])
    assert one.truth == before


def test_edits_that_do_not_fit_are_refused() -> None:
    one = document("a", "b")
    a, b = one
    other = replace(a, label="sofa")
    for edit in (
        Edit((), (a,), (0,)),
        Edit((), (Region(SQUARE, id="c"),), (7,)),
        Edit((), (Region(SQUARE, id="c"),), (-1,)),
        Edit((), (Region(SQUARE, id="c"),) * 2, (0, 1)),
        Edit((a,), (), (1,)),
        Edit((other,), (), (0,)),
        Edit((a,), (), (-2,)),
        Edit((a, b), (), (1, 0)),
        Edit((other,), (a,)),
        Edit((a,), (b,)),
        Edit((a, a), (other, other)),
        Edit(page=(replace(PAGE, checked=True), PAGE)),
    ):
        with pytest.raises(EditError):
            one.apply([edit])
    assert list(one) == [a, b]


def test_a_step_that_cannot_be_recorded_is_not_taken() -> None:
    class Full:
        def record(self, kind: str, step: object) -> None:
            raise OSError("no")

    one = document("a")
    history = History(one, Full())
    heard: list[object] = []
    one.changed.connect(heard.append)
    with pytest.raises(OSError, match="no"):
        history.do("Delete", one.removing(["a"]))
    assert "a" in one
    assert not heard
    assert history.undo_name is None


def test_names_dirty_and_merging() -> None:
    one = document("a")
    history = History(one)
    assert not history.dirty
    assert history.undo() is None
    assert history.redo() is None
    for x in range(3):
        moved = tuple((point[0] + x + 1, point[1]) for point in SQUARE)
        history.do("Nudge", one.replacing(replace(one["a"], points=moved)), merge=True)
    assert (history.undo_name, history.redo_name, history.dirty) == ("Nudge", None, True)
    history.undo()
    assert one["a"].points == tuple((float(x), float(y)) for x, y in SQUARE)
    assert (history.undo_name, history.redo_name, history.dirty) == (None, "Nudge", False)
    history.redo()
    history.mark_saved(history.mark)
    assert not history.dirty
    history.do("Nudge", one.removing(["a"]), merge=True)
    assert history.dirty, "a saved step is not joined: undo stops at what the file holds"
    history.undo()
    assert not history.dirty
    history.do("Nothing", one.replacing(one["a"]))
    assert history.undo_name == "Nudge", "no edits are no step"


def test_a_new_step_forgets_what_was_undone() -> None:
    one = document("a", "b")
    history = History(one)
    history.do("Delete", one.removing(["a"]))
    history.undo()
    history.do("Check", one.replacing(replace(PAGE, checked=True)))
    assert history.redo_name is None
    assert one.truth.page.checked


actions = st.lists(
    st.tuples(
        st.sampled_from(["add", "remove", "label", "check", "undo", "redo"]),
        st.integers(0, 30),
        st.booleans(),
    ),
    max_size=40,
)


@given(actions)
def test_undo_all_and_redo_all_lead_back(actions: list[tuple[str, int, bool]]) -> None:
    one = document("a", "b", "c")
    start = one.truth
    history = History(one)
    for action, number, merge in actions:
        ids = [region.id for region in one]
        some = {ids[number % len(ids)], ids[number // 2 % len(ids)]} if ids else set()
        if action == "add":
            history.do("Add", one.adding(Region(SQUARE), Region(SQUARE)), merge=merge)
        elif action == "remove":
            history.do("Remove", one.removing(some), merge=merge)
        elif action == "label":
            changed = [replace(one[id], label=f"label {number}") for id in some]
            history.do("Label", one.replacing(*changed), merge=merge)
        elif action == "check":
            history.do("Check", one.replacing(replace(one.page, checked=merge)))
        elif action == "undo":
            history.undo()
        else:
            history.redo()
    while history.redo():
        pass
    end = one.truth
    while history.undo():
        pass
    assert one.truth == start
    while history.redo():
        pass
    assert one.truth == end
