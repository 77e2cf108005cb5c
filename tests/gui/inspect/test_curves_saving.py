"""The plots follow the theme, and are saved for print and as tables: what is chosen of them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.run_cuts import CurveView
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.export import PlotDialog
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui import windows
from tests.gui.inspect.inspected import drawn, first_run, open_curves, second_run, use


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[CurvesPanel]:
    with open_curves(tmp_path) as panel:
        yield panel


def offered(panel: CurvesPanel, kind: str) -> PlotDialog:
    panel.head.save_kind(kind)
    windows.settle()
    [dialog] = [each for each in panel.findChildren(PlotDialog) if each.isVisible()]
    return dialog


def text_of(pdf: Path) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return re.sub(r"\s+", " ", document[0].get_textpage().get_text_bounded())


def saved(dialog: PlotDialog, path: Path) -> Path:
    dialog.save(path)
    windows.settle()
    return path


@pytest.mark.parametrize("name", ["light", "dark"])
def test_plots_follow_the_theme(panel: CurvesPanel, name: str) -> None:
    use(panel, first_run())
    theme.apply(QApplication.instance(), name)
    drawn()
    picture = panel.plots[0].grab().toImage()
    corner = picture.pixelColor(picture.width() - 2, 1).name()
    assert corner == (theme.LIGHT if name == "light" else theme.DARK).base


def test_plots_are_saved_for_print_in_any_theme(panel: CurvesPanel, tmp_path: Path) -> None:
    use(panel, first_run(), second_run())
    panel.inspection.set_cut(ListCut("rank", 1))
    theme.apply(QApplication.instance(), "dark")
    drawn()
    pdf = saved(offered(panel, "precision"), tmp_path / "curve.pdf")
    assert b"CIDFontType2" in pdf.read_bytes() and b"Type3" not in pdf.read_bytes()
    text = text_of(pdf)
    for words in ("Precision at recall r", "Area recall r", "first", "second", "highest F",
                  "mean of all queries at the cut"):  # fmt: skip
        assert words in text, text
    assert pypdfium2.PdfDocument(pdf)[0].get_width() == pytest.approx(3.5 * 72, abs=1)
    svg = saved(offered(panel, "f"), tmp_path / "curve.svg").read_text("utf-8")
    assert "F at recall r" in svg and "highest F" in svg
    with Image.open(saved(offered(panel, "f"), tmp_path / "curve.png")) as image:
        assert image.width == pytest.approx(3.5 * 300, abs=2)
        assert image.convert("RGB").getpixel((2, 2)) == (255,) * 3


def test_plots_runs_queries_and_width_are_chosen(panel: CurvesPanel, tmp_path: Path) -> None:
    use(panel, first_run(), second_run())
    dialog = offered(panel, "precision")
    before = dialog.preview.pixmap().width()
    assert [dialog.plots.item(row).text() for row in range(3)] == [
        "Precision over recall", "Fall-out over recall", "F over recall",
    ]  # fmt: skip
    dialog.plots.item(2).setCheckState(Qt.CheckState.Checked)
    dialog.runs.item(1).setCheckState(Qt.CheckState.Unchecked)
    dialog.query.show_value("sofa")
    dialog.width_choice.show_value(7.16)
    dialog.options["marks"].setChecked(False)
    assert not dialog.options["queries"].isChecked()  # of several runs they would hide the means
    windows.settle()
    while dialog.busy:
        QApplication.processEvents()
    assert dialog.preview.pixmap().width() == pytest.approx(before * 7.16 / 3.5, rel=0.02)
    text = text_of(saved(dialog, tmp_path / "chosen.pdf"))
    assert "query: sofa" in text and "F at recall r" in text
    assert "second" not in text and "highest F" not in text


def test_nothing_chosen_is_not_saved(panel: CurvesPanel) -> None:
    use(panel, first_run())
    dialog = offered(panel, "f")
    save = dialog.buttons.button(QDialogButtonBox.StandardButton.Save)
    assert save.isEnabled()
    dialog.runs.item(0).setCheckState(Qt.CheckState.Unchecked)
    while dialog.busy:
        QApplication.processEvents()
    assert not save.isEnabled() and dialog.preview.text() == "Choose a run"


def test_the_detectors_view_is_saved_as_it_is_shown(panel: CurvesPanel, tmp_path: Path) -> None:
    use(panel, first_run(), second_run())
    panel.inspection.choose_view(CurveView.DETECTOR)
    drawn()
    text = text_of(saved(offered(panel, "precision"), tmp_path / "pr.pdf"))
    assert "Precision at IoU .5" in text and "Recall at IoU .5" in text
    text = text_of(saved(offered(panel, "score_f"), tmp_path / "f.pdf"))
    assert "F at IoU .5" in text and "Score from which spots are kept" in text


def test_a_picture_that_cannot_be_written_is_said(panel: CurvesPanel, tmp_path: Path) -> None:
    use(panel, first_run())
    said: list[tuple[str, bool]] = []
    panel.inspection.collection.said.connect(lambda *words: said.append(words))
    saved(offered(panel, "f"), tmp_path / "nowhere" / "curve.svg")
    assert said[-1][1] and "not saved" in said[-1][0]


def written_tables(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    written: dict[str, str] = {}
    monkeypatch.setattr(
        export_figures, "ask", lambda _p, _format, name, text, *_: written.update({name: text()})
    )
    return written


def test_tables_are_saved(panel: CurvesPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    use(panel, first_run(), second_run())
    written = written_tables(monkeypatch)
    panel.head.save_means()
    panel.inspection.choose_query("sofa")
    panel.head.save_points()
    assert {row["run"] for row in csv.DictReader(written["curves-means"].splitlines())} == {
        "first", "second",
    }  # fmt: skip
    assert len(written["curves-points"].splitlines()) == 1 + 3 + 3


def test_tables_of_the_detectors_view_are_of_spots(
    panel: CurvesPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(panel, first_run())
    written = written_tables(monkeypatch)
    panel.inspection.choose_view(CurveView.DETECTOR)
    drawn()
    panel.head.save_means()
    panel.head.save_points()
    rows = list(csv.DictReader(written["detector-curves-means"].splitlines()))
    assert {(row["curve"], row["over"]) for row in rows} == {
        ("precision", "recall"), ("precision", "score"), ("recall", "score"), ("f", "score"),
    }  # fmt: skip
    figures = panel.inspection.runs[0].figures
    assert figures is not None
    points = list(csv.DictReader(written["detector-curves-points"].splitlines()))
    known = [float(row["recall"]) for row in points if row["recall"]]
    recall = figures.by_numbers.recall
    assert known and known == recall[~np.isnan(recall)].tolist()
    assert known != figures.recall[~np.isnan(recall)].tolist()  # those are of areas
