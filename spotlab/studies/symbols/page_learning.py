"""Learns from labelled pages, for methods that do: every page is left out of its own lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spotlab.compute import each_done
from spotlab.errors import BadInput, SpotlabError, counted
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store import key_of
from spotlab.geometry.polygon import Outlines
from spotlab.model import Ignore, PageState, Truth
from spotlab.progress import Progress, silent, track
from spotlab.spotting.page_entries import image_digests, with_absolute_path
from spotlab.spotting.symbols.engine.method import (
    LabelledRegions,
    LearnedSymbols,
    LearningMethod,
    NothingLearned,
    SymbolSettings,
    features_of_model,
)
from spotlab.spotting.symbols.engine.page_features import SymbolModel
from spotlab.spotting.symbols.methods import learning_methods, method_of
from spotlab.spotting.symbols.search.index import (
    default_cache,
    load_features,
    page_files,
    prepare_page,
)
from spotlab.spotting.symbols.search.symbol_search import PageLessons
from spotlab.studies.provenance import DIGITS

KEPT = 8  # pages that stay in memory, so that their regions can be laid onto others
GROUPS = 20  # in which pages are left out of their own lessons, at most: each takes a second or two


@dataclass(frozen=True, eq=False)
class LearnedPages:
    """Knowledge learned from labelled pages, with the names of these pages.

    Attributes
    ----------
    lessons : PageLessons
    pages : tuple of str
        Names of the pages that were learned from.
    regions : dict of str to int
        Number of examples of each label, pictures of symbols included.
    remarks : tuple of str
        What a person should know.
    """

    lessons: PageLessons
    pages: tuple[str, ...]
    regions: Mapping[str, int]
    remarks: tuple[str, ...]

    @property
    def provenance(self) -> dict[str, str]:
        """Settings for what made a run."""
        regions = counted(sum(self.regions.values()), "region")
        known = key_of(*(each.digest for each in self.lessons.learned))[:DIGITS]
        return {
            "learned from": f"{regions} on {counted(len(self.pages), 'page')}, sha256 {known}",
            "left out": "each page from its own lessons",
        }

    def as_dict(self) -> dict[str, Any]:
        """Pages and numbers of examples, for JSON."""
        return {"pages": list(self.pages), "regions": dict(self.regions)}


def learning_method_of(name: str) -> LearningMethod | None:
    """The method of this name if it learns from truth, else None.

    Parameters
    ----------
    name : str

    Raises
    ------
    SpotlabError
        There is no such method.

    Examples
    --------
    >>> learning_method_of("e") is None, learning_method_of("f").name
    (True, 'f')
    """
    method = method_of(name)
    return method if isinstance(method, LearningMethod) else None


def learn_from_truth(
    entries: Sequence[PageEntry],
    truths: Mapping[str, Truth],
    searched: Sequence[PageEntry],
    method: str,
    *,
    models: Sequence[SymbolModel] = (),
    labels: Sequence[str] | None = None,
    settings: SymbolSettings | None = None,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> LearnedPages:
    """Learn from labelled pages what to find on pages, each of which is left out of its lessons.

    A page that is searched and learned from is told by its name, or by its image. Pages without a
    labelled region teach nothing. If any page is checked, only on checked ones everything that is
    not labelled is background; otherwise on all of them.

    Parameters
    ----------
    entries : sequence of PageEntry
        Pages to learn from.
    truths : mapping of str to Truth
        By page name.
    searched : sequence of PageEntry
        Pages that will be searched.
    method : str
        Name of a method that learns.
    models : sequence of SymbolModel
        Pictures of single symbols: further examples.
    labels : sequence of str, optional
        What is searched; by default every label of the lessons and the models.
    settings : SymbolSettings, optional
    cache : Path, optional
        Folder for the files; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : Progress

    Returns
    -------
    LearnedPages

    Raises
    ------
    SpotlabError
        There is nothing to learn from, or no region of a label.
    BadInput
        The image of a labelled page cannot be read.
    Cancelled
        From ``progress``.
    """
    learning = learning_methods()[method]
    settings = settings or SymbolSettings()
    labelled = _labelled(entries, truths)
    counts: dict[str, int] = {}
    names = [label for truth in labelled.values() for label in truth.labels]
    for label in [*names, *(model.name for model in models)]:
        counts[label] = counts.get(label, 0) + 1
    wanted = sorted(counts) if labels is None else list(dict.fromkeys(labels))
    missing = [label for label in wanted if label not in counts]
    if not labelled or missing:
        what = f"no region of the label {missing[0]!r}" if missing else "no page with a label"
        raise SpotlabError(
            f"method {method} has nothing to learn from: the labelled pages have {what}"
        )
    lessons = _page_lessons(
        [entry for entry in entries if entry.name in labelled],
        labelled, method, settings, cache or default_cache(), jobs, cluster, progress,
    )  # fmt: skip
    pictures = [
        learning.model_lesson(features_of_model(model, [], settings.mend)) for model in models
    ]
    known = [entry for entry in entries if entry.name in labelled]
    groups = _groups(known, searched)
    learned: list[LearnedSymbols] = []
    of_page: dict[str, int] = {}
    for group in track(groups, progress, "learning without each page"):
        rest = [lesson for name, lesson in lessons.items() if name not in group.lessons]
        of_page |= dict.fromkeys(group.searched, len(learned))
        learned.append((learning.learn([*rest, *pictures]) if rest else None) or NothingLearned())
    if not any(each.labels for each in learned):
        raise SpotlabError(
            f"method {method} has nothing to learn from: pages are left out of their own lessons, "
            f"and only {next(iter(labelled))!r} is labelled; label another page, or use method e"
        )
    searching = PageLessons(tuple(wanted), tuple(learned), of_page)
    regions = {label: counts[label] for label in wanted}
    return LearnedPages(searching, tuple(labelled), regions, _remarks(searching))


@dataclass(frozen=True)
class _Group:
    """Names of pages that are searched together, and of lessons that are left out for them."""

    searched: tuple[str, ...]
    lessons: frozenset[str]


def _groups(known: Sequence[PageEntry], searched: Sequence[PageEntry]) -> list[_Group]:
    """Pages that are no lessons first, then others by some at a time."""
    own = _same_pages(known, searched)
    groups = []
    others = [entry.name for entry in searched if not own[entry.name]]
    if others:
        groups.append(_Group(tuple(others), frozenset()))
    pages = sorted(entry.name for entry in searched if own[entry.name])
    number = min(GROUPS, len(pages))
    for start in range(number):
        some = pages[start::number]
        groups.append(_Group(tuple(some), frozenset().union(*(own[name] for name in some))))
    return groups


def _same_pages(
    known: Sequence[PageEntry], searched: Sequence[PageEntry]
) -> dict[str, frozenset[str]]:
    """The lessons about each page that is searched: of its name, or of the same image."""
    digests = image_digests([*known, *searched])
    of_image: dict[tuple[str, int], set[str]] = {}
    for entry in known:
        digest = digests[entry.image]
        if isinstance(digest, str):
            of_image.setdefault((digest, entry.frame), set()).add(entry.name)
    names = {entry.name for entry in known}
    same = {}
    for entry in searched:
        digest = digests[entry.image]
        image = of_image.get((digest, entry.frame), set()) if isinstance(digest, str) else set()
        same[entry.name] = frozenset(image | ({entry.name} & names))
    return same


def _labelled(
    entries: Sequence[PageEntry], truths: Mapping[str, Truth]
) -> dict[str, LabelledRegions]:
    """Return what is labelled on the pages that have any labelled region."""
    pages = {}
    for entry in entries:
        if entry.name not in truths or entry.missing:
            continue
        truth = truths[entry.name]
        regions = [each for each in truth.regions if each.label and each.ignore is not Ignore.AREA]
        unknown = [each for each in truth.regions if not each.label or each.ignore is Ignore.AREA]
        if regions:
            pages[entry.name] = LabelledRegions(
                entry.name,
                Outlines.of([region.array for region in regions]),
                tuple(region.label for region in regions),
                Outlines.of([region.array for region in unknown]),
            )
    checked = {name for name in pages if truths[name].state is PageState.CHECKED}
    if not checked:
        return pages
    return {
        name: LabelledRegions(page.page, page.outlines, page.labels, page.unknown, name in checked)
        for name, page in pages.items()
    }


@dataclass(frozen=True, eq=False)
class _Work:
    """A labelled page, for another process."""

    entry: PageEntry
    file: Path | BadInput
    truth: LabelledRegions


def _page_lessons(
    entries: Sequence[PageEntry], labelled: Mapping[str, LabelledRegions], method: str,
    settings: SymbolSettings, cache: Path, jobs: int, cluster: str | None, progress: Progress,
) -> dict[str, Any]:  # fmt: skip
    """Return what each page teaches, by its name."""
    files = page_files(entries, settings, cache)
    step = -(-len(entries) // KEPT) if entries else 1
    works = [
        _Work(
            with_absolute_path(entry), file,
            replace(labelled[entry.name], keeps_page=number % step == 0),
        )
        for number, (entry, file) in enumerate(zip(entries, files, strict=True))
    ]  # fmt: skip
    doing, common = "reading labelled pages", (method, settings)
    done = dict(each_done(_lesson, works, jobs, cluster, progress, doing, common=common))
    return {entry.name: done[number] for number, entry in enumerate(entries)}


def _lesson(work: _Work, method: str, settings: SymbolSettings) -> Any:
    learning = learning_methods()[method]
    page = load_features(work.entry, settings, work.file)
    if isinstance(work.file, Path):
        prepare_page(page, learning, work.file)
    return learning.page_lesson(page, work.truth)


def _remarks(lessons: PageLessons) -> tuple[str, ...]:
    """Labels that are not found on pages, and scores that are no probabilities."""
    absent: dict[str, list[str]] = {}
    for page, number in lessons.of_page.items():
        for label in lessons.labels:
            if label not in lessons.learned[number].labels:
                absent.setdefault(label, []).append(page)
    remarks = [
        f"no spots of {label!r} on {_listed(pages)}: no other page has an example"
        for label, pages in sorted(absent.items())
    ]
    if not all(each.calibrated for each in lessons.learned):
        remarks.append("scores are not calibrated: that takes two labelled pages to learn from")
    return tuple(remarks)


def _listed(pages: Sequence[str]) -> str:
    more = f" and {counted(len(pages) - 1, 'other page')}" if len(pages) > 1 else ""
    return f"{pages[0]}{more}"
