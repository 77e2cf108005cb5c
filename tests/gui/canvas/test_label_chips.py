"""Labels on the page: none covers another, small regions have none, and painting them is quick."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from spotlab.gui.canvas.label_chips import FreePlaces, LabelChips
from spotlab.gui.canvas.view import RegionStyle, ViewTransform
from spotlab.model import Region

Box = tuple[float, float, float, float]


class Recorder:
    """A painter that keeps where pictures are painted."""

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter
        self.boxes: list[Box] = []

    def font(self) -> object:
        return self._painter.font()

    def drawPixmap(self, place: QPointF, pixmap: QPixmap) -> None:
        size = pixmap.deviceIndependentSize()
        self.boxes.append(
            (place.x(), place.y(), place.x() + size.width(), place.y() + size.height())
        )


def square(left: float, top: float, side: float, label: str = "sofa") -> Region:
    right, bottom = left + side, top + side
    return Region(((left, top), (right, top), (right, bottom), (left, bottom)), label)


def view_of(width: float = 1000, height: float = 800, angle: float = 0) -> ViewTransform:
    view = ViewTransform()
    view.resize(width, height)
    view.use_page(int(width), int(height))
    view.rotate_to(angle)
    return view


def painted(
    view: ViewTransform,
    others: list[Region],
    raised: list[Region] | None = None,
    hovered: Region | None = None,
) -> list[Box]:
    image = QImage(10, 10, QImage.Format.Format_ARGB32)
    with QPainter(image) as painter:
        recorder = Recorder(painter)
        LabelChips(RegionStyle()).paint(recorder, view, raised or [], hovered, others)  # type: ignore[arg-type]
    return recorder.boxes


def covering(boxes: list[Box]) -> int:
    array = np.array(boxes).reshape(-1, 4)
    low, high = array[:, None, :2], array[:, None, 2:]
    shared = np.minimum(high, array[None, :, 2:]) - np.maximum(low, array[None, :, :2])
    meets = (shared > 0.6).all(axis=2)  # places are rounded to whole px
    return int(meets.sum() - len(boxes)) // 2


@pytest.mark.parametrize("angle", [0.0, 90.0, 30.0])
def test_labels_of_crowded_regions_do_not_cover_each_other(
    qapp: QApplication, angle: float
) -> None:
    random = np.random.default_rng(1)
    regions = [
        square(x, y, side, f"label {n}")
        for n, (x, y, side) in enumerate(
            zip(random.uniform(0, 900, 120), random.uniform(0, 700, 120),
                random.uniform(70, 200, 120), strict=True)
        )
    ]  # fmt: skip
    boxes = painted(view_of(angle=angle), regions[20:], regions[:20], None)
    assert len(boxes) > 40 and covering(boxes) == 0


def test_a_second_label_at_the_same_place_moves_and_a_small_region_has_none(
    qapp: QApplication,
) -> None:
    view = view_of()
    boxes = painted(view, [square(300, 300, 200, "bed"), square(300, 300, 190, "sofa")])
    assert len(boxes) == 2 and covering(boxes) == 0
    assert painted(view, [square(300, 300, 20)]) == []
    assert len(painted(view, [], [square(300, 300, 20)])) == 1  # what is selected has its label


def test_what_the_pointer_is_on_and_what_was_selected_last_always_have_labels(
    qapp: QApplication,
) -> None:
    same = [square(300, 300, 60, f"{n}") for n in range(40)]
    boxes = painted(view_of(), [], same, None)
    last = painted(view_of(), [], same[-1:], None)
    assert 1 < len(boxes) < 40 and last[0] in boxes
    hovered = square(0, 0, 5, "tiny")
    assert len(painted(view_of(), [], [], hovered)) == 1


def test_a_thousand_labels_take_few_ms(qapp: QApplication) -> None:
    view = view_of(1600, 1000)
    regions = [square(45 * (n % 40), 45 * (n // 40), 60, "bed") for n in range(1000)]
    image = QImage(1600, 1000, QImage.Format.Format_ARGB32)
    chips = LabelChips(RegionStyle())
    times = []
    with QPainter(image) as painter:
        for _ in range(5):
            start = time.process_time()
            chips.paint(painter, view, [], None, regions)
            times.append(time.process_time() - start)
    assert min(times) < 0.04  # 6 ms alone on this program's machine


def test_labels_stay_beside_their_regions_while_the_view_moves(qapp: QApplication) -> None:
    view, chips = view_of(), LabelChips(RegionStyle())
    regions = [square(200 * n, 100, 75 + 12 * n, f"label {n}") for n in range(5)]
    raised = [square(300, 500, 20, "small")]
    image = QImage(10, 10, QImage.Format.Format_ARGB32)
    with QPainter(image) as painter:
        recorder = Recorder(painter)
        assert not chips.paint_moved(recorder, view, raised)  # type: ignore[arg-type]
        chips.paint(recorder, view, raised, None, regions)  # type: ignore[arg-type]
        before = list(recorder.boxes)
        assert len(before) == 6
        view.zoom_to(view.scale * 0.75, 0, 0)
        recorder.boxes.clear()
        assert chips.paint_moved(recorder, view, raised)  # type: ignore[arg-type]
        # the smallest have no room any more, what is selected always has
        assert 1 < len(recorder.boxes) < 6
        anchors = [
            (region.bounds[0], region.bounds[1]) for region in (*raised, *regions[::-1])
        ]  # larger ones first
        start = view_of()
        wanted = {
            tuple(round(at - old + new) for at, old, new in
                  zip(box[:2], start.to_view(*anchor), view.to_view(*anchor), strict=True))
            for box, anchor in zip(reversed(before), anchors, strict=True)
        }  # fmt: skip
        for box in recorder.boxes:
            assert any(abs(box[0] - x) <= 1 and abs(box[1] - y) <= 1 for x, y in wanted)
        assert not chips.paint_moved(recorder, view, [])  # type: ignore[arg-type]
        chips.forget()
        assert not chips.paint_moved(recorder, view, raised)  # type: ignore[arg-type]


def test_labels_move_with_the_page(qapp: QApplication) -> None:
    view, chips = view_of(400, 300), LabelChips(RegionStyle())
    view.zoom_to(2 * view.scale)
    regions = [square(60 * n, 60 * m, 55, f"{n}{m}") for n in range(6) for m in range(4)]
    pictures = []
    for dx, dy in ((0, 0), (24, -16), (10, 30)):
        view.pan(dx, dy)
        image = QImage(400, 300, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            if not pictures:
                chips.paint(painter, view, [], None, regions)
            else:
                assert chips.paint_moved(painter, view, [])
        rows = np.frombuffer(image.constBits(), np.uint32).reshape(300, 400)
        pictures.append(rows.copy())
    assert len(np.unique(pictures[0])) > 10
    assert np.array_equal(pictures[1][:284, 24:], pictures[0][16:, :376])
    assert np.array_equal(pictures[2][14:, 34:], pictures[0][:286, :366])


@given(
    st.lists(
        st.tuples(st.floats(0, 300), st.floats(0, 200), st.floats(4, 80), st.floats(4, 30)),
        max_size=30,
    )
)
def test_taken_places_do_not_overlap(wanted: list[tuple[float, float, float, float]]) -> None:
    free = FreePlaces(400, 300)
    taken = [
        (x, y, x + width, y + height)
        for x, y, width, height in wanted
        if free.take([(x, y)], width, height)
    ]
    assert covering(taken) == 0
    assert bool(taken) == bool(wanted)  # the first is always free
