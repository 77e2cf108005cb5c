"""Any sequence of operations can be undone and redone exactly, and leaves only valid regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.editing import operations
from spotlab.editing.document import Document, Edit
from spotlab.editing.history import History
from spotlab.editing.region_index import RegionIndex
from spotlab.editing.selection import Clipboard, Selection
from spotlab.errors import SpotlabError
from spotlab.model import Primitive, Region, Truth
from tests.editing.operations_cases import PAGE, check, places, regions

Chosen = Sequence[Region]
Place = tuple[float, float]
Edits = list[Edit]


def _merge(document: Document, chosen: Chosen) -> Edits:
    merged = operations.merge(chosen, PAGE)
    rest = {region.id for region in chosen} - {merged.id}
    return [*document.replacing(merged), *document.removing(rest)]


def _split(document: Document, region: Region, line: Sequence[Place]) -> Edits:
    first, *others = operations.split(region, line, PAGE)
    return [*document.replacing(first), *document.adding(*others)]


@st.composite
def actions(draw: st.DrawFn) -> Callable[[Document, Chosen], Edits]:
    """Something that a person may do to the chosen regions."""
    here, there = draw(places), draw(places)
    number = draw(st.integers(0, 50))
    factor = draw(st.floats(0.3, 3))
    primitive = draw(st.sampled_from([each for each in Primitive if each.has_area]))
    new = draw(regions())
    x, y = here

    def on_first(change: Callable[[Region], Region]) -> Callable[[Document, Chosen], Edits]:
        return lambda document, chosen: document.replacing(change(chosen[0]))

    def corner(region: Region, count: int) -> int:
        return number % count

    return draw(
        st.sampled_from(
            [
                lambda document, _: document.adding(new),
                lambda document, chosen: document.removing(region.id for region in chosen),
                lambda document, chosen: document.replacing(
                    *operations.move_all(chosen, x - 90, y - 70, PAGE)
                ),
                lambda document, chosen: document.adding(
                    *(operations.duplicate(region, (7, 7), PAGE) for region in chosen)
                ),
                lambda document, chosen: document.replacing(*operations.relabel(chosen, "bed")),
                lambda document, chosen: document.replacing(*operations.toggle_uncertain(chosen)),
                lambda document, chosen: document.adding(
                    *Clipboard.from_text(Clipboard.of(chosen, PAGE).text()).paste(PAGE, (3, 4))
                ),
                _merge,
                lambda document, chosen: _split(document, chosen[0], [here, there]),
                on_first(lambda region: operations.rotate(region, x, PAGE)),
                on_first(lambda region: operations.scale(region, factor, 1 / factor, PAGE)),
                on_first(
                    lambda region: operations.move_handle(
                        region, corner(region, len(operations.handles(region))), there, PAGE
                    )
                ),
                on_first(
                    lambda region: operations.move_edge(
                        region, corner(region, len(region.points)), (x - 90, y - 70), PAGE
                    )
                ),
                on_first(
                    lambda region: operations.add_point(
                        region, corner(region, len(region.points)), there, PAGE
                    )
                ),
                on_first(
                    lambda region: operations.delete_point(
                        region, corner(region, len(region.points)), PAGE
                    )
                ),
                on_first(lambda region: operations.as_primitive(region, primitive, PAGE)),
                on_first(lambda region: operations.add_area(region, new.array, PAGE)),
                on_first(lambda region: operations.subtract_area(region, new.array, PAGE)),
            ]
        )
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(regions(), min_size=1, max_size=4),
    st.lists(st.tuples(actions(), st.integers(0, 99), st.integers(1, 3)), min_size=5, max_size=20),
    st.data(),
)
def test_undo_all_and_redo_all(start: list[Region], todo: list, data: st.DataObject) -> None:
    before = Truth(PAGE, tuple(start))
    document = Document(before)
    history = History(document)
    index, selection = RegionIndex(document), Selection()
    document.changed.connect(index.apply)
    document.changed.connect(lambda _: selection.prune(document))
    for action, first, count in todo:
        everything = list(document)
        chosen = (everything[first % max(1, len(everything)) :] + everything)[:count]
        chosen = list({region.id: region for region in chosen}.values())
        selection.set(region.id for region in chosen)
        try:
            edits = action(document, chosen)
        except (SpotlabError, IndexError):
            assert not chosen or document.truth.regions == tuple(everything)
            continue
        history.do("Step", edits, merge=data.draw(st.booleans()))
        for region in document:
            check(region)
        assert all(id in document for id in selection)
        assert {region.id: region for region in index} == {region.id: region for region in document}
    after = document.truth
    while history.undo():
        pass
    assert document.truth == before
    assert {region.id: region for region in index} == {region.id: region for region in start}
    while history.redo():
        pass
    assert document.truth == after
