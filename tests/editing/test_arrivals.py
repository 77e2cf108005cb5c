"""A collection step that brings regions in: done, undone under later steps, put down, finished."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.collection_step import (
    Arrival,
    CollectionStep,
    change_pages,
    page_key,
    parts_of,
)
from spotlab.editing.document import Document
from spotlab.editing.history import History
from spotlab.editing.unfinished import find_unfinished, read_unfinished, write_unfinished
from spotlab.formats.truth import page_xml
from spotlab.model import LabelSet, Page, Primitive, Region, Truth

SQUARE = ((0, 0), (9, 0), (9, 9), (0, 9))
ONE = Path("/nowhere/one.xml")
PAGE = Page(Path("/nowhere/one.png"), 100, 80)


def region(id: str, **more: object) -> Region:
    return Region(SQUARE, id=id, primitive=Primitive.BOX, **more)  # type: ignore[arg-type]


WORDS = tuple(region(id, label="word", text="orders") for id in ("w1", "w2"))


def step_on(path: Path, **more: object) -> CollectionStep:
    arrivals = {page_key(path): tuple(map(Arrival, WORDS))}
    return CollectionStep("Write", path.parent, arrivals, **more)  # type: ignore[arg-type]


def ids(document: Document) -> list[str]:
    return [each.id for each in document]


def test_regions_come_in_once_and_go_again() -> None:
    page, step = Document(Truth(PAGE, (region("a"),))), step_on(ONE)
    page.apply(step.edits(ONE, page))
    assert ids(page) == ["a", "w1", "w2"] and step.regions == 2
    assert step.edits(ONE, page) == []
    assert [part.of for part in parts_of([step], ONE, page)] == [step.id]
    page.apply(step.inverse().edits(ONE, page))
    assert ids(page) == ["a"] and step.inverse().inverse() == step


def test_what_was_changed_since_stays() -> None:
    page, step = Document(Truth(PAGE)), step_on(ONE)
    page.apply(step.edits(ONE, page))
    page.apply(page.replacing(replace(WORDS[0], text="order")))
    page.apply(step.inverse().edits(ONE, page))
    assert [(each.id, each.text) for each in page] == [("w1", "order")]


@given(st.data())
def test_later_steps_can_be_undone_when_it_is_taken_out_from_under_them(
    data: st.DataObject,
) -> None:
    """Whatever was done later: undoing all of it leaves what was there before the step."""
    start = (region("a"), region("b", label="sofa"))
    page, step = Document(Truth(PAGE, start)), step_on(ONE)
    history = History(page)
    history.do(step.name, step.edits(ONE, page), of=step.id)
    untouched = set(ids(page))
    for number in range(data.draw(st.integers(0, 6))):
        known = ids(page)
        kind = data.draw(st.sampled_from(["add", "remove", "change", "undo"]))
        if kind == "add":
            history.do("Draw", page.adding(region(f"n{number}")))
        elif kind == "undo" and history.mark and not history.mark.of:
            history.undo()
        elif known and kind in ("remove", "change"):
            id = data.draw(st.sampled_from(known))
            edits = (page.removing([id]) if kind == "remove"
                     else page.replacing(replace(page[id], comment=f"c{number}")))  # fmt: skip
            history.do(kind, edits)
    now = {each.id: each for each in page}
    back = step.inverse()
    history.take_out(step.id, "Undo", back.edits(ONE, page), partial(back.rewritten, ONE, page))
    changed = {word.id for word in WORDS if word.id in now and now[word.id] != word}
    others = [id for id in now if id not in {word.id for word in WORDS} - changed]
    assert ids(page) == others
    undone = [page.truth.regions]
    while history.undo():
        undone.append(page.truth.regions)
    left = {word.id: word for word in WORDS if word.id in changed}
    assert {each.id: each for each in page} == {each.id: each for each in start} | left
    while history.redo():  # also what was undone before
        if len(undone) > 1:
            undone.pop()
            assert page.truth.regions == undone[-1]
    assert untouched >= changed


def test_it_is_put_down_and_read_with_its_regions_and_new_pages(tmp_path: Path) -> None:
    path = tmp_path / "one.xml"
    page = replace(PAGE, image=tmp_path / "one.png")
    step = step_on(path, new={page_key(path): page})
    for each in (step, step.inverse()):
        write_unfinished(each)
        (found,) = find_unfinished([tmp_path])
        assert read_unfinished(found) == each


@pytest.mark.parametrize("has_file", [True, False])
def test_a_page_that_nobody_has_open_gets_words_and_loses_them(
    tmp_path: Path, has_file: bool
) -> None:
    path = tmp_path / "one.xml"
    page = replace(PAGE, image=tmp_path / "one.png")
    if has_file:
        page_xml.write(Truth(page, (region("a", label="sofa"),)), path)
    step = step_on(path, new={} if has_file else {page_key(path): page})
    for _ in range(2):  # carrying it out twice changes nothing
        assert change_pages(step, list(step.pages), LabelSet()).problems == {}
    written = page_xml.parse(path.read_bytes(), path, words=True).regions
    assert [(word.text, word.bounds) for word in written] == [("orders", (0, 0, 9, 9))] * 2
    assert page_xml.read(path).regions[-2:] == WORDS
    assert change_pages(step.inverse(), list(step.pages), LabelSet()).problems == {}
    assert path.exists() == has_file
    if has_file:
        assert [each.id for each in page_xml.read(path).regions] == ["a"]
