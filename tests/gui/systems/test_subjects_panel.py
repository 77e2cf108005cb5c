"""Somebody opens judgements that do not agree, and holds systems' answers against them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from spotlab.gui.kit import background, theme
from spotlab.gui.systems.subjects.bands import colours_of
from spotlab.gui.systems.subjects.subjects import NO_ANSWERS, NOTHING, SubjectsPanel
from spotlab.gui.systems.subjects.tables import SHARES, SubjectTable
from spotlab.uncertain_truth.answers import Band
from tests.gui import gestures
from tests.gui.choosing import pick
from tests.gui.systems.voted import settled, showing

TREE = """category,parent
all,
people,all
scenery,all
single,people
group,people
crowd,people
city,scenery
countryside,scenery
"""
SAID = {  # of each item, what the subjects S1 to S5 say; Fig. 1 first
    "fig1": ("people", "people", "crowd", "city", "city"),
    "street": ("city", "city", "city", "crowd", "city"),
    "field": ("countryside",) * 5,
    "face": ("single", "single", "people", "single", "single"),
}
ANSWERS = """system,query,rank,item
good,scenery,1,field
good,scenery,2,street
good,scenery,3,fig1
bad,scenery,1,face
bad,scenery,2,fig1
bad,scenery,3,field
good,fig1,1,street
good,fig1,2,face
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    rows = [f"S{number},{item},{category}" for item, said in SAID.items()
            for number, category in enumerate(said, 1)]  # fmt: skip
    contents = {
        "tree": TREE,
        "judgements": "\n".join(["subject,item,category", *rows]) + "\n",
        "answers": ANSWERS,
    }
    paths = {name: tmp_path / f"{name}.csv" for name in contents}
    for name, path in paths.items():
        path.write_text(contents[name])
    return paths


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[SubjectsPanel]:
    with showing(tmp_path, SubjectsPanel, 460, 820) as panel:
        yield panel


@pytest.fixture
def opened(panel: SubjectsPanel, files: dict[str, Path]) -> SubjectsPanel:
    panel.subjects.open(list(files.values()))
    settled()
    return panel


def shown_band(panel: SubjectsPanel, name: str) -> Band | None:
    """The band of the chosen answer, and that it is what is drawn."""
    answer = panel.subjects.answer
    if answer is None:
        return None
    band: Band = getattr(answer.bands, name)
    drawn = panel.bands.plots[("precision", "recall").index(name)].bands
    assert drawn is not None
    np.testing.assert_array_equal(drawn.median[:, 1], band.median)
    return band


def texts(table: SubjectTable) -> list[list[str]]:
    cells = [[table.item(row, column) for column in range(table.columnCount())]
             for row in range(table.rowCount())]  # fmt: skip
    return [[cell.text() if cell else "" for cell in row] for row in cells]


def share(panel: SubjectsPanel, category: str) -> tuple[float, float]:
    row = next(row for row in panel.categories.rows if row.text(0) == category)
    found: tuple[float, float] = row.data(1, SHARES)
    return found


def choose(panel: SubjectsPanel, name: str, text: str) -> None:
    """Walk through a box with keys until it says this."""
    box = {"system": panel.system, "query": panel.query, "item": panel.item}[name]
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.count()):
        if box.currentText() == text:
            break
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text
    settled()


def test_it_says_what_to_open_and_what_is_still_missing(
    panel: SubjectsPanel, files: dict[str, Path]
) -> None:
    assert panel.nothing.text() == NOTHING and panel.open_files.isVisible()
    panel.subjects.open([files["tree"]])
    settled()
    assert "Open the judgements" in panel.nothing.text()
    panel.subjects.open([files["judgements"]])
    settled()
    assert panel.categories.isVisible() and not panel.bands.plots[0].isVisible()
    assert panel.no_answer.text() == NO_ANSWERS
    panel.subjects.open([files["answers"]])
    settled()
    assert panel.bands.plots[0].isVisible()


def test_an_item_has_santinis_tree_of_probabilities(opened: SubjectsPanel) -> None:
    choose(opened, "query", "fig1")
    assert opened.subjects.item == "fig1"
    shown = {row.text(0): share(opened, row.text(0))[0] for row in opened.categories.rows}
    assert shown == pytest.approx({
        "all": 1.0, "people": 0.6, "scenery": 0.4, "single": 0.0, "group": 0.0, "crowd": 0.2,
        "city": 0.4, "countryside": 0.0,
    })  # fmt: skip
    assert share(opened, "people")[1] == pytest.approx(0.4)
    choose(opened, "item", "street")
    assert share(opened, "scenery")[0] == pytest.approx(0.8)


def test_bands_are_those_of_the_chosen_answer(opened: SubjectsPanel) -> None:
    choose(opened, "system", "good")
    choose(opened, "query", "scenery")
    band = shown_band(opened, "precision")
    assert band is not None
    # relevant with 1, .8 and .4: P(2 of the first 2) = .8
    assert band.median.tolist() == pytest.approx([1.0, 1.0, 2 / 3])
    assert band.mean.tolist() == pytest.approx([1.0, 0.9, 2.2 / 3])
    assert band.middle_95[1].tolist() == pytest.approx([0.5, 1.0])
    recall = shown_band(opened, "recall")
    assert recall is not None and recall.mean[2] == pytest.approx(1.0)  # |scenery| is 2.2


def test_a_click_in_the_bands_chooses_the_item_of_that_rank(opened: SubjectsPanel) -> None:
    choose(opened, "system", "good")
    choose(opened, "query", "scenery")
    place = opened.bands.plots[1].place_on_viewport((2.0, 0.5))
    gestures.click(opened.bands.plots[1].viewport(), (place.x(), place.y()))
    assert opened.subjects.item == "street"
    assert "<b>2</b> street" in opened.bands.readout.text()
    assert "95 % .500–1.000" in opened.bands.readout.text()
    QTest.keyClick(opened.bands.plots[1], Qt.Key.Key_Right)
    assert opened.subjects.item == "fig1"


def test_which_is_better_stands_with_its_assumption(opened: SubjectsPanel) -> None:
    QTest.mouseClick(opened.tabs.tabBar(), Qt.MouseButton.LeftButton,
                     pos=opened.tabs.tabBar().tabRect(1).center())  # fmt: skip
    rows = texts(opened.between)
    # at 2 items: 1 and .8 beside 0 and .4
    worse, equal = 0.0, 0.2 * 0.4
    assert rows[0][:3] == ["good, bad", f"{1 - equal - worse:.3f}".lstrip("0"), ".000"]
    assert "independently of each other" in opened.caption.text()
    assert opened.caption.text().startswith("At 2 items returned")


def test_systems_are_compared_at_a_rank_that_one_chooses(opened: SubjectsPanel) -> None:
    assert opened.compare_at.value() == 2
    opened.compare_at.setFocus()
    opened.compare_at.setValue(1)
    settled()
    assert texts(opened.between)[0][1:3] == ["1.000", ".000"]  # field is scenery, face is none
    assert opened.caption.text().startswith("At 1 item returned")


def test_two_systems_over_each_other_and_precision_over_recall(opened: SubjectsPanel) -> None:
    choose(opened, "system", "good")
    choose(opened, "query", "scenery")
    assert opened.bands.plots[0].beside is None
    pick(opened.beside, "bad")
    beside = opened.bands.plots[0].beside
    assert beside is not None and beside.median[0].tolist() == [1, 0]  # face is no scenery
    text = opened.bands.readout.text()
    assert "good" in text and "bad" in text
    pick(opened.view, True)
    assert [plot.isVisible() for plot in opened.bands.plots] == [False, False, True]
    region = opened.bands.plots[2].bands
    answer = opened.subjects.answer
    assert region is not None and answer is not None
    precision, recall = answer.bands.precision, answer.bands.recall
    np.testing.assert_array_equal(region.median, np.stack([recall.median, precision.median], 1))
    for end in (0, 1):  # both count the same items: their ends go together
        ends = np.stack([recall.middle_95[:, end], precision.middle_95[:, end]], axis=1)
        np.testing.assert_array_equal(region.most[end], ends)
    pick(opened.view, False)
    pick(opened.beside, "")
    assert opened.bands.plots[0].beside is None


@pytest.mark.parametrize("ground", [theme.LIGHT, theme.DARK])
def test_two_systems_have_colours_that_one_tells_apart(ground: theme.Colours) -> None:
    hues = [QColor(colour).hsvHue() for colour in colours_of(ground)]
    assert 60 <= abs(hues[0] - hues[1]) <= 300


def test_a_displacement_becomes_a_quality_in_two_ways(opened: SubjectsPanel) -> None:
    rows = texts(opened.displacement)
    assert rows[1][0] == "quality"
    pick(opened.quality, "exponential")
    opened.steepness.setValue(0.5)
    settled()
    found = opened.subjects.found
    assert found is not None
    best = found.displaced[0].systems[0]
    wanted = [np.exp(-0.5 * answer.displacement.total) for answer in best.subjects[0].answers]
    assert best.subjects[0].quality == pytest.approx(np.mean(wanted))
    assert texts(opened.displacement)[1] != rows[1]


def test_a_shared_shift_widens_the_bands_and_is_named(opened: SubjectsPanel) -> None:
    choose(opened, "system", "good")
    choose(opened, "query", "scenery")
    before = shown_band(opened, "precision")
    box = QPoint(10, opened.shift.height() // 2)
    QTest.mouseClick(opened.shift, Qt.MouseButton.LeftButton, pos=box)
    settled()
    after = shown_band(opened, "precision")
    assert before is not None and after is not None
    assert opened.subjects.settings.shift == 1.0
    assert not np.allclose(before.mean, after.mean)
    assert "share a shift" in opened.caption.text()
    assert (opened.subjects.system, opened.subjects.query) == ("good", "scenery")


def test_bands_are_santinis_or_calibrated_by_choice(opened: SubjectsPanel) -> None:
    choose(opened, "system", "good")
    choose(opened, "query", "scenery")
    before = shown_band(opened, "precision")
    assert opened.relevance.currentText().startswith("Santini's own")
    pick(opened.relevance, "learned")
    settled()
    after = shown_band(opened, "precision")
    assert opened.subjects.settings.relevance == "learned"
    assert before is not None and after is not None and not np.allclose(before.mean, after.mean)
    assert opened.shift.isChecked() and "sd 1.2" in opened.shift.text()
    pick(opened.relevance, "shares")
    settled()
    again = shown_band(opened, "precision")
    assert again is not None and np.array_equal(before.middle_95, again.middle_95)
    assert not opened.shift.isChecked()


def test_displacement_of_each_system_from_each_subject(opened: SubjectsPanel) -> None:
    QTest.mouseClick(opened.tabs.tabBar(), Qt.MouseButton.LeftButton,
                     pos=opened.tabs.tabBar().tabRect(2).center())  # fmt: skip
    rows = texts(opened.displacement)
    assert [row[0] for row in rows] == ["mean", "quality", "S1", "S2", "S3", "S4", "S5"]
    for column in (1, 2):
        own = [float(row[column]) for row in rows[2:]]
        assert float(rows[0][column]) == pytest.approx(np.mean(own), abs=0.006)
    optimist = rows
    opened.hypothesis.setFocus()
    QTest.keyClick(opened.hypothesis, Qt.Key.Key_Down)
    assert texts(opened.displacement) != optimist


def test_an_item_that_nobody_judged_is_undefined(
    panel: SubjectsPanel, files: dict[str, Path]
) -> None:
    files["answers"].write_text("query,rank,item\nscenery,1,field\nscenery,2,nobody\n")
    panel.subjects.open(list(files.values()))
    settled()
    band = shown_band(panel, "precision")
    assert band is not None and np.isnan(band.median).tolist() == [False, True]
    assert "nobody judged nobody" in panel.remarks.text()
    panel.subjects.choose_item("nobody")
    assert np.isnan(share(panel, "all")[0])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("tree", "category,parent\na,b\nb,a\n", "circle"),
        ("tree", "something,else\n1,2\n", "expected"),
        ("judgements", TREE.replace("category,parent", "subject,item"), "expected"),
        ("answers", "query,rank,item\nscenery,first,field\n", "rank"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_open_stays(
    opened: SubjectsPanel, files: dict[str, Path], name: str, content: str, said: str
) -> None:
    lines: list[str] = []
    opened.workbench.said.connect(lambda line, _: lines.append(line))
    files[name].write_text(content)
    opened.subjects.open([files[name]])
    settled()
    assert any(said in line for line in lines), lines
    assert opened.subjects.found is not None


def test_judgements_of_unknown_categories_are_passed_over_and_said(
    panel: SubjectsPanel, files: dict[str, Path]
) -> None:
    lines: list[str] = []
    panel.workbench.said.connect(lambda line, _: lines.append(line))
    files["judgements"].write_text(files["judgements"].read_text() + "S6,field,moon\n")
    panel.subjects.open(list(files.values()))
    settled()
    assert any("'moon' is not in the tree" in line for line in lines)
    assert panel.subjects.found is not None


def test_files_may_be_dropped(panel: SubjectsPanel, files: dict[str, Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in files.values()])
    copy, plain = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, Qt.MouseButton.LeftButton, plain)
    QApplication.sendEvent(panel, enter)
    drop = QDropEvent(QPointF(9, 9), copy, data, Qt.MouseButton.LeftButton, plain)
    QApplication.sendEvent(panel, drop)
    settled()
    assert enter.isAccepted() and panel.subjects.answer is not None


def test_the_button_asks_for_files(panel: SubjectsPanel) -> None:
    QTest.mouseClick(panel.open_files, Qt.MouseButton.LeftButton)
    dialogs = [child for child in panel.children() if hasattr(child, "selectedFiles")]
    assert len(dialogs) == 1
    dialogs[0].reject()  # type: ignore[attr-defined]
    assert isinstance(panel.open_files, QPushButton)


def test_it_follows_the_theme(opened: SubjectsPanel) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, "dark")
    settled()
    assert opened.bands.plots[0].backgroundBrush().color().name() == theme.DARK.base
    assert background.wait_for_all()
