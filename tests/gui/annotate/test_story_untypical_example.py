"""Someone labels a table as a chair by mistake, and the strip of proposals says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from spotlab.formats.truth.page_xml import write
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.similar.proposals_bar import ProposalsBar
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Page, Region, Truth
from tests.gui import windows
from tests.gui.annotate.alike import calm


def drawn(folder: Path, *, odd: bool) -> Path:
    """A page with five crossed squares and, if wanted, a comb that has their label."""
    ink = np.full((500, 700), 255, np.uint8)
    regions = []
    for number in range(6):
        x, y = 60 + 200 * (number % 3), 60 + 220 * (number // 3)
        if odd and number == 4:
            for tooth in range(0, 90, 15):
                ink[y + 80 : y + 84, x : x + 84] = ink[y : y + 80, x + tooth : x + tooth + 4] = 0
        else:
            ink[y : y + 84, x : x + 84] = 0
            ink[y + 4 : y + 80, x + 4 : x + 80] = 255
            for step in range(80):
                ink[y + step : y + step + 4, x + step : x + step + 4] = 0
        corners = ((x - 2, y - 2), (x + 86, y - 2), (x + 86, y + 86), (x - 2, y + 86))
        regions.append(Region(corners, "chair", id=f"r{number}"))
    image = folder / "plan.png"
    Image.fromarray(ink).save(image)
    write(Truth(Page(image, 700, 500), tuple(regions)), image.with_suffix(".xml"))
    return image


@pytest.mark.parametrize("odd", [True, False])
def test_the_region_that_is_unlike_the_others_is_said_and_selected(
    tmp_path: Path, lasting: MainWindow, odd: bool
) -> None:
    window = windows.begin_anew(lasting, drawn(tmp_path, odd=odd))
    proposals = window.workbench.state(Proposals)
    proposals.find_all()
    calm(window)
    bar = window.findChild(ProposalsBar)
    assert bar is not None
    assert ("unlike the others of chair" in bar.figures.whole()) == odd
    assert window.actions_by_id.trigger("proposals.untypical") == odd
    assert [region.id for region in window.workbench.selected] == (["r4"] if odd else [])
