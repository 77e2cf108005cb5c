"""Examines the machine; a check that fails is itself a finding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from spotlab.diagnosis.machine import (
    Fact,
    FactState,
    as_lines,
    examine_folders,
    examine_machine,
    examine_programs,
    examine_software,
    joined,
    without_home,
)
from spotlab.diagnosis.system_libraries import install_line, missing_packages
from spotlab.extras import OPTIONAL
from spotlab.processes import own_command, started
from spotlab.progress import Progress, silent, track

__all__ = ["as_json", "as_lines", "examine"]

TOPIC = "Window"
PROBE = "spotlab.gui.window.qt_probe"
PATIENCE = 60  # s until Qt has to have answered
FEW_FONTS = 3  # families, below which some signs are shown as boxes
SMALL = (1024, 700)  # px, below which panels cover the page


def examine_window() -> list[Fact]:
    """Say whether the window can open on this display, and what it draws with."""
    lacking = [each for each in OPTIONAL if each.extra == "gui" and find_spec(each.module) is None]
    if lacking:
        names = joined(package.title for package in lacking)
        advice = f"needed for the window: {lacking[0].install()}"
        return [Fact(TOPIC, "packages", f"{names} not installed", FactState.MISSING, advice)]
    return [_libraries(), *_of_qt()]


def _libraries() -> Fact:
    packages = missing_packages(display=True)
    if not packages:
        return Fact(TOPIC, "libraries", "complete")
    return Fact(
        TOPIC, "libraries", f"{joined(packages)} missing", FactState.MISSING, install_line(packages)
    )


def _of_qt() -> list[Fact]:
    told, problem = _probe()
    if told is None:
        advice = "" if _has_display() else "there is no display; commands and reports work without"
        return [Fact(TOPIC, "Qt", f"does not start: {problem}", FactState.MISSING, advice)]
    return findings_of_probe(told)


def _has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _probe() -> tuple[dict[str, Any] | None, str]:
    """Return what Qt says of itself; None, and its last words, where it does not start."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # in another locale Qt's first words would be about that
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    with started(own_command(PROBE), text=True, env=environment, **pipes) as process:
        try:
            out, said = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return None, f"no answer in {PATIENCE} s"
    lines = [line for line in said.strip().splitlines() if line.strip()]
    try:
        told: dict[str, Any] = json.loads(out.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return None, _problem(lines) or f"it ended with {process.returncode}"
    return told, ""


def _problem(said: Sequence[str]) -> str:
    """Of what was said, the line that names what is wrong: Qt's first, Python's last one."""
    if not said:
        return ""
    return said[-1] if said[0].startswith("Traceback") else said[0]


def findings_of_probe(told: dict[str, Any]) -> list[Fact]:
    """Judge what Qt says of itself.

    Parameters
    ----------
    told : dict
        ``qt``, ``platform``, ``style``, ``screens`` (name, width, height, ratio), ``fonts`` (a
        number), ``font``, ``fixed_font`` and ``opengl``, as the probe prints them.
    """
    fonts = f"{told['fonts']} families, {told['font']} and {told['fixed_font']}"
    few = told["fonts"] < FEW_FONTS
    return [
        Fact(TOPIC, "Qt", f"{told['qt']}, platform {told['platform']}, style {told['style']}"),
        *map(_screen, told["screens"]),
        Fact(
            TOPIC,
            "fonts",
            fonts,
            FactState.ODD if few else FactState.OK,
            "install some, for example fonts-dejavu" if few else "",
        ),
        Fact(TOPIC, "OpenGL", f"{told['opengl'] or 'none'}; not needed, Qt draws by itself"),
    ]


def _screen(screen: dict[str, Any]) -> Fact:
    width, height = screen["width"], screen["height"]
    value = f"{screen['name']}: {width} × {height} px, scale {screen['ratio']:g}"
    if width < SMALL[0] or height < SMALL[1]:
        advice = f"less than {SMALL[0]} × {SMALL[1]} px: panels cover the page"
        return Fact(TOPIC, "screen", value, FactState.ODD, advice)
    return Fact(TOPIC, "screen", value)


CHECKS: dict[str, Callable[[], list[Fact]]] = {
    "Software": examine_software,
    "Machine": examine_machine,
    "Window": examine_window,
    "Folders": examine_folders,
    "Other programs": examine_programs,
}


def examine(progress: Progress = silent) -> list[Fact]:
    """Find out what is missing or odd on this machine.

    Parameters
    ----------
    progress : Progress
        May raise `Cancelled`.

    Returns
    -------
    list of Fact
        By topic, in the order in which they are told.
    """
    findings: list[Fact] = []
    for topic in track(list(CHECKS), progress, "examining"):
        findings += _attempted(topic)
    return findings


def _attempted(topic: str) -> list[Fact]:
    try:
        return CHECKS[topic]()
    except Exception as error:  # whatever is wrong with the machine, the rest is told
        value = f"{type(error).__name__}: {error}"
        return [Fact(topic, "check", value, FactState.ODD, "this check itself failed")]


def as_json(findings: list[Fact]) -> dict[str, object]:
    """The findings for ``--json``: how many need attention, and all of them."""
    return {
        "attention": sum(finding.state is not FactState.OK for finding in findings),
        "findings": [
            {
                "topic": finding.topic,
                "name": finding.name,
                "state": finding.state.value,
                "value": without_home(finding.value),
                "advice": finding.advice,
            }
            for finding in findings
        ],
    }
