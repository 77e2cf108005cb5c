"""`spotlab open` and `spotlab demo`: the window on images, folders, truth files and saved views."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from spotlab.cli.console import progress_bar, say
from spotlab.cli.options import EXISTING_PATH, FOLDER
from spotlab.diagnosis.system_libraries import install_line, missing_packages
from spotlab.errors import SpotlabError
from spotlab.progress import Progress
from spotlab.resources import own_sample, sample_collection

PICTURES = 4  # of a demo without a display
MODULES = ("PySide6", "pyqtgraph", "qtawesome")


def open_window(paths: Sequence[Path], demo: bool = False, author: str = "") -> None:
    """Open the window on these paths and stay until it is closed.

    ``author`` is who draws; the name that the window knows where it is empty.

    Raises
    ------
    SpotlabError
        Something that the window needs is not installed, or there is no display.
    """
    require_qt(display=os.environ.get("QT_QPA_PLATFORM", "xcb") in ("xcb", "wayland"))
    from spotlab.gui.window.app import run  # noqa: PLC0415

    code = run(list(paths), demo, author)
    if code:
        sys.exit(code)


def require_qt(display: bool) -> None:
    """Raise a `SpotlabError` that says what to install for drawing, or for a window on a display.

    Qt itself would end the process with a riddle.
    """
    lacking = [name for name in MODULES if find_spec(name) is None]
    if lacking:
        raise SpotlabError(
            f"the window needs {', '.join(lacking)}: python -m pip install 'spotlab[gui]'"
        )
    packages = missing_packages(display)
    if packages:
        raise SpotlabError(f"the window needs system libraries: {install_line(packages)}")
    if display and sys.platform.startswith("linux"):
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            raise SpotlabError("there is no display; spotlab demo --headless works without one")


@click.command("open")
@click.argument("paths", nargs=-1, type=EXISTING_PATH)
@click.option(
    "--author",
    default="",
    help="Your name in the history of the regions that you draw and change, until the window is "
    "closed.  [default: the name set in the window, else that of your account]",
)
def open_paths(paths: tuple[Path, ...], author: str) -> None:
    """Open images, folders, PDF files and runs on them, or a saved view, in the window."""
    open_window(paths, author=author)


@click.command()
@click.option(
    "--headless",
    is_flag=True,
    help="Write a picture of each workspace and a report, without showing a window.",
)
@click.option(
    "--out",
    type=FOLDER,
    default=Path("spotlab-pictures"),
    show_default=True,
    help="Folder for the pictures and the report.",
)
def demo(headless: bool, out: Path) -> None:
    """Open your copy of the sample collection."""
    if not headless:
        open_window([own_sample()], demo=True)
        return
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    require_qt(display=False)
    from spotlab.gui.window.headless import render_pictures  # noqa: PLC0415

    out.mkdir(parents=True, exist_ok=True)
    say("drawing four pictures of the window, then a report; this takes a minute or two")
    with progress_bar(lines=True) as progress:
        made = 0
        for picture in render_pictures(out):
            progress(made, PICTURES, "drawing")
            if picture is not None:
                say(f"wrote {picture}")
                made += 1
        say(f"wrote {_report(out, progress)}")


def _report(out: Path, progress: Progress) -> Path:
    """The evaluation of the sample's runs."""
    from spotlab.formats.runs import read_run  # noqa: PLC0415 - takes a second
    from spotlab.report.write import write_report  # noqa: PLC0415
    from spotlab.studies.evaluate.evaluate import evaluate  # noqa: PLC0415
    from spotlab.studies.tally.truth import read_truths  # noqa: PLC0415

    sample = sample_collection()
    runs = [read_run(path) for path in sorted((sample / "runs").glob("*.csv"))]
    evaluation = evaluate(read_truths([sample]), runs, progress=progress)
    return write_report(evaluation, out / "report", progress)
