"""Texts of systems: a sub-folder a system, a file a page, as plain text, PAGE or ALTO.

A folder called truth, or gt, holds the truth. Files of different systems are about the same page if
they name the same image, else if they are called alike. Instead of sub-folders there may be files
``page.system.txt``.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.consensus.alignment import align, align_with
from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput, counted, reason
from spotlab.files import is_file, is_folder, read_file
from spotlab.formats.page.foreign_shapes import root_name
from spotlab.formats.page.read import PageTree, image_filename, read_page_tree, text_node
from spotlab.formats.page.xml_tree import Node, read_tree
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.numbers import natural, whole_number
from spotlab.formats.rows.text_files import decode, discard
from spotlab.formats.votes.format import (
    Method,
    VoteFormat,
    VoteOptions,
    VoteTable,
    factors_of,
    head_of,
    short_names,
)
from spotlab.progress import Progress, track

MOST_ALIGNED = 10_000  # tokens of a page: a table of so many squared is held at once
UNKNOWN = -1
Tokens = Sequence[str]

# Letters and digits with what is set above them, joined by an apostrophe within a word.
_PART = r"[^\W_](?:[^\W_]|[\u0300-\u036F])*"
_WORD = re.compile(rf"{_PART}(?:['\u2019]{_PART})*")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case and in Unicode's composed form.

    Examples
    --------
    >>> words_of("Was i\\u017ft Aufkla\\u0308rung? (S. 17)")
    ['was', 'iſt', 'aufklärung', 's', '17']
    """
    return _WORD.findall(unicodedata.normalize("NFC", text).lower())


@dataclass(frozen=True, eq=False)
class TokenItems:
    """Items that are tokens.

    Attributes
    ----------
    votes : Votes
        Yes where a system read the token, unknown where it did not see the page.
    items, pages, texts : tuple of str
        Names, page and token of each.
    truth : (N,) float
        NaN on pages whose truth is unknown.
    missed : int
        How many tokens only the truth has, items or not.
    unfound : (S,) float
        Of these, how many are no items and on a page that the system saw.
    """

    votes: Votes
    items: tuple[str, ...]
    pages: tuple[str, ...]
    texts: tuple[str, ...]
    truth: Floats
    missed: int
    unfound: Floats


def items_of_tokens(
    pages: Mapping[str, Sequence[Tokens | None]],
    truth: Mapping[str, Tokens],
    systems: Sequence[str],
    method: Method,
    missed: bool,
    progress: Progress,
) -> TokenItems:
    """Items from the tokens of S systems.

    Parameters
    ----------
    pages : mapping of str to sequence
        Of each page the tokens of every system, None of one that did not see it.
    truth : mapping of str to sequence of str
        The true tokens of the pages where they are known.
    systems : sequence of str
    method : str
        "bag_of_words": an item is a page, a token, and the how many-th of its kind it is;
        "alignment": a page, a slot of the alignment of the systems' tokens, and a token in it.
        Lamiroy & Sun (2013), §4.2, Methods I and II.
    missed : bool
        Whether a token that only the truth has is an item.

    Notes
    -----
    The truth never moves the systems' alignment; it is laid beside it when that is done.
    """
    items: list[tuple[str, str, str]] = []
    rows: list[NDArray[np.int8]] = []
    left_out, unfound = 0, np.zeros(len(systems))
    find = _counted if method == "bag_of_words" else _aligned
    for page in track(pages, progress, "matching tokens"):
        read = pages[page]
        names, votes = find([tokens or () for tokens in read], truth.get(page, ()))
        votes[:, [*(tokens is None for tokens in read), page not in truth]] = UNKNOWN
        only_truth = ~(votes[:, :-1] == 1).any(axis=1)
        left_out += int(only_truth.sum())
        if not missed:
            unfound[[tokens is not None for tokens in read]] += only_truth.sum()
            votes = votes[~only_truth]
            names = [name for name, out in zip(names, only_truth, strict=True) if not out]
        items += [(page, f"{page}/{before}{token}{after}", token) for before, token, after in names]
        rows.append(votes)
    votes = np.concatenate(rows) if rows else np.zeros((0, len(systems) + 1), np.int8)
    columns = [tuple(column) for column in zip(*items, strict=True)] or [(), (), ()]
    return TokenItems(
        Votes.of(_values(votes[:, :-1]), systems),
        columns[1], columns[0], columns[2], _values(votes[:, -1]).astype(np.float64), left_out,
        unfound,
    )  # fmt: skip


def _values(votes: NDArray[np.int8]) -> NDArray[np.float32] | NDArray[np.int8]:
    if not (votes == UNKNOWN).any():
        return votes
    return np.where(votes == UNKNOWN, np.float32(np.nan), votes.astype(np.float32))


Found = tuple[list[tuple[str, str, str]], NDArray[np.int8]]


def _counted(read: Sequence[Tokens], true: Tokens) -> Found:
    """Method I, in alphabetical order: what stands before and after each token, and the votes."""
    counts = [Counter(tokens) for tokens in (*read, true)]
    names, rows = [], []
    for token in sorted(set().union(*counts)):
        each = np.array([count[token] for count in counts])
        for number in range(1, int(each.max()) + 1):
            names.append(("", token, f"/{number}"))
            rows.append(each >= number)
    return names, np.array(rows, np.int8).reshape(len(names), len(counts))


def _aligned(read: Sequence[Tokens], true: Tokens) -> Found:
    """Method II, in the order of slots and, within one, of the systems."""
    slots = align_with(align(read), read, true)
    names, rows = [], []
    for number, here in enumerate(_tokens_in(slots, [*read, true]), 1):
        for token in dict.fromkeys(token for token in here if token is not None):
            names.append((f"{number}/", token, ""))
            rows.append([each == token for each in here])
    return names, np.array(rows, np.int8).reshape(len(names), len(read) + 1)


def _tokens_in(slots: NDArray[np.int64], sequences: Sequence[Tokens]) -> Iterator[list[str | None]]:
    for slot in slots.tolist():
        yield [
            tokens[index] if index >= 0 else None
            for tokens, index in zip(sequences, slot, strict=True)
        ]


TEXT, XML = ".txt", (".xml", ".alto")
SUFFIXES = (TEXT, *XML)


@dataclass(frozen=True)
class PageText:
    """Text that a system read on a page.

    Attributes
    ----------
    path : Path
    image : str
        The name of the page's image without ending, where the file tells it.
    tokens : tuple of str
    """

    path: Path
    image: str
    tokens: tuple[str, ...]


def read_page_text(path: Path) -> PageText:
    """The words of one file.

    Raises
    ------
    BadInput
        It cannot be read, is not UTF-8, or XML that is neither PAGE nor ALTO.
    """
    image, text = read_text(path)
    return PageText(path, image, tuple(words_of(text)))


def read_text(path: Path) -> tuple[str, str]:
    """The name of the page's image, "" where the file does not tell it, and the text as it is.

    Raises
    ------
    BadInput
        See `read_page_text`.
    """
    if path.suffix.lower() == TEXT:
        try:
            content = read_file(path)  # may be empty: a system that read nothing
            return "", decode(content, path, discard) if content else ""
        except OSError as error:
            raise BadInput(path, f"cannot be read: {reason(error)}") from error
    content = read_bytes(path)
    name = root_name(content[:4096])
    if name == "alto":
        root = read_tree(content, path).root
        image = next((node.text for node in root.walk() if node.name == "fileName"), "")
        strings = (node.get("CONTENT") for node in root.walk() if node.name == "String")
        return _stem(image), " ".join(strings)
    pages = read_page_tree(content, path)
    texts = ("\n".join(_texts(pages, region)) for region in regions_in_reading_order(pages))
    return _stem(image_filename(pages)), "\n\n".join(texts)


def _stem(name: str) -> str:
    """A file's name without folders and ending, however its path is written."""
    return PurePosixPath(PureWindowsPath(name.strip()).name).stem


def regions_in_reading_order(pages: PageTree) -> list[Node]:
    """The regions as the reading order has them, then those that it does not name."""
    regions = list(pages.region_nodes())
    order = pages.child(pages.page, "ReadingOrder")
    if order is None:
        return regions
    named = [node.get("regionRef") for node in _references(order)]
    place = {id: index for index, id in reversed(list(enumerate(named)))}
    return sorted(regions, key=lambda region: place.get(region.get("id"), len(named)))


def _references(group: Node) -> Iterator[Node]:
    """The references of a group and of those in it, by their index where they have one."""
    for node in sorted(group.children, key=_index):
        if node.get("regionRef"):
            yield node
        yield from _references(node)


def _index(node: Node) -> int:
    return whole_number(node.get("index")) or 0


def _texts(pages: PageTree, region: Node) -> Iterator[str]:
    """The texts of a region, from its words where it has any, else of lines, else its own."""
    lines = pages.all(region, "TextLine")
    if not lines:
        yield node_text(pages, region)
    for line in lines:
        words = [node_text(pages, word) for word in pages.all(line, "Word")]
        yield " ".join(words) if any(words) else node_text(pages, line)


def node_text(pages: PageTree, node: Node) -> str:
    """The last of its texts, as PAGE's ground truth has it, or that which is numbered lowest."""
    texts = pages.all(node, "TextEquiv")
    numbered = [text for text in texts if whole_number(text.get("index")) is not None]
    if numbered:
        unicode = pages.child(min(numbered, key=_index), "Unicode")
    else:
        unicode = text_node(pages, node, last=True)
    return "" if unicode is None else unicode.text


EXPECTED = "a sub-folder of texts, PAGE or ALTO files for every system"
TRUTH_NAME = re.compile(r"(?:^|[^a-z0-9])(?:gt|truth|ground[ _-]?truth)(?:[^a-z0-9]|$)", re.I)


@dataclass
class _Read:
    """Texts read so far: the pages of each system."""

    texts: dict[str, list[PageText]] = field(default_factory=dict)
    bad_lines: list[BadLine] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of systems that read pages.

    Raises
    ------
    BadInput
        There is no system with a word, a page is there twice, or one is too long to be aligned.
    """
    read = _read_groups(_groups(paths), progress)
    truths = {name: read.texts.pop(name) for name in list(read.texts) if TRUTH_NAME.search(name)}
    if not read.texts:
        raise BadInput(paths[0], "the folder has no text of a system", expected=EXPECTED)
    systems = tuple(sorted(read.texts, key=natural))
    by_image = all(text.image for texts in read.texts.values() for text in texts)
    named = {name: _by_page(read.texts[name], name, by_image) for name in systems}
    every_page = sorted({page for pages in named.values() for page in pages}, key=natural)
    truth = _truth(truths, every_page, read.remarks)
    pages = {
        page: [named[name][page].tokens if page in named[name] else None for name in systems]
        for page in every_page
    }
    if options.method == "alignment":
        _see_that_they_are_short(paths[0], pages)
    names = short_names(systems)
    found = items_of_tokens(pages, truth, names, options.method, options.missed, progress)
    remarks = [*read.remarks, *_remarks(found, named, every_page, options.missed)]
    return VoteTable(
        found.votes,
        found.items,
        found.pages,
        None if np.isnan(found.truth).all() else found.truth,
        factors_of(names),
        found.texts,
        unfound=found.unfound if truth else None,
        files={
            (short, page): text.path
            for short, name in zip(names, systems, strict=True)
            for page, text in named[name].items()
        },
        bad_lines=tuple(read.bad_lines),
        remarks=tuple(remarks),
        name=paths[0].name if len(paths) == 1 else paths[0].resolve().parent.name,
    )


def _groups(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """The files of every system and truth, by its name."""
    groups: dict[str, list[Path]] = {}
    for path in paths:
        if not is_folder(path):
            _add_named(groups, [path])
            continue
        files = _files(path)
        inner = sorted(folder for folder in path.iterdir() if is_folder(folder))
        parts = {folder.name: _files(folder) for folder in inner}
        if files and len(paths) > 1:
            groups.setdefault(path.name, []).extend(files)
        elif files and not any(parts.values()):
            _add_named(groups, files)
        else:
            for name, own in parts.items():
                groups.setdefault(name, []).extend(own)
    return {name: files for name, files in groups.items() if files}


def _files(folder: Path) -> list[Path]:
    found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
    return sorted((path for path in found if is_file(path)), key=lambda path: natural(path.name))


def _add_named(groups: dict[str, list[Path]], files: Sequence[Path]) -> None:
    """Files ``page.system.txt``; a file without a system in its name is one."""
    for file in files:
        _, dot, system = file.stem.rpartition(".")
        groups.setdefault(system if dot else file.stem, []).append(file)


def _read_groups(groups: Mapping[str, list[Path]], progress: Progress) -> _Read:
    found = _Read()
    files = [(name, path) for name, own in groups.items() for path in own]
    for name, path in track(files, progress, "reading texts"):
        try:
            found.texts.setdefault(name, []).append(read_page_text(path))
        except BadInput as error:
            place = f"{path}, {error.place}" if error.place else str(path)
            found.bad_lines.append(BadLine(1, error.problem, place))
    for name, texts in list(found.texts.items()):
        if not any(text.tokens for text in texts):
            found.remarks.append(f"{name} was skipped: it has no words")
            del found.texts[name]
    return found


def _by_page(texts: Sequence[PageText], name: str, by_image: bool) -> dict[str, PageText]:
    """Return what a system read, by page."""
    found: dict[str, PageText] = {}
    for text in texts:
        page = text.image if by_image else _file_page(text.path, name)
        if page in found:
            problem = f"the page {page!r} is in {found[page].path.name} already"
            raise BadInput(text.path, problem, expected="one file per page and system")
        found[page] = text
    return found


def _file_page(path: Path, name: str) -> str:
    """The page that a file is called after: its name without that of the system."""
    stem = path.stem
    if stem == name or stem.removesuffix(f".{name}") != stem:
        return stem.removesuffix(f".{name}") if stem != name else "page"
    return stem.removeprefix(name).lstrip("_-. ") or stem


def _truth(
    truths: Mapping[str, Sequence[PageText]], pages: Sequence[str], remarks: list[str]
) -> dict[str, tuple[str, ...]]:
    """The true tokens of the pages, from that truth which has most of them."""
    ways = [
        (name, _by_page(texts, name, by_image))
        for name, texts in truths.items()
        for by_image in (True, False)
        if not by_image or all(text.image for text in texts)
    ]
    if not ways:
        return {}
    name, found = max(ways, key=lambda way: len(way[1].keys() & set(pages)))
    if not found.keys() & set(pages):
        if len(found) != len(pages):
            remarks.append(f"{name} was skipped: it has none of the systems' pages")
            return {}
        remarks.append(f"the pages of {name} have other names; they were matched in order")
        ordered = sorted(found, key=natural)
        found = {page: found[own] for page, own in zip(pages, ordered, strict=True)}
    others = [other for other in truths if other != name]
    if others:
        remarks.append(f"{name} is used as truth; skipped: {', '.join(others)}")
    return {page: found[page].tokens for page in pages if page in found}


def _see_that_they_are_short(
    path: Path, pages: Mapping[str, Sequence[Sequence[str] | None]]
) -> None:
    for page, read in pages.items():
        longest = max(len(tokens or ()) for tokens in read)
        if longest > MOST_ALIGNED:
            problem = f"the page {page!r} has {longest:,} words, too many to be aligned"
            expected = f"at most {MOST_ALIGNED:,} words per page, or the method bag_of_words"
            raise BadInput(path, problem, expected=expected)


def _remarks(
    found: TokenItems,
    named: Mapping[str, Mapping[str, PageText]],
    pages: Sequence[str],
    missed: bool,
) -> list[str]:
    remarks = [
        f"{name} has no file for {len(pages) - len(own)} of {len(pages)} pages: its votes there "
        f"are unknown"
        for name, own in named.items()
        if len(own) < len(pages)
    ]
    if found.missed and not missed:
        words = counted(found.missed, "word")
        remarks.append(f"no system read {words} of the truth; only the true recall counts them")
    return remarks


def _sniff(paths: Sequence[Path]) -> bool:
    groups = _groups(paths)
    first = [files[0] for files in groups.values()]
    return len(groups) > (1 if not any(is_folder(path) for path in paths) else 0) and any(
        path.suffix.lower() == TEXT or root_name(head_of(path)) in ("alto", "PcGts", "pcGts")
        for path in first
    )


FORMAT = VoteFormat(
    "texts",
    "one folder of texts, PAGE or ALTO files per system",
    _sniff,
    read,
    broad=True,
    on_pages=True,
)
