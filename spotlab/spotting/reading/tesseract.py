"""Reads pages by Tesseract, a program of its own that is called where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Any

import numpy as np

from spotlab.errors import SpotlabError
from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.processes import started
from spotlab.progress import Progress
from spotlab.spotting.reading.text_reader import TextReader

PROGRAM = "tesseract"
RESOLUTION = 300  # dpi that are passed, as it assumes 70 where an image says nothing
POLL = 0.2  # s between two questions whether the text is still wanted
MISSING = (
    "the program tesseract is not installed or not on the PATH; it reads the pages' text "
    "(Debian and Ubuntu: tesseract-ocr, macOS: brew install tesseract)"
)


def read(ink: Ink, language: str, progress: Progress) -> str:
    """Read the text of a page.

    Parameters
    ----------
    ink : (H, W) bool
    language : str
        As Tesseract names it; "" for its default.
    progress : Progress
        Called until the text is there; may raise `Cancelled`.

    Raises
    ------
    SpotlabError
        Tesseract is not installed, or fails.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise SpotlabError(MISSING)
    _, image = cv2.imencode(".png", np.where(ink, np.uint8(0), np.uint8(255)))
    command = [program, "stdin", "stdout", "--dpi", str(RESOLUTION)]
    command += ["-l", language] if language else []
    # pages are read side by side instead of each by several threads
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    with tempfile.TemporaryFile() as page:  # a pipe that is full would keep us from asking
        page.write(image.tobytes())
        page.seek(0)
        pipes: dict[str, Any] = {
            "stdin": page,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        with started(command, env=environment, **pipes) as process:
            text, problem = _wait(process, progress)
    if process.returncode:
        lines = problem.decode("utf-8", "replace").strip().splitlines()
        raise SpotlabError(f"tesseract failed: {lines[-1] if lines else process.returncode}")
    return text.decode("utf-8", "replace").replace("\f", "")


def _wait(process: subprocess.Popen[bytes], progress: Progress) -> tuple[bytes, bytes]:
    while True:
        progress(0, None, "reading text")
        try:
            return process.communicate(timeout=POLL)
        except subprocess.TimeoutExpired:
            continue


def problem(language: str) -> str:
    """Say why a language cannot be read; "" where it can.

    Parameters
    ----------
    language : str
        As Tesseract names it; several are joined by +.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        return MISSING
    done = _ask(program, "--list-langs")
    known = [line.strip() for line in done.splitlines()[1:]]
    unknown = [name for name in language.split("+") if name and name not in known]
    if unknown:
        return f"tesseract has no language {unknown[0]!r} here; it has {', '.join(known) or 'none'}"
    return ""


def version() -> str:
    """As in "tesseract 5.3.0"."""
    program = shutil.which(PROGRAM)
    return "" if program is None else next(iter(_ask(program, "--version").splitlines()), "")


def _ask(program: str, question: str) -> str:
    done = subprocess.run([program, question], capture_output=True, check=False)
    # before 4.1 answers came as errors
    return (done.stdout or done.stderr).decode("utf-8", "replace")


TESSERACT = TextReader("tesseract", "Tesseract", read, problem, version)
