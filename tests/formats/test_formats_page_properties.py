"""PAGE XML under random regions and random edits: valid, read back alike, undone byte for byte."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spotlab.editing.document import Document
from spotlab.editing.history import History
from spotlab.formats.page.merge import _increasing
from spotlab.formats.page.values import read_custom, write_custom
from spotlab.formats.truth import page_xml
from spotlab.model import Ignore, Label, LabelSet, Page, Primitive, Region, Truth
from tests.formats.page_files import assert_valid, is_valid

DATA = Path(__file__).parents[1] / "data"
SOURCES = [(DATA / name).read_bytes() for name in ("rich.xml", "old.xml")]
NOW = datetime(2026, 11, 21, 5, 6, 7)
PATH = Path("plan.xml")

# what XML can hold
texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")) | st.sampled_from("\n\t"),
    max_size=8,
).filter(lambda text: "\ufffe" not in text and "\uffff" not in text)
labels = texts.map(lambda text: " ".join(text.split()))
whole = st.integers(0, 5000)
points = st.lists(st.tuples(whole, whole), min_size=3, max_size=7, unique=True)
regions = st.builds(
    lambda points, **values: Region(tuple(points), **values),
    points,
    label=labels,
    primitive=st.sampled_from(Primitive),
    uncertain=st.booleans(),
    ignore=st.sampled_from(Ignore),
    comment=texts,
    text=texts,
)
quick = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(st.lists(regions, max_size=5), st.booleans(), st.lists(labels, max_size=3, unique=True))
def test_a_new_file_holds_everything(
    regions: list[Region], checked: bool, names: list[str]
) -> None:
    label_set = LabelSet(tuple(Label(name, "#102030") for name in names if name))
    page = Page(Path("plan.png"), 5000, 5000, checked=checked)
    content = page_xml.serialise(Truth(page, tuple(regions), label_set), NOW)
    assert_valid(content)
    again = page_xml.parse(content, PATH)
    assert again.regions == tuple(regions)
    assert again.labels == label_set
    assert again.page.checked == checked
    assert page_xml.serialise(again, NOW) == content


@quick
@given(st.data())
def test_random_edits_are_valid_and_undo_to_the_same_bytes(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(SOURCES))
    truth = page_xml.parse(source, PATH)
    document = Document(truth)
    history = History(document)
    before = page_xml.serialise(document.truth, NOW)
    for _ in range(data.draw(st.integers(1, 8))):
        present = list(document)
        kind = data.draw(st.sampled_from(("add", "insert", "remove", "change", "move", "page")))
        if kind == "page":
            page = replace(document.page, checked=not document.page.checked)
            history.do(kind, document.replacing(page))
        elif kind == "add" or not present:
            history.do(kind, document.adding(data.draw(regions)))
        elif kind == "insert":
            edit = document.adding(data.draw(regions))[0]
            history.do(kind, [replace(edit, places=(data.draw(st.integers(0, len(present))),))])
        else:
            region = data.draw(st.sampled_from(present))
            if kind == "change":
                new = replace(data.draw(regions), id=region.id)
                keep = data.draw(st.sets(st.sampled_from(("points", "label", "text", "comment"))))
                new = replace(new, **{name: getattr(region, name) for name in keep})
                history.do(kind, document.replacing(new))
            elif kind == "remove":
                history.do(kind, document.removing([region.id]))
            else:
                (removal,) = document.removing([region.id])
                index = data.draw(st.integers(0, len(present) - 1))
                (addition,) = document.adding(region)
                history.do(kind, [removal, replace(addition, places=(index,))])
    after = page_xml.serialise(document.truth, NOW)
    if is_valid(source):
        assert_valid(after)
    assert page_xml.parse(after, PATH).regions == document.truth.regions
    while history.undo():
        pass
    assert page_xml.serialise(document.truth, NOW) == before
    while history.redo():
        pass
    assert page_xml.serialise(document.truth, NOW) == after


@quick
@given(st.dictionaries(st.sampled_from("abc"), texts), st.sampled_from(("", "x {y:z;}", "x{}")))
def test_custom_keeps_any_value(values: dict[str, str], around: str) -> None:
    custom = write_custom(around, dict(values))
    assert read_custom(custom) == values
    assert write_custom(custom, dict.fromkeys(values)) == around


@given(st.permutations(range(7)))
def test_the_longest_ordered_part_stays(places: list[int]) -> None:
    kept = _increasing(places)
    order = [place for place in places if place in kept]
    assert order == sorted(order)
    best = max(
        len(part)
        for bits in range(1, 1 << len(places))
        if (part := [place for at, place in enumerate(places) if bits >> at & 1]) == sorted(part)
    )
    assert len(order) == best
