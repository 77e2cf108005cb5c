"""Reads what is written on pages: texts, PAGE or ALTO, of the same names as the pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.files import is_file, is_folder
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.rows.numbers import natural
from spotlab.formats.votes.texts import SUFFIXES, read_text
from spotlab.progress import Progress, silent, track


def read_true_texts(
    paths: Sequence[Path], entries: Sequence[PageEntry], progress: Progress = silent
) -> dict[str, str]:
    """The true texts of pages.

    Parameters
    ----------
    paths : sequence of Path
        Text, PAGE and ALTO files, or folders of them; without any, the PAGE files beside the pages
        which have some text.
    entries : sequence of PageEntry
        The pages. A file is about one if it is called like it, with ``.gt`` or not, or names its
        image.

    Returns
    -------
    dict of str to str
        By page, or by the file's name where there is no such page.

    Raises
    ------
    BadInput
        A file cannot be read, or two are about the same page.
    """
    if not paths:
        beside = [(entry, entry.truth_path) for entry in entries if entry.has_truth]
        texts = ((entry.name, read_text(path)[1]) for entry, path in beside)
        return {name: text for name, text in texts if text.strip()}
    names = {entry.name for entry in entries}
    images = {entry.image.stem: entry.name for entry in entries}
    found: dict[str, str] = {}
    for path in track(_files(paths), progress, "reading true texts"):
        image, text = read_text(path)
        stem = path.stem.removesuffix(".gt")
        page = stem if stem in names else images.get(image, stem)
        if page in found:
            raise BadInput(path, f"there is a true text of {page} already", expected="one per page")
        found[page] = text
    if not found:
        raise BadInput(paths[0], "there is no text in it", expected="text, PAGE or ALTO files")
    return found


def _files(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        inside = path.rglob("*") if is_folder(path) else [path]
        files = [file for file in inside if file.suffix.lower() in SUFFIXES and is_file(file)]
        found += sorted(files, key=lambda file: natural(str(file))) if is_folder(path) else [path]
    return found
