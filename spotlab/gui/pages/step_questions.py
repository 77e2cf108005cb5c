"""What is asked before a step over all pages, and said after it, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spotlab.editing.collection_step import CollectionStep, Survey
from spotlab.editing.recovery import LeftSteps
from spotlab.errors import counted

_MOST = 1000  # steps that are listed
TAKES_BACK = "Ctrl+Z undoes it on all pages"


@dataclass(frozen=True)
class Question:
    """What is to be answered before anything changes.

    Attributes
    ----------
    text : str
    more : str
        What else has to be known; may be empty.
    details : tuple of str
        Pages that cannot be changed, and why.
    accept : str
        What the button says.
    """

    text: str
    more: str
    details: tuple[str, ...]
    accept: str


def rename_question(
    step: CollectionStep, old: str, new: str, merges: bool, found: Survey
) -> Question | None:
    """Whether a label is to be renamed or merged; None where no region is concerned."""
    if not (step.regions or merges or found.problems):
        return None
    what = f"Merge {old} into {new}" if merges else f"Rename {old} to {new}"
    more = f"The label {new} already exists: the two will become one label. " if merges else ""
    accept = "Merge" if merges else "Rename"
    more += _left_out(found, f"with {old}")
    return Question(f"{what} on {count_text(step)}?", more, _details(found.problems), accept)


def delete_question(step: CollectionStep, name: str, found: Survey) -> Question | None:
    """Whether a label is to be deleted; None where no region is concerned."""
    if not (step.regions or found.problems):
        return None
    text = f"Delete the label {name} from {count_text(step)}?"
    more = "The regions stay, without a label. " + _left_out(found, f"with {name}")
    return Question(text, more, _details(found.problems), "Delete label")


def unused_question(unused: Sequence[str], found: Survey) -> Question | None:
    """Whether unused labels are to go; None where all pages could be read."""
    if not found.problems:
        return None
    text = f"Remove {', '.join(unused)}, although not every page can be read?"
    more = _left_out(found, "possibly with these labels")
    return Question(text, more, _details(found.problems), "Remove")


def left_question(left: LeftSteps) -> Question:
    """Whether steps that somebody else has left in a page's journal are to be applied."""
    names = left.names
    steps = "1 unsaved step" if len(names) == 1 else f"{len(names):,} unsaved steps"
    where = f"computer {left.host}, " if left.host else ""
    text = (
        f"{left.path.name} holds {steps} from another user or computer, or from spotlab before "
        f"0.28 ({where}{left.changed.astimezone():%Y-%m-%d %H:%M})."
    )
    more = (
        "If you apply the steps, each can be undone. If you leave them, the file stays as it is, "
        "and you are asked again when the page is opened next."
    )
    details = (*names[:_MOST], *([f"… and {len(names) - _MOST:,} more"] if names[_MOST:] else []))
    return Question(text, more, details, "Apply")


def again_question(step: CollectionStep, problems: Mapping[Path, str]) -> Question | None:
    """Whether a step is to be undone or redone; None where nothing stands against it."""
    if not problems:
        return None
    verb = "Undo" if step.takes_back else "Redo"
    text = f"{verb} “{step.name}” although {pages_text(len(problems))} cannot be changed now?"
    return Question(
        text, "These pages are changed later, once that is possible.", _details(problems), verb
    )


def ended_text(step: CollectionStep) -> str:
    """What was done."""
    if step.takes_back:
        return f"Undone: {step.name}, on {count_text(step)}"
    return f"{step.name}: {count_text(step)} changed. {TAKES_BACK}"


def resumed_text(step: CollectionStep, count: int) -> str:
    """What was finished on so many pages after the program had been killed."""
    left = f" on {pages_text(count)} that remained" if count else ""
    how = "" if step.takes_back else f". {TAKES_BACK}"
    return f"{_quoted(step)} was interrupted and has been finished{left}{how}"


def problems_text(step: CollectionStep, problems: Mapping[Path, str]) -> str:
    """Why a step is not finished."""
    more = f" and {len(problems) - 1:,} more" if len(problems) > 1 else ""
    first = next(iter(problems.values()))
    return f"{_quoted(step)} is not finished on {pages_text(len(problems))}: {first}{more}"


def pages_text(count: int) -> str:
    """So many pages."""
    return counted(count, "page")


def count_text(step: CollectionStep) -> str:
    """On how many pages a step changes how many regions."""
    regions = counted(step.regions, "region")
    return f"{pages_text(len(step.pages))} ({regions})"


def _quoted(step: CollectionStep) -> str:
    return f"Undoing “{step.name}”" if step.takes_back else f"“{step.name}”"


def _details(problems: Mapping[Path, str]) -> tuple[str, ...]:
    return tuple(problems.values())


def _left_out(found: Survey, how: str) -> str:
    many = len(found.problems)
    return (
        f"{pages_text(many)} cannot be read or changed and will stay as now, {how}." if many else ""
    )
