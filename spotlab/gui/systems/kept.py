"""Systems state stored in a view: votes, weights, method, selection, and subjects' files.

Answers are not among it: they stand in their own file beside the votes, one by one.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec

from spotlab.formats.votes.format import VoteOptions
from spotlab.gui.systems.state import ShownTables, Systems, TableChoices
from spotlab.gui.systems.subjects.subjects_state import Subjects
from spotlab.gui.systems.votes.dialog import open_example
from spotlab.gui.workspace import KeptView, PathTexts, Window
from spotlab.studies.systems.voters import paper_example
from spotlab.studies.uncertain.study import UncertainSettings


class KeptVotes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The open votes, and how they are looked at.

    Attributes
    ----------
    paths : tuple of str
        Of the files and folders; () where no votes are open.
    example : bool
        Whether the paper's example is open, which is in no file.
    options : VoteOptions
    weights : dict of str to float
        By name; those not named are the paper's.
    method : str or None
        The method that the user chose; None follows what is recommended.
    group_by, system, item : str or None
        Names of a factor, a system and an item.
    """

    paths: tuple[str, ...] = ()
    example: bool = False
    options: VoteOptions = VoteOptions()
    weights: dict[str, float] = {}
    method: str | None = None
    group_by: str | None = None
    system: str | None = None
    item: str | None = None


class KeptSubjects(msgspec.Struct, frozen=True, omit_defaults=True):
    """Subjects' files by what they are, and how they are looked at."""

    files: dict[str, tuple[str, ...]] = {}
    settings: UncertainSettings = UncertainSettings()
    system: str | None = None
    query: str | None = None
    item: str | None = None


class KeptSystems(msgspec.Struct, frozen=True, omit_defaults=True):
    """Stored state of the Systems workspace."""

    votes: KeptVotes = KeptVotes()
    subjects: KeptSubjects = KeptSubjects()
    tables: TableChoices = TableChoices()


def take(window: Window, texts: PathTexts) -> KeptSystems:
    """Return what is kept."""
    workbench = window.workbench
    kept = KeptSystems(
        _votes(workbench.state(Systems), texts),
        _subjects(workbench.state(Subjects), texts),
        workbench.state(ShownTables).choices,
    )
    return kept


def _votes(systems: Systems, texts: PathTexts) -> KeptVotes:
    if isinstance(systems.awaited, KeptVotes):  # they are being read: what is wanted counts
        wanted = systems.awaited
        return msgspec.structs.replace(
            wanted, paths=tuple(texts.text(Path(path)) for path in wanted.paths)
        )
    table = systems.table
    example = table is not None and not systems.paths and table.name == paper_example().name
    if table is None or not (systems.paths or example):
        return KeptVotes()
    return KeptVotes(
        tuple(texts.text(path) for path in systems.paths),
        example,
        systems.options,
        dict(systems.weights),
        systems.chosen_method,
        systems.group_by,
        None if systems.system is None else systems.names[systems.system],
        None if systems.item is None else table.items[systems.item],
    )


def _subjects(subjects: Subjects, texts: PathTexts) -> KeptSubjects:
    if isinstance(subjects.awaited, KeptSubjects):
        kept, files = subjects.awaited, subjects.awaited.files
        own = {kind: tuple(texts.text(Path(p)) for p in paths) for kind, paths in files.items()}
        return msgspec.structs.replace(kept, files=own)
    if not subjects.files:
        return KeptSubjects()
    return KeptSubjects(
        {kind: tuple(map(texts.text, paths)) for kind, paths in subjects.files.items()},
        subjects.settings,
        subjects.system,
        subjects.query,
        subjects.item,
    )


def give(window: Window, kept: KeptSystems, texts: PathTexts) -> None:
    """Look at that again."""
    workbench = window.workbench
    _give_votes(workbench.state(Systems), kept.votes, texts)
    _give_subjects(workbench.state(Subjects), kept.subjects, texts)
    workbench.state(ShownTables).use(kept.tables)


def _give_votes(systems: Systems, kept: KeptVotes, texts: PathTexts) -> None:
    if kept.example or kept.paths:
        systems.options = kept.options
    if kept.example:
        open_example(systems)
        _look(systems, kept)
    elif kept.paths:
        paths = [texts.path(path) for path in kept.paths]
        wanted = msgspec.structs.replace(kept, paths=tuple(map(str, paths)))
        systems.open(paths, partial(_look, systems, kept), wanted)


def _look(systems: Systems, kept: KeptVotes) -> None:
    """Look at the votes as before; what is not there any more is passed over."""
    table = systems.table
    if table is None:
        return
    weights = {name: kept.weights.get(name, own) for name, own in systems.weights.items()}
    if weights != systems.weights:
        systems.set_weights(weights)
    if kept.method is None:
        systems.follow_advice()
    else:
        systems.set_method(kept.method)
    if kept.group_by in table.factors:
        systems.set_group_by(kept.group_by)
    if kept.system in systems.names:
        systems.choose_system(systems.names.index(kept.system))
    if kept.item in table.items:
        systems.choose_item(table.items.index(kept.item))


def _give_subjects(subjects: Subjects, kept: KeptSubjects, texts: PathTexts) -> None:
    if kept.files:
        files = {kind: tuple(map(texts.path, own)) for kind, own in kept.files.items()}
        named = {kind: tuple(map(str, own)) for kind, own in files.items()}
        subjects.reopen(
            files, kept.settings, (kept.system, kept.query, kept.item),
            msgspec.structs.replace(kept, files=named),
        )  # fmt: skip


def opens(values: object) -> bool:
    """Tell whether such values open anything where no page is open."""
    return isinstance(values, dict) and any(
        value for name, value in values.items() if name != "tables"
    )


KEPT = KeptView(KeptSystems, take, give, opens)
