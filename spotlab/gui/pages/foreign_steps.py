"""Unfinished steps that lie in an opened folder: the user's own, and those of somebody else.

A foreign step is cut down to the pages that the collection lists, and then offered in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from spotlab.editing.collection_step import Arrival, Change, CollectionStep, page_key
from spotlab.editing.unfinished import (
    Interrupted,
    adopt_unfinished,
    content_of,
    one_line,
    step_in,
)
from spotlab.errors import BadInput, SpotlabError, counted
from spotlab.formats.collection.folder import PageEntry, expand
from spotlab.gui.pages.offers import Offer
from spotlab.gui.pages.step_questions import Question, count_text, pages_text
from spotlab.progress import Progress

SHOWN = 200  # pages that the details list; of more there is a count


@dataclass(frozen=True)
class FoundStep:
    """An unfinished step as it was found.

    Attributes
    ----------
    interrupted : Interrupted
    content : bytes
        Of its file.
    step : CollectionStep
        Of a foreign file only what concerns pages that the collection lists.
    left_out : int
        How many pages of a foreign file the collection does not list.
    """

    interrupted: Interrupted
    content: bytes
    step: CollectionStep
    left_out: int = 0

    def adopt(self, _: Progress) -> None:
        """Note that the user has agreed to the step as it stands in the file."""
        adopt_unfinished(self.interrupted, self.content)


def read_step(
    interrupted: Interrupted, entries: Sequence[PageEntry], _progress: Progress
) -> FoundStep:
    """Read an unfinished step.

    Raises
    ------
    BadInput
        It is no such step, names a file outside of the opened folder, or, if it is foreign, none of
        the opened pages.
    """
    content = content_of(interrupted)
    step = step_in(content, interrupted)
    if interrupted.own:
        return FoundStep(interrupted, content, step)
    wanted = step.pages.keys() | step.new.keys()
    listed = _listed(entries, wanted)
    pages = {path: changes for path, changes in step.pages.items() if path in listed}
    if wanted and not pages:
        raise BadInput(interrupted.path, "none of its pages is listed here")
    new = {
        path: replace(page, image=listed[path].image, frame=listed[path].frame)
        for path, page in step.new.items()
        if path in pages
    }
    kept = replace(step, pages=pages, new=new)
    return FoundStep(interrupted, content, kept, len(wanted - pages.keys()))


def foreign_offer(found: FoundStep, accept: Callable[[FoundStep], object]) -> Offer:
    """Ask whether somebody else's step is to be finished."""
    step = found.step
    way = "undoing “{}”" if step.takes_back else "“{}”"
    text = (
        f"This folder holds a step that another computer or user began and did not finish: "
        f"{way.format(step.name)} on {count_text(step)}."
    )
    more = f"It stands in {found.interrupted.path}. Finishing it changes only the pages listed."
    if found.left_out:
        more += f" {pages_text(found.left_out)} of the step are not in this collection."
    question = Question(text, more, tuple(_details(step)), "Finish")
    return Offer(question, partial(accept, found), lambda: None)


def _listed(entries: Sequence[PageEntry], wanted: set[Path]) -> dict[Path, PageEntry]:
    """The pages of a collection by truth file; files are expanded only if a page is missing."""
    known = {page_key(entry.truth_path): entry for entry in entries}
    if wanted <= known.keys():
        return known
    for entry in entries:
        if entry.frames is None:
            try:
                pages = expand(entry)
            except SpotlabError:
                continue  # it has no pages that could be changed
            known |= {page_key(page.truth_path): page for page in pages}
    return known


def _details(step: CollectionStep) -> Iterator[str]:
    """Say what would change, a line for the list of labels and one for each page."""
    names = [[one_line(each.label.name) for each in entries] for entries in
             (step.removed, step.added)]  # fmt: skip
    for verb, labels in zip(("removed", "added"), names, strict=True):
        if labels:
            yield f"Labels {verb}: {', '.join(labels)}"
    for path, changes in islice(step.pages.items(), SHOWN):
        begun = "a truth file is begun" if path in step.new else ""
        what = "; ".join(filter(None, (begun, *_changes(changes))))
        yield f"{path}: {what or 'no change'}"
    if len(step.pages) > SHOWN:
        yield f"… and {pages_text(len(step.pages) - SHOWN)} more"


def _changes(changes: Sequence[Change | Arrival]) -> Iterator[str]:
    counts = Counter(_change(change) for change in changes)
    for what, count in counts.items():
        yield f"{what} ({counted(count, 'region')})"


def _change(change: Change | Arrival) -> str:
    if isinstance(change, Arrival):
        verb = "removed" if change.goes else "added"
        return f"{one_line(change.value.label) or 'unlabeled'} {verb}"
    before, after = (one_line(str(value)) for value in (change.before, change.after))
    return f"{change.attribute} “{before}” becomes “{after}”"
