"""Prints what `make lowest` installs: of all that spotlab needs, the oldest that it says will do.

Tools for testing come in any version that pyproject.toml allows.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
EXTRAS = ("systems", "images", "fast", "parquet", "gui", "frames", "cluster")
TOOLS = ("hypothesis", "pytest", "pytest-benchmark", "pytest-qt", "pytest-xdist")


def lowest(requirement: str) -> str:
    """The requirement, with its lower bound as the only version.

    Examples
    --------
    >>> lowest("numba>=0.60,<1; python_version < '3.15'")
    "numba==0.60; python_version < '3.15'"
    """
    match = re.fullmatch(r"([\w.-]+)>=([\w.]+)[^;]*(;.*)?", requirement)
    if match is None:
        raise ValueError(f"{requirement!r} has no lower bound; expected name>=version,…")
    name, version, marker = match.groups()
    return f"{name}=={version}{marker or ''}"


def requirements(project: Path = PROJECT) -> Iterator[str]:
    """All lines, for pip."""
    settings = tomllib.loads(project.read_text("utf-8"))
    about = settings["project"]
    extra = about["optional-dependencies"]
    yield from map(lowest, about["dependencies"])
    for name in EXTRAS:
        yield from (lowest(line) for line in extra[name] if not line.startswith("spotlab["))
    for requirement in settings["dependency-groups"]["dev"]:
        if re.split(r"[<>=!]", requirement)[0] in TOOLS:
            yield requirement


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in requirements()))
