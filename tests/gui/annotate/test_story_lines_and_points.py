"""Lines and points, as other tools have them: drawn, selected, changed, saved, not evaluated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

import spotlab
from spotlab.editing.region_index import totals_of
from spotlab.formats.truth import page_xml
from spotlab.gui.canvas.canvas import Canvas
from spotlab.model import Ignore, Primitive, Region
from tests.gui import gestures, windows
from tests.gui.gestures import on_screen

PATH = [(100.0, 100.0), (400.0, 100.0), (400.0, 300.0)]


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    gestures.begin_page(lasting_canvas, tmp_path, np.full((700, 900), 255, np.uint8))
    return lasting_canvas


def regions(canvas: Canvas) -> list[Region]:
    assert canvas.workbench.document is not None
    return list(canvas.workbench.document)


def draw_line(canvas: Canvas) -> Region:
    canvas.workbench.set_tool("line")
    for place in on_screen(canvas, PATH):
        gestures.click(canvas, place)
    gestures.key(canvas, Qt.Key.Key_Return)
    return regions(canvas)[-1]


def draw_point(canvas: Canvas) -> Region:
    canvas.workbench.set_tool("line")
    gestures.click(canvas, on_screen(canvas, [(600, 200)])[0])
    gestures.key(canvas, Qt.Key.Key_Return)
    return regions(canvas)[-1]


def test_a_line_stays_open_and_one_click_is_a_point(canvas: Canvas) -> None:
    line, point = draw_line(canvas), draw_point(canvas)
    assert (line.primitive, point.primitive) == (Primitive.LINE, Primitive.POINT)
    assert np.abs(line.corners - PATH).max() <= 1
    assert np.abs(point.corners - [(600, 200)]).max() <= 1
    assert line.area == point.area == 0


def test_the_totals_count_corners_and_see_a_point_where_it_is(canvas: Canvas) -> None:
    line, point = draw_line(canvas), draw_point(canvas)
    assert totals_of([line]).points == 3 and totals_of([point]).points == 1
    left, top, right, bottom = totals_of([point]).bounds
    assert (left, top) == (right, bottom) == tuple(point.corners[0])


def test_they_are_selected_by_a_click_on_them(canvas: Canvas) -> None:
    line, point = draw_line(canvas), draw_point(canvas)
    canvas.workbench.set_tool("select")
    for place, expected in (((250, 101), line), ((601, 199), point), ((250, 200), None)):
        gestures.click(canvas, on_screen(canvas, [place])[0])
        ids = canvas.workbench.selection.ids
        assert ids == ((expected.id,) if expected is not None else ())


def test_a_corner_is_dragged_and_the_line_stays_one(canvas: Canvas) -> None:
    line = draw_line(canvas)
    canvas.workbench.set_tool("select")
    gestures.click(canvas, on_screen(canvas, [(250, 100)])[0])
    start, end = on_screen(canvas, [PATH[1], (450, 150)])
    gestures.drag(canvas, [start, end])
    (changed,) = regions(canvas)
    assert changed.id == line.id and changed.primitive is Primitive.LINE
    assert np.abs(changed.corners - [PATH[0], (450, 150), PATH[2]]).max() <= 1.5


def test_a_corner_is_added_and_deleted(canvas: Canvas) -> None:
    draw_line(canvas)
    canvas.workbench.set_tool("select")
    gestures.click(canvas, on_screen(canvas, [(250, 100)])[0])
    gestures.double_click(canvas, on_screen(canvas, [(400, 200)])[0])
    assert len(regions(canvas)[0].corners) == 4
    gestures.click(canvas, on_screen(canvas, [PATH[1]])[0])
    gestures.key(canvas, Qt.Key.Key_Delete)
    (line,) = regions(canvas)
    assert np.abs(line.corners - [PATH[0], (400, 200), PATH[2]]).max() <= 1.5


def test_a_point_is_dragged(canvas: Canvas) -> None:
    draw_point(canvas)
    canvas.workbench.set_tool("select")
    gestures.drag(canvas, on_screen(canvas, [(600, 200), (620, 260)]))
    (point,) = regions(canvas)
    assert point.primitive is Primitive.POINT
    assert np.abs(point.corners - [(620, 260)]).max() <= 1.5


def test_they_are_saved_and_left_out_of_evaluation(canvas: Canvas, tmp_path: Path) -> None:
    line = draw_line(canvas)
    draw_point(canvas)
    canvas.workbench.set_tool("box")
    gestures.drag(canvas, on_screen(canvas, [(500, 400), (600, 500)]))
    canvas.workbench.editing.apply_label("box")
    canvas.workbench.save()
    windows.settle()
    entry = canvas.workbench.entry
    assert entry is not None
    again = page_xml.read(entry.truth_path)
    assert [region.primitive for region in again.regions] == [
        Primitive.LINE, Primitive.POINT, Primitive.BOX,
    ]  # fmt: skip
    assert again.regions[0].points == line.points
    assert [region.ignore for region in again.regions] == [Ignore.SYMBOL, Ignore.SYMBOL, Ignore.NO]
    run = tmp_path / "run.csv"
    run.write_text(
        'query,page,score,points\nbox,plan,.9,"500,400 600,400 600,500 500,500"\n'.replace(
            "plan", entry.name
        )
    )
    result = spotlab.evaluate(entry.image.parent, run)
    figures = result.frame()
    assert list(figures["query"]) == ["box"] and list(figures["symbols"]) == [1]
