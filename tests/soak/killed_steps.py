"""Windows that rename a label on all pages, undo and redo that until they are killed.

``python -m tests.soak.killed_steps --pages 2000 --kills 20`` says what each next start found.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.gui.labelled_pages import labels_on_disk, write_labelled

CHILD = """
import os, signal, sys, threading, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.gui import labelled_pages as hand
from tests.gui import windows
from spotlab.formats.collection.label_file import read_labels
folder, delay = Path(sys.argv[1]), float(sys.argv[2])
begun = time.monotonic()
window = windows.open_window(folder.parent)
window.open_paths([folder])
steps = window.workbench.collection_steps
hand.wait(lambda: window.workbench.document is not None, 300)
hand.over(window, 300)
left = [path.name for path in folder.iterdir() if path.suffix not in (".png", ".xml")]
print(time.monotonic() - begun, window.banner.text.text() if window.banner.isVisible() else "-")
names = [[label.name for label in each] for each in (window.workbench.labels, read_labels(folder))]
print(sorted(hand.labels_on_disk(folder).items()), *names, left, flush=True)
if delay < 0:
    window.close()
    os._exit(0)
threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)).start()
here = set(hand.labels_here(window))
old, new = ("sofa", "couch") if "sofa" in here else ("couch", "sofa")
steps.rename(old, new)
hand.answer(window, "Merge" if new in window.workbench.labels else "Rename")
while True:
    hand.over(window, 300)
    hand.undo(window)
    hand.over(window, 300)
    hand.redo(window)
"""


def start(folder: Path, delay: float) -> list[str]:
    """Open the collection, rename until killed after ``delay`` s; gives what was found at first."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder), str(delay)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == (0 if delay < 0 else -signal.SIGKILL), done.stderr
    return done.stdout.splitlines()


def kill_again_and_again(folder: Path, pages: int, kills: int, seed: int = 0) -> tuple[int, int]:
    """How many kills left some pages renamed and some not, and how many next starts found it so."""
    write_labelled(folder, pages, ("sofa", "bed"))
    chance = random.Random(seed)
    mixed_by_kill = mixed_after_start = 0
    for number in range(kills + 1):
        last = number == kills
        began = time.monotonic()
        found = start(folder, -1 if last else chance.uniform(0, 0.01 * pages))
        whole = [{"bed": pages, name: pages} for name in ("sofa", "couch")]
        good = any(str(sorted(each.items())) in found[1] for each in whole)
        mixed_after_start += not good
        left = labels_on_disk(folder)
        mixed_by_kill += not last and left not in whole
        print(f"{number}: {time.monotonic() - began:.1f} s, {found}; then {dict(left)}", flush=True)
    return mixed_by_kill, mixed_after_start


def main() -> None:
    """Kill as often as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "collection"
        broken, found = kill_again_and_again(folder, given.pages, given.kills, given.seed)
    print(f"{broken} kills left a mixed collection, {found} were mixed after the next start")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
