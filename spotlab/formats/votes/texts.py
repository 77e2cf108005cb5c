"""Texts of systems: a sub-folder a system, a file a page, as plain text, PAGE or ALTO.

A folder called truth, or gt, holds the truth. Files of different systems are about the same page if
they name the same image, else if they are called alike. Instead of sub-folders there may be files
``page.system.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput, counted
from spotlab.files import is_file, is_folder
from spotlab.formats.page.xml_values import root_name
from spotlab.formats.rows.bad_lines import BadLine
from spotlab.formats.rows.natural import natural
from spotlab.formats.votes.format import VoteFormat, VoteOptions, VoteTable
from spotlab.formats.votes.sniffing import head_of
from spotlab.formats.votes.system_names import factors_of, short_names
from spotlab.formats.votes.text_files import SUFFIXES, TEXT, PageText, read_page_text
from spotlab.formats.votes.tokens import MOST_ALIGNED, TokenItems, items_of_tokens
from spotlab.progress import Progress, track

EXPECTED = "a sub-folder of texts, PAGE or ALTO files for every system"
TRUTH_NAME = re.compile(r"(?:^|[^a-z0-9])(?:gt|truth|ground[ _-]?truth)(?:[^a-z0-9]|$)", re.I)


@dataclass
class _Read:
    """What has been read: of each system the pages."""

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
    """What a system read, by page."""
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
    "texts", "one folder of texts, PAGE or ALTO files per system", _sniff, read, broad=True
)
