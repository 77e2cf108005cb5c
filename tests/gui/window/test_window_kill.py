"""Sketch, label, undo, redo, and the program is killed: the next start has it all."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.reading.pixels import read_page
from spotlab.model import Primitive
from spotlab.resources import sample_collection
from tests.gui import windows

PLAN = "f23ccf42b9c42bfe7c37a1fb7a1ea100e3d34596.png"
BED = (242, 4057, 602, 4340)  # its ink, in px

# What a user does, in a process of its own; the arguments are the folder and the bed's bounds
CHILD = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.gui import gestures
from tests.gui import windows
folder, bed = Path(sys.argv[1]), [float(value) for value in sys.argv[2:6]]
window = windows.open_window(folder.parent, folder)
canvas, workbench = window.canvas, window.workbench
middle = (bed[0] + bed[2]) / 2, (bed[1] + bed[3]) / 2
while canvas.view.scale < 0.5:  # the wheel over the bed
    gestures.wheel(canvas, canvas.view.to_view(*middle))
width, height = bed[2] - bed[0], bed[3] - bed[1]
grown = bed[0] - width / 8, bed[1] - height / 8, bed[2] + width / 8, bed[3] + height / 8
stroke = [
    grown[:2], (middle[0], grown[1] - 3), (grown[2], grown[1]), (grown[2] + 3, middle[1]),
    grown[2:], (middle[0], grown[3] + 3), (grown[0], grown[3]), (grown[0] - 3, middle[1]),
]
gestures.drag(canvas, gestures.on_screen(canvas, stroke))
windows.settle()
QTest.keyClicks(canvas, "b")
QTest.keyClicks(QApplication.focusWidget(), "ed")
QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
windows.settle()
canvas.setFocus()
QTest.keyClick(canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
QTest.keyClick(canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
print("undone", len(workbench.document), flush=True)
redo = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
QTest.keyClick(canvas, Qt.Key.Key_Z, redo)
QTest.keyClick(canvas, Qt.Key.Key_Z, redo)
print("redone", [region.label for region in workbench.document], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def sketch_and_die(folder: Path, bed: tuple[float, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder), *map(str, bed)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert done.stdout.splitlines() == ["undone 0", "redone ['bed']"]


def start_again(folder: Path, qapp: object):
    window = windows.open_window(folder.parent, folder)
    region = next(iter(window.workbench.document))
    told = window.banner.isVisible(), window.banner.text.text()
    assert window.workbench.close()
    saved = page_xml.read(window.workbench.collection.entries[0].truth_path).regions
    windows.close(window)
    return region, told, saved


def test_on_a_plan_of_the_sample(tmp_path: Path, qapp: object) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    shutil.copy(sample_collection() / "plan_001.png", folder)
    truth = page_xml.read(sample_collection() / "plan_001.xml")
    ink = PageInk(read_page(folder / "plan_001.png"))
    beds = [region for region in truth.regions if region.label == "bed"]
    bed = next(  # one that touches no wall
        region
        for region in beds
        if np.array_equal(ink.select(region.array).outline(), region.array)
    )
    sketch_and_die(folder, bed.bounds)
    region, (shown, text), saved = start_again(folder, qapp)
    assert (region.points, region.label, region.primitive) == (bed.points, "bed", Primitive.HULL)
    assert shown
    assert "Recovered" in text
    assert saved == (region,)


# Sixty boxes on a full disk; the argument is the folder
ON_A_FULL_DISK = """
import os, signal, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.gui import windows
folder = Path(sys.argv[1])
window = windows.open_window(folder.parent / "settings", folder)
with (folder / "filler").open("wb", buffering=0) as file:
    try:
        while True:
            file.write(bytes(512))
    except OSError:
        pass
for number in range(60):
    windows.add(window, f"n{number}", left=2 * number)
print(len(window.workbench.document), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_on_a_full_disk(tmp_path: Path, qapp: object) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk can only be mounted by root")
    try:
        windows.write_pages(disk, 1)
        done = subprocess.run(
            [sys.executable, "-c", ON_A_FULL_DISK, str(disk)],
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.stdout == "60\n", done.stderr
        assert done.returncode == -signal.SIGKILL
        window = windows.open_window(tmp_path, disk)
        assert window.banner.isVisible()
        assert [region.label for region in window.workbench.document] == [
            f"n{number}" for number in range(60)
        ]
        (disk / "filler").unlink()
        text = window.banner.text.text  # that the disk is full comes before it while it is so
        assert background.wait_until(lambda: "Recovered 60 steps" in text(), 30)
        windows.close(window)
        assert len(page_xml.read(disk / "page_1.xml").regions) == 60
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.slow
def test_on_a_real_plan_of_64_million_pixels(
    shared_data: Path, tmp_path: Path, qapp: object
) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    shutil.copy(shared_data / "mlstruct_fp" / PLAN, folder)
    sketch_and_die(folder, BED)
    region, (shown, _), saved = start_again(folder, qapp)
    assert np.array_equal(region.bounds, BED)
    assert region.label == "bed"
    assert shown
    assert saved == (region,)
    assert pytest.approx(region.area, rel=0.05) == (BED[2] - BED[0]) * (BED[3] - BED[1])
