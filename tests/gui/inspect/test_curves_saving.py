"""The plots follow the theme, and are saved as pictures and tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots import export as export_figures
from spotlab.gui.kit.plots.export import PIXELS, save_picture
from tests.gui.inspect.inspected import drawn, first_run, open_curves, second_run, use


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[CurvesPanel]:
    with open_curves(tmp_path) as panel:
        yield panel


@pytest.mark.parametrize("name", ["light", "dark"])
def test_plots_follow_the_theme(panel: CurvesPanel, name: str) -> None:
    use(panel, first_run())
    theme.apply(QApplication.instance(), name)
    drawn()
    picture = panel.plots[0].grab().toImage()
    corner = picture.pixelColor(picture.width() - 2, 1).name()
    assert corner == (theme.LIGHT if name == "light" else theme.DARK).base


def test_plots_are_saved_on_white_in_any_theme(panel: CurvesPanel, tmp_path: Path) -> None:
    use(panel, first_run(), second_run())
    theme.apply(QApplication.instance(), "dark")
    drawn()
    plot = panel.plots[0]
    for kind in ("svg", "pdf", "png"):
        save_picture(plot, tmp_path / f"curve.{kind}", panel.inspection.collection.said.emit)
    assert (tmp_path / "curve.pdf").read_bytes().startswith(b"%PDF")
    drawing = (tmp_path / "curve.svg").read_text("utf-8")
    assert "<path" in drawing and "<image" not in drawing
    assert "second" in drawing and "Recall" in drawing  # whose colour is which, and what x is
    assert "clip-path" in drawing and ', sans-serif"' in drawing
    with Image.open(tmp_path / "curve.png") as image:
        assert image.width == plot.width() * PIXELS
        assert image.convert("RGB").getpixel((image.width - 3, image.height - 3)) == (255,) * 3
    corner = plot.grab().toImage().pixelColor(1, 1).name()
    assert corner == theme.DARK.base  # on the screen it stays as it was


def test_a_picture_that_cannot_be_written_is_said(panel: CurvesPanel, tmp_path: Path) -> None:
    use(panel, first_run())
    said: list[tuple[str, bool]] = []
    path = tmp_path / "nowhere" / "curve.svg"
    save_picture(panel.plots[0], path, lambda text, serious: said.append((text, serious)))
    assert said[0][1] and "not saved" in said[0][0]


def test_tables_are_saved(
    panel: CurvesPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(panel, first_run(), second_run())
    written: dict[str, str] = {}
    monkeypatch.setattr(
        export_figures, "ask", lambda _p, _format, name, text, *_: written.update({name: text()})
    )
    panel.head.save_means()
    panel.inspection.choose_query("sofa")
    panel.head.save_points()
    assert {row["run"] for row in csv.DictReader(written["curves-means"].splitlines())} == {
        "first", "second",
    }  # fmt: skip
    assert len(written["curves-points"].splitlines()) == 1 + 3 + 3
