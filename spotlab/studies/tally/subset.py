"""Subsets of a collection: some of its pages, by patterns of names or by a file of names.

The file is plain text with the name of a page on each line. Empty lines and lines that
begin with ``#`` are passed over. The window keeps the subsets of a collection in the folder
``subsets`` beside its pages; a page may be in any number of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.text_files import read_text
from spotlab.representation import utf8
from spotlab.studies.tally.truth import TruthSet, explain_unmatched, match_pages
from spotlab.trust import confined

FOLDER = "subsets"  # beside the pages
SUFFIX = ".txt"


def read_subset(path: Path) -> tuple[str, ...]:
    """The names of pages in a subset file, each once, in the order of the file.

    Parameters
    ----------
    path : Path

    Raises
    ------
    BadInput
        It cannot be read, or names no page.
    """
    lines = [line.strip() for line in read_text(path).splitlines()]
    names = tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    if not names:
        raise BadInput(path, "it names no page", expected="the name of a page on each line")
    return names


def saved_subsets(folder: Path) -> dict[str, Path]:
    """The subset files in a folder by name, without their ending; empty where there are none.

    Parameters
    ----------
    folder : Path
        ``subsets`` beside the pages; it need not be there.

    Examples
    --------
    >>> saved_subsets(Path("no-such-folder"))
    {}
    """
    try:
        files = [path for path in folder.iterdir() if path.suffix.lower() == SUFFIX]
    except OSError:
        return {}
    return {path.stem: path for path in sorted(files, key=lambda path: natural(path.stem))}


def write_subset(path: Path, names: Iterable[str]) -> None:
    """Write a subset file; its folder is made if it is not there.

    Parameters
    ----------
    path : Path
    names : iterable of str
        Of the pages.

    Raises
    ------
    NotSaved
        It cannot be written; the file that was there stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{path} was not saved: {reason(error)}") from error
    write_atomically(
        confined(path.absolute(), path.parent.parent), utf8("".join(f"{name}\n" for name in names))
    )


def subset_of(
    truth_set: TruthSet,
    patterns: Sequence[str] = (),
    files: Sequence[Path] = (),
    tags: Sequence[str] = (),
) -> TruthSet:
    """The truth of the pages that a pattern or a subset file names, and that have all tags.

    Parameters
    ----------
    truth_set : TruthSet
    patterns : sequence of str
        With ``*``, ``?`` and ``[…]`` as in file names; case counts.
    files : sequence of Path
        Subset files. They may name a page as runs do, by its image file for example.
    tags : sequence of str
        Tags, or their keys.

    Returns
    -------
    TruthSet
        The same where neither is given.

    Raises
    ------
    ValueError
        A pattern fits no page with truth, or no page has the tags.
    BadInput
        A file cannot be read, or names a page that the truth does not have.

    Examples
    --------
    >>> from spotlab.model import Page, Truth
    >>> pages = {name: Truth(Page(Path(f"{name}.png"), 9, 9)) for name in ("a1", "a2", "b1")}
    >>> list(subset_of(TruthSet(pages), ["a*"]).truths)
    ['a1', 'a2']
    """
    if tags:
        truth_set = _tagged(truth_set, tags)
    if not patterns and not files:
        return truth_set
    wanted: set[str] = set()
    for pattern in patterns:
        fitting = [name for name in truth_set.truths if fnmatchcase(name, pattern)]
        if not fitting:
            names = ", ".join(list(truth_set.truths)[:3])
            raise ValueError(
                f"no page with truth fits {pattern!r}; there are {len(truth_set.truths):,}, "
                f"beginning with {names}"
            )
        wanted.update(fitting)
    for file in files:
        wanted.update(_named(file, truth_set))
    return truth_set.only(wanted)


def _tagged(truth_set: TruthSet, tags: Sequence[str]) -> TruthSet:
    pages = [truth.page for truth in truth_set.truths.values()]
    for tag in tags:
        if not any(page.has_tag(tag) for page in pages):
            known = sorted({each for page in pages for each in page.tags})
            there = f"there are {', '.join(known[:8])}" if known else "no page has any tag"
            raise ValueError(f"no page with truth has the tag {tag!r}; {there}")
    wanted = {
        name for name, truth in truth_set.truths.items()
        if all(truth.page.has_tag(tag) for tag in tags)
    }  # fmt: skip
    if not wanted:
        raise ValueError(f"no page with truth has all of the tags {', '.join(tags)}")
    return truth_set.only(wanted)


def _named(file: Path, truth_set: TruthSet) -> list[str]:
    names = read_subset(file)
    found = match_pages(names, truth_set)
    for name, page in found.items():
        if page is None and name not in truth_set.without_truth:
            problem = f"it names {name!r}: {explain_unmatched(name, truth_set)}"
            raise BadInput(file, problem, expected="names of pages of the truth")
    pages = [page for page in found.values() if page is not None]
    if not pages:
        raise BadInput(file, "none of its pages has truth", expected="names of pages of the truth")
    return pages
