"""Tesseract as a program: one that is slow, fails, is missing, and the real one where it is."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont

from spotlab.errors import Cancelled, SpotlabError
from spotlab.imaging.ink import InkMethod, InkSettings, binarise
from spotlab.lab.pipelines.entities.entity_finder import Gazetteer, finder_of
from spotlab.progress import silent
from spotlab.spotting.reading import tesseract
from spotlab.spotting.reading.text_reader import reader_of, text_readers
from tests.processes import is_running

LETTER = """The letter of George Washington went to Boston on the 4th
of July 1776. Nobody but Captain Smith and the people of
Trenton had seen it before. He was not pleased at all."""

PROGRAM = """#!{python}
import os, sys, time
if "--version" in sys.argv: print("tesseract 9.9"); sys.exit()
if "--list-langs" in sys.argv: print("List of languages (1):\\neng"); sys.exit()
{body}
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    program = folder / "tesseract"
    program.write_text(PROGRAM.format(python=sys.executable, body=body))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def noise() -> np.ndarray:
    """A page whose image is larger than what a pipe holds."""
    return np.random.default_rng(1).random((1500, 1500)) < 0.5


def test_where_it_is_missing_a_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "tesseract" in text_readers()
    with pytest.raises(SpotlabError, match=r"^the program tesseract is not installed [^\n]*$"):
        reader_of("tesseract")
    with pytest.raises(SpotlabError, match="not installed"):
        tesseract.read(noise(), "", silent)
    with pytest.raises(SpotlabError, match=r"nothing reads texts by 'magic'; there are tess"):
        reader_of("magic")


def test_one_that_begins_late_gets_the_whole_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than the time between two questions whether to go on."""
    body = "time.sleep(0.6); print(len(sys.stdin.buffer.read()), *sys.argv[1:])"
    install(tmp_path, monkeypatch, body)
    size, *arguments = tesseract.read(noise(), "eng", silent).split()
    assert int(size) > 200_000
    assert arguments == ["stdin", "stdout", "--dpi", "300", "-l", "eng"]
    assert reader_of("tesseract", "eng").version() == "tesseract 9.9"


def test_languages_that_it_has_not_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "")
    with pytest.raises(SpotlabError, match="no language 'deu' here; it has eng"):
        reader_of("tesseract", "eng+deu")


def test_what_it_complains_of_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, 'sys.stderr.write("first\\nno memory\\n"); sys.exit(1)')
    with pytest.raises(SpotlabError, match=r"^tesseract failed: no memory$"):
        tesseract.read(noise(), "", silent)


def test_it_is_ended_when_nobody_wants_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "process"
    body = f"print(os.getpid(), file=open({str(notes)!r}, 'w'), flush=True); time.sleep(1e6)"
    install(tmp_path, monkeypatch, body)

    def stop(_done: int, _total: int | None, _doing: str) -> None:
        if notes.exists() and notes.read_text():
            raise Cancelled

    with pytest.raises(Cancelled):
        tesseract.read(noise(), "", stop)
    assert not is_running(int(notes.read_text()))


def printed(text: str) -> np.ndarray:
    """A grey page with a shadow and some noise."""
    font = ImageFont.truetype(font_manager.findfont("DejaVu Serif"), 40)
    page = Image.new("L", (1500, 320), 255)
    ImageDraw.Draw(page).multiline_text((60, 60), text, 0, font, spacing=20)
    shadow = np.linspace(0, 60, 1500)[None, :]
    grain = np.random.default_rng(2).normal(0, 10, (320, 1500))
    return (np.asarray(page) * 0.7 + 70 - shadow + grain).clip(0, 255).astype(np.uint8)


@pytest.mark.skipif(bool(tesseract.problem("eng")), reason="tesseract is not installed here")
@pytest.mark.parametrize("method", list(InkMethod))
def test_the_real_one_reads_names(method: InkMethod) -> None:
    ink = binarise(printed(LETTER), InkSettings(method))
    text = tesseract.read(ink, "eng", silent)
    found = [entity.text for entity in finder_of("rules").find(text, Gazetteer({}))]
    assert set(found) >= {"George Washington", "Boston", "Captain Smith", "Trenton"}
