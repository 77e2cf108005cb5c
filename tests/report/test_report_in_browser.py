"""A report in a real browser, offline: curves are read, pages looked at, tables sorted, printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from spotlab.formats.runs.reading import read_run
from spotlab.formats.truth import page_xml
from spotlab.imaging.overlay import AreaKind, OverlayRaster, paint_areas
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.model import Page, Region, Truth
from spotlab.report.run_plots import GRID
from spotlab.report.write import write_report
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.tally.truth import read_truths
from tests.gui.inspect.inspecting import BED, HALF, NOTHING, SOFA, corners
from tests.gui.windows import write_pages
from tests.report.browser import CHROMIUM, Browser, chromium

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

EVIL = "</script><img src=x onerror=\"document.title='evil'\">"
NAMES = ("partly", EVIL + "{{7*7}}")


def spot(query: str, page: str, rank: int, score: float, box: tuple[int, ...]) -> str:
    quoted = query.replace('"', '""')
    points = " ".join(f"{x},{y}" for x, y in corners(box))
    return f'"{quoted}",{page},{rank},{score},"{points}"'


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Two pages and two runs, one of which and a label are named to do harm."""
    folder = tmp_path_factory.mktemp("collection")
    write_pages(folder, 2)
    sofa, bed = Region(corners(SOFA), "sofa", "r1"), Region(corners(BED), EVIL, "r2")
    for name, regions in {"page_1": (sofa, bed), "page_2": (sofa,)}.items():
        truth = Truth(Page(folder / f"{name}.png", 320, 240), regions)
        page_xml.write(truth, folder / f"{name}.xml")
    partly = (
        spot("sofa", "page_1", 1, 0.9, SOFA),
        spot("sofa", "page_1", 2, 0.8, NOTHING),
        spot("sofa", "page_2", 3, 0.7, HALF),
    )
    every = (
        spot("sofa", "page_1", 1, 0.9, SOFA),
        spot("sofa", "page_1", 2, 0.8, BED),
        spot("sofa", "page_2", 3, 0.7, SOFA),
        spot(EVIL, "page_1", 1, 0.7, BED),
    )
    runs = []
    for name, lines in zip(("partly", "all"), (partly, every), strict=True):
        path = folder / f"{name}.csv"
        path.write_text("\n".join(["query,page,rank,score,points", *lines]) + "\n")
        runs.append(read_run(path))
    found = evaluate(read_truths([folder]), runs, draws=20)
    named = tuple(replace(run, name=name) for run, name in zip(found.runs, NAMES, strict=True))
    [differences] = found.comparisons.values()
    return replace(found, runs=named, comparisons={NAMES: differences})


@pytest.fixture(scope="module")
def page(evaluation: Evaluation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(evaluation, tmp_path_factory.mktemp("written") / "report")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(running: Browser, page: Path) -> Iterator[Browser]:
    """The report, freshly opened; nothing may go wrong on it or leave it meanwhile."""
    running.errors.clear()
    running.requests.clear()
    running.open(page)
    yield running
    assert running.errors == []
    assert running.requests == [page.as_uri()]


def show(browser: Browser, selector: str) -> None:
    """Bring something into view, and wait until what is made there has been made."""
    browser.place(selector)
    browser.settle()


def test_names_that_would_be_markup_are_texts(browser: Browser) -> None:
    show(browser, "#viewer")
    browser.wait("!!document.querySelector('#viewer .spot')")
    assert browser.run("document.title") != "evil"
    assert browser.run("document.querySelectorAll('[onerror]').length") == 0
    assert EVIL in browser.run("document.querySelector('#viewer-query').textContent")
    cells = browser.run("[...document.querySelectorAll('td:first-child')].map(e => e.textContent)")
    assert {NAMES[1], EVIL} <= set(cells)


def test_the_pointer_reads_the_values_of_all_runs(browser: Browser, evaluation: Evaluation) -> None:
    browser.wait("!!document.querySelector('.chart .u-over')")
    x, y = browser.place(".chart .u-over")
    browser.move(x, y)
    said = "[...document.querySelectorAll('.chart .cell')[0].querySelectorAll('.u-series:not(.band)"
    texts = browser.run(said + " .u-value')].map(e => e.textContent)")
    recall, *values = (float(text) for text in texts)
    place = int(np.argmin(abs(GRID - recall)))
    wanted = [run.figures.curves.central("precision", GRID).mean[place] for run in evaluation.runs]
    assert values == pytest.approx(wanted, abs=6e-4)
    others = browser.run(
        "[...document.querySelectorAll('.chart .cell')].map("
        "cell => cell.querySelector('.u-value').textContent)"
    )
    assert set(others[:3]) == {texts[0]}  # all three plots are read at the same recall


def test_what_belongs_to_a_run_is_highlighted_together(browser: Browser) -> None:
    browser.wait("!!document.querySelector('.chart .u-over')")
    link = json.dumps(f"run:{NAMES[1]}")
    rows = f"[...document.querySelectorAll('tr[data-link]')].filter(e => e.dataset.link === {link})"
    linked = f"{rows}.map(e => e.classList.contains('linked'))"
    legend = "[...document.querySelectorAll('.u-series.linked')].map(e => e.dataset.line)"
    assert not any(browser.run(linked))
    x, y = browser.run(f"(() => {{ const b = {rows}[0].getBoundingClientRect();"
                       " return [b.left + 30, b.top + 8]; })()")  # fmt: skip
    browser.move(x, y)
    assert all(browser.run(linked)) and len(browser.run(linked)) > 2
    assert set(browser.run(legend)) == {f"run:{NAMES[1]}"}
    browser.move(x, 3)
    assert not any(browser.run(linked))
    browser.click(x, y)
    browser.move(x, 3)
    assert all(browser.run(linked))  # a click keeps it
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Escape")
    browser.settle()
    assert not any(browser.run(linked)) and browser.run(legend) == []


def facts(browser: Browser) -> dict[str, str]:
    script = (
        "(() => { const d = document.querySelector('#viewer-facts dl'), t = s =>"
        " [...d.querySelectorAll(s)].map(e => e.textContent); return [t('dt'), t('dd')]; })()"
    )
    return dict(zip(*browser.run(script), strict=True))


def test_layers_of_a_page_go_on_and_off(browser: Browser) -> None:
    show(browser, "#viewer")
    browser.wait("!!document.querySelector('#viewer .spot')")
    counted = {"FOUND": ".area.found", "FALSE": ".area.false", "OTHER_LABEL": ".area.other",
               "MISSED": ".area.missed", "truth": ".region", "image": ".page-image",
               "spots0": '.spot[data-run="0"]'}  # fmt: skip
    for layer, selector in counted.items():
        there = f"document.querySelectorAll('#viewer {selector}').length > 0"
        assert browser.run(there), layer
        browser.click_on(f'#viewer-layers input[value="{layer}"]')
        assert not browser.run(there), layer
        browser.click_on(f'#viewer-layers input[value="{layer}"]')
        assert browser.run(there), layer
    assert browser.run("document.querySelectorAll('.spot[data-run=\"1\"]').length") == 0
    browser.click_on('#viewer-layers input[value="spots1"]')
    assert browser.run("document.querySelectorAll('.spot[data-run=\"1\"]').length") == 3


def test_a_click_on_a_region_tells_its_facts(browser: Browser, evaluation: Evaluation) -> None:
    show(browser, "#viewer .stage")
    browser.wait("!!document.querySelector('#viewer .spot')")
    assert facts(browser)["false"] == "1" and facts(browser)["missed regions"] == "1"
    browser.click_on('#viewer .spot[data-spot="1"]')  # the one of nothing
    told = facts(browser)
    assert (told["Query"], told["Rank"], told["Score"]) == ("sofa", "2", ".8")
    assert told["Kind"] == "false" and told["Area in truth of the query"] == "0.0 %"
    browser.click_on('#viewer .region[data-region="1"]')  # the bed
    told = facts(browser)
    assert told["Label"] == EVIL and told["partly"] == "missed"
    assert told[NAMES[1]] == "correct at rank 1"
    browser.run(
        "(() => { const e = document.querySelector('#viewer-run'); e.value = 1;"
        " e.dispatchEvent(new Event('change')); })()"
    )
    browser.click_on('#viewer .spot[data-spot="1"]')  # the sofa on the bed
    assert facts(browser)["Kind"] in ("wrong label", "correct")  # two spots have this outline


def test_areas_are_painted_where_they_are(browser: Browser) -> None:
    """The false spot is orange on the page, the bed that nobody found blue, the sofa green."""
    show(browser, "#viewer .stage")
    browser.wait("!!document.querySelector('#viewer .spot')")
    browser.click_on('#viewer-layers input[value="spots0"]')
    browser.click_on('#viewer-layers input[value="truth"]')
    show(browser, "#viewer .sheet")
    frame = browser.run(
        "(() => { const b = document.querySelector('.paper-sheet').getBoundingClientRect();"
        " return [b.left, b.top, b.width / 320]; })()"
    )
    left, top, scale = frame
    places = {AreaKind.FALSE: NOTHING, AreaKind.MISSED: BED, AreaKind.FOUND: SOFA}
    for kind, (x0, y0, x1, y1) in places.items():
        middle = left + scale * (x0 + x1) / 2, top + scale * (y0 + y1) / 2
        sheet = OverlayRaster((1, 0, 0, 1, 0, 0), 16, 16)
        painted = paint_areas(np.full((16, 16), kind, np.uint8), sheet).astype(float)
        wanted = (255 - painted[..., 3:] + painted[..., 2::-1]).mean(axis=(0, 1))
        assert browser.colour(*middle, side=16) == pytest.approx(wanted.tolist(), abs=12), kind


def test_pages_zoom_and_move(browser: Browser) -> None:
    show(browser, "#viewer .stage")
    browser.wait("!!document.querySelector('#viewer .spot')")
    width = "document.querySelector('#viewer .paper-sheet').getBoundingClientRect().width"
    left = "document.querySelector('#viewer .paper-sheet').getBoundingClientRect().left"
    before = browser.run(width)
    x, y = browser.place("#viewer .sheet svg")
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-300)
    assert browser.run(width) == before  # the wheel alone scrolls the report
    x, y = browser.place("#viewer .sheet svg")
    browser.call(
        "Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-300, modifiers=2
    )
    browser.wait(f"{width} > {before} * 1.05")
    start = browser.run(left)
    browser.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left")
    for step in (20, 45, 70):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + step, y=y, button="left")
    browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + 70, y=y, button="left")
    browser.settle()
    assert browser.run(left) == pytest.approx(start + 70, abs=3)
    browser.click_on("#viewer-fit")
    browser.wait(f"Math.abs({width} - {before}) < 1")


def test_an_error_opens_its_page(browser: Browser) -> None:
    browser.click_on('.crops figure[data-open-page="page_2"]')
    browser.wait("!!document.querySelector('#viewer .chosen')")
    assert browser.run("document.querySelector('#viewer-page').selectedOptions[0].text") == "page_2"
    assert facts(browser)["Rank"] == "3"


def test_tables_sort(browser: Browser) -> None:
    table = "document.querySelector('main table')"
    column = f"[...{table}.tBodies[0].rows].map(row => row.cells[1].dataset.sort)"
    for wanted in ("descending", "ascending"):
        browser.click_on("main table thead th:nth-child(2)")
        browser.wait(f"{table}.querySelector('th[aria-sort={wanted}]') !== null")
        browser.run("new Promise(done => setTimeout(done, 20))")
        values = [float(value) for value in browser.run(column)]
        assert values == sorted(values, reverse=wanted == "descending") and len(set(values)) == 2


def test_dark_is_dark(browser: Browser, page: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    assert browser.run(ground) == "rgb(255, 255, 255)"
    browser.click_on("#theme")
    assert max(map(int, re.findall(r"\d+", browser.run(ground)))) < 64
    browser.click_on("#theme")
    browser.appear(dark=True)
    browser.run("delete document.documentElement.dataset.theme")
    assert max(map(int, re.findall(r"\d+", browser.run(ground)))) < 64
    axis = "Theme.colour('--quiet')"
    assert browser.run(axis) != "" and "light-dark" not in browser.run(axis)


def test_paper_has_every_column(browser: Browser) -> None:
    printed = pypdfium2.PdfDocument(browser.pdf())
    sizes = {tuple(round(side) for side in sheet.get_size()) for sheet in printed}
    assert sizes == {(595, 842)}
    text = " ".join(sheet.get_textpage().get_text_range() for sheet in printed)
    flat = re.sub(r"\s+", "", text)
    for figure in known_figures():
        # in the summary or not: means, all areas together, differences, every query of two runs
        title = figure.titled(MeasureSettings())
        assert flat.count(re.sub(r"\s+", "", title)) >= 5, title
    assert "Rankup" not in flat and "Fit" not in flat and "viewerneeds" not in flat
    assert browser.cut_on_paper() == []


def test_without_scripts_it_is_a_document(browser: Browser, page: Path) -> None:
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(page)
        printed = pypdfium2.PdfDocument(browser.pdf())
        text = " ".join(sheet.get_textpage().get_text_range() for sheet in printed)
        assert "Precision at recall r" in text and "Every query" in text
        assert browser.run("document.querySelector('.still svg').clientWidth") > 300
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    browser.requests[1:] = []
