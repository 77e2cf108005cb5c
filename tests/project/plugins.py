"""Packages of other people, installed in a folder for tests."""

from __future__ import annotations

from pathlib import Path

GROUPS = (
    "spotlab.cli",
    "spotlab.cli.reproduce",
    "spotlab.cli.spot",
    "spotlab.cli.synthesise",
    "spotlab.consensus.methods",
    "spotlab.formats",
    "spotlab.formats.lists",
    "spotlab.formats.runs",
    "spotlab.formats.votes",
    "spotlab.gui.actions",
    "spotlab.gui.tools",
    "spotlab.gui.workspaces",
    "spotlab.measures.definitions",
    "spotlab.ranking.fusions",
    "spotlab.spotting.entities",
    "spotlab.spotting.reading",
    "spotlab.spotting.symbols.descriptors",
    "spotlab.spotting.symbols.methods",
    "spotlab.synthesis.symbols",
)


def install(site: Path, name: str, code: str, groups: tuple[str, ...], value: str = "it") -> None:
    """A package with one module, which all these groups take a value from."""
    module = name.replace("-", "_")
    about = site / f"{module}-1.0.dist-info"
    about.mkdir(parents=True)
    (site / f"{module}.py").write_text(code)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    entries = "".join(f"[{group}]\n{name} = {module}:{value}\n" for group in groups)
    (about / "entry_points.txt").write_text(entries)
