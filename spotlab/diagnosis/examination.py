"""Examines the machine; a check that fails is itself a finding."""

from __future__ import annotations

from collections.abc import Callable

from spotlab.diagnosis.finding import Finding, State, as_lines, without_home
from spotlab.diagnosis.machine import examine_folders, examine_machine, examine_programs
from spotlab.diagnosis.software import examine_software
from spotlab.diagnosis.window import examine_window
from spotlab.progress import Progress, silent, track

CHECKS: dict[str, Callable[[], list[Finding]]] = {
    "Software": examine_software,
    "Machine": examine_machine,
    "Window": examine_window,
    "Folders": examine_folders,
    "Other programs": examine_programs,
}


def examine(progress: Progress = silent) -> list[Finding]:
    """Find out what is missing or odd on this machine.

    Parameters
    ----------
    progress : Progress
        May raise `Cancelled`.

    Returns
    -------
    list of Finding
        By topic, in the order in which they are told.
    """
    findings: list[Finding] = []
    for topic in track(list(CHECKS), progress, "examining"):
        findings += _attempted(topic)
    return findings


def _attempted(topic: str) -> list[Finding]:
    try:
        return CHECKS[topic]()
    except Exception as error:  # whatever is wrong with the machine, the rest is told
        value = f"{type(error).__name__}: {error}"
        return [Finding(topic, "check", value, State.ODD, "this check itself failed")]


def as_json(findings: list[Finding]) -> dict[str, object]:
    """The findings for ``--json``: how many need attention, and all of them."""
    return {
        "attention": sum(finding.state is not State.OK for finding in findings),
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


__all__ = ["as_json", "as_lines", "examine"]
