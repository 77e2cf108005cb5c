"""What was found out about a machine: one fact, whether it is as it should be, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class State(StrEnum):
    """Whether a fact is as it should be."""

    OK = "ok"
    MISSING = "missing"  # something cannot be done
    ODD = "odd"  # it works, but not as it should


@dataclass(frozen=True)
class Finding:
    """One fact about a machine.

    Attributes
    ----------
    topic : str
        Heading that it belongs below.
    name : str
        What it is about.
    value : str
        What was found.
    state : State
    advice : str
        What to do where it is not as it should be.
    """

    topic: str
    name: str
    value: str
    state: State = State.OK
    advice: str = ""


def as_lines(findings: Sequence[Finding]) -> list[str]:
    """The findings as text that can be pasted into a report; first how many need attention.

    Parameters
    ----------
    findings : sequence of Finding

    Returns
    -------
    list of str
        The user's home folder is written as ``~``.

    Examples
    --------
    >>> for line in as_lines([Finding("Window", "fonts", "0 families", State.ODD, "install some")]):
    ...     print(line)
    1 of 1 checks need attention
    <BLANKLINE>
    Window
      odd      fonts  0 families: install some
    """
    found = [finding for finding in findings if finding.state is not State.OK]
    few = f"{len(found)} of {len(findings)} checks need attention"
    lines = [few if found else f"all {len(findings)} checks passed"]
    width = max((len(finding.name) for finding in findings), default=0)
    for topic in dict.fromkeys(finding.topic for finding in findings):
        lines += ["", topic]
        lines += [_line(each, width) for each in findings if each.topic == topic]
    return lines


def _line(finding: Finding, width: int) -> str:
    text = ": ".join(filter(None, (finding.value, finding.advice)))
    return without_home(f"  {finding.state:<7}  {finding.name:<{width}}  {text}".rstrip())


def without_home(text: str) -> str:
    """The text with ``~`` for the folder that is named like its user."""
    home = str(Path.home())
    return text if len(home) < 2 else text.replace(home, "~")


def joined(values: Iterable[str], nothing: str = "none") -> str:
    """The values in one line, or what stands for none."""
    return ", ".join(values) or nothing
