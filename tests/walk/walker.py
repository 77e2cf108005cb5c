"""Walks through everything that a window offers in one situation, as a hand would.

``python -m tests.walk.walker --size 1024x700 --situation truth`` says what was walked and what
went wrong, and fails if anything did. Every menu, action, panel and dialog is found in the window.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

Size = tuple[int, int]
PATIENCE = 4  # dialogs that may lie above each other


@dataclass
class Walked:
    """How much was walked, and what was wrong."""

    situation: str
    size: Size
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        much = ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items()))
        return f"{self.situation}, {self.size[0]}×{self.size[1]}: {much}; {len(self.faults)} faults"


def use_screen(size: Size, folder: Path) -> None:
    """Let Qt, before it is imported, run without a display on a screen of this size."""
    screen = {"name": "walked", "x": 0, "y": 0, "width": size[0], "height": size[1]}
    known = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    file = folder / "screen.json"
    file.write_text(json.dumps({"screens": [screen | known]}))
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"


def walk(situation: str, size: Size, folder: Path, workspaces: Iterable[str] = ()) -> Walked:
    """Walk in every workspace, or in these; needs a screen of this size and no other window."""
    from tests.walk.walking import Walking  # noqa: PLC0415 - Qt is imported after `use_screen`

    walked = Walked(situation, size)
    Walking(walked, folder).go(tuple(workspaces))
    return walked


def main() -> None:
    """Walk in the situations of the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1440x900")
    parser.add_argument("--situation", default="something selected")
    parser.add_argument("--workspace", action="append", default=[])
    parser.add_argument("--json", type=Path, help="write what was walked here, too")
    given = parser.parse_args()
    width, height = (int(part) for part in given.size.split("x"))
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for home in ("CONFIG", "STATE", "CACHE", "DATA"):
            os.environ[f"XDG_{home}_HOME"] = str(folder / home.lower())
        os.environ["HOME"] = name
        use_screen((width, height), folder)
        walked = walk(given.situation, (width, height), folder, given.workspace)
    for fault in walked.faults:
        print(fault, end="\n\n")
    print(walked, f"in {time.monotonic() - start:.0f} s")
    if given.json:
        told = {"counts": walked.counts, "faults": walked.faults}
        given.json.write_text(json.dumps(told))
    sys.stdout.flush()
    os._exit(bool(walked.faults))


if __name__ == "__main__":
    main()
