"""Pages whose names are in no encoding, hold control characters, or are as long as they may be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from spotlab.editing.journal_file import journal_path
from spotlab.editing.validate import validate_files
from spotlab.formats.collection.folder import scan
from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.imaging.reading import large_images
from spotlab.imaging.reading.pixels import read_header, read_page
from tests.gui import windows

NAMES = {
    "latin 1": os.fsdecode(b"caf\xe9.png"),
    "control characters": "a\x01b\nc.png",
    "percent": "50%E9.png",
    "240 bytes": "x" * 236 + ".png",
    "255 bytes": "x" * 251 + ".png",
    "255 bytes of ü": "ü" * 125 + "x.png",
}


def page(path: Path, size: tuple[int, int] = (320, 240)) -> Path:
    path.parent.mkdir(exist_ok=True)
    Image.new("L", size, 200).save(path)
    return path


def labels(folder: Path) -> dict[str, list[str]]:
    return {
        entry.image.name: [region.label for region in page_xml.read(entry.truth_path).regions]
        for entry in scan([folder])
        if entry.has_truth
    }


@pytest.mark.slow
@pytest.mark.parametrize("what", NAMES)
def test_such_pages_are_drawn_on_saved_and_found_again(
    tmp_path: Path, qapp: QApplication, what: str
) -> None:
    image = page(tmp_path / "plans" / NAMES[what])
    window = windows.open_window(tmp_path, image.parent)
    windows.add(window, "sofa")
    session = window.workbench.session
    assert session is not None and session.journal == journal_path(session.path)
    left = session.journal.read_bytes()
    window.workbench.save()
    windows.settle()
    assert window.status.saved.text() == "all saved"
    assert labels(image.parent) == {image.name: ["sofa"]}
    windows.close(window)
    assert not journal_path(session.path).exists()
    session.path.unlink()
    journal_path(session.path).write_bytes(left)  # as a kill leaves it
    window = windows.open_window(tmp_path, image.parent)
    assert window.banner.kind == "recovered"
    assert window.workbench.close()
    assert labels(image.parent) == {image.name: ["sofa"]}
    windows.close(window)
    [looked] = validate_files([image.parent])
    assert (looked.entry.image, looked.regions, looked.unreadable) == (image, 1, ())
    assert page_xml.read(looked.entry.truth_path).page.image == image


@pytest.mark.slow
def test_validate_says_what_is_wrong_with_them(tmp_path: Path) -> None:
    image = page(tmp_path / "plans" / NAMES["latin 1"])
    truth = image.with_suffix(".xml")
    truth.write_bytes(b"<PcGts><Page")
    command = [sys.executable, "-m", "spotlab", "validate", os.fsencode(image.parent)]
    result = subprocess.run(command, capture_output=True, check=False)
    assert result.returncode == 2, result.stderr
    assert b"0 pages with truth, 1 error" in result.stdout  # it cannot be read
    assert b"Traceback" not in result.stderr
    assert b"caf" in result.stdout


@pytest.mark.parametrize("twin", ["jpg", "bmp"])
@pytest.mark.parametrize("stem", [os.fsdecode(b"caf\xe9"), "x" * 251])
def test_images_of_one_such_stem_have_their_own_truth(
    tmp_path: Path, qapp: QApplication, stem: str, twin: str
) -> None:
    folder = page(tmp_path / "plans" / f"{stem}.png").parent
    page(folder / f"{stem}.{twin}")
    window = windows.open_window(tmp_path, folder)
    for index in range(2):
        window.workbench.open_page(index)
        windows.settle()
        windows.add(window, window.workbench.entries[index].image.suffix)
    assert window.workbench.close()
    windows.close(window)
    assert labels(folder) == {f"{stem}.{twin}": [f".{twin}"], f"{stem}.png": [".png"]}


def test_pages_of_one_file_with_a_long_name(tmp_path: Path, qapp: QApplication) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    frames = [Image.new("L", (60 + 10 * number, 50), 255) for number in range(3)]
    frames[0].save(folder / ("x" * 251 + ".tif"), save_all=True, append_images=frames[1:])
    window = windows.open_window(tmp_path, folder)
    for index in (2, 1):
        window.workbench.open_page(index)
        windows.settle()
        said = window.status.hint.toolTip()
        windows.add(window, str(index), left=1, top=0)
    assert window.workbench.close()
    windows.close(window)
    assert [(looked.entry.frame, looked.regions) for looked in validate_files([folder])] == [
        (1, 1), (2, 1)
    ]  # fmt: skip
    for entry in scan([folder]):
        assert entry.frames is None, "nothing is taken for a page of its own"
    assert "too long" in said


def test_large_pages_with_such_names_do_not_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_images, "LARGE", 100)  # OpenCV ends the process at such a name
    path = tmp_path / NAMES["latin 1"]
    pixels = np.random.default_rng(1).integers(0, 256, (40, 30, 3), np.uint8)
    Image.fromarray(pixels).save(path)
    assert np.array_equal(read_page(path), pixels)
    plain = tmp_path / "plain.pdf"
    Image.fromarray(pixels).save(plain)
    plain.rename(path.with_suffix(".pdf"))
    assert read_header(path.with_suffix(".pdf")).frames == 1
    assert background.wait_for_all()
