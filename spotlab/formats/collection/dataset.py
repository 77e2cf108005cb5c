"""Writes truth as a data set: a folder with parts, images and a record of what was exported.

Everything is written into a hidden folder beside the target, which takes the target's name when all
is there. So the target is whole or not there at all.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from PIL import Image

from spotlab import __version__
from spotlab.errors import BadArgument, BadInput, InTheWay, NotSaved, counted, reason
from spotlab.files import exists, is_file, is_folder, is_missing
from spotlab.formats.collection.page_names import names_apart, with_names_apart
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import load_object
from spotlab.formats.truth.format import Format, page_file
from spotlab.imaging.reading.pixels import read_header, read_page
from spotlab.model import Page, Truth
from spotlab.progress import Progress, silent, track


class Images(StrEnum):
    """Treatment of the images when truth is exported."""

    NONE = "none"  # they stay where they are
    COPY = "copy"
    LINK = "link"


def place_images(
    truths: Sequence[Truth],
    folder: Path,
    images: Images,
    progress: Progress,
    place: Callable[[str], str] | None = None,
) -> list[Truth]:
    """Copy or link the images of pages into a folder, and give the pages that have them there.

    A page of a file of several becomes a PNG of its own. Where two images have the same name, the
    names of their folders go before theirs.

    Parameters
    ----------
    truths : sequence of Truth
    folder : Path
        Made if it is not there.
    images : Images
        COPY or LINK.
    progress : Progress
    place : callable, optional
        The path of an image from the folder by the name of its page, which then keeps that name;
        by default the name of the image.

    Returns
    -------
    list of Truth
        In the same order.

    Raises
    ------
    NotSaved
        An image is not there, or could not be copied or linked.
    BadInput
        An image cannot be read.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{folder} was not created: {reason(error)}") from error
    names = different_names([truth.page for truth in truths])
    doing = "copying images" if images is Images.COPY else "linking images"
    placed = []
    for truth, name in track(list(zip(truths, names, strict=True)), progress, doing):
        stem = Path(name).stem
        target = folder / (name if place is None else place(stem))
        _place(truth.page, target, images)
        called = "" if place is None else stem
        page = replace(truth.page, image=target, frame=0, frames=1, called=called)
        placed.append(replace(truth, page=page))
    return placed


def different_names(pages: Sequence[Page]) -> list[str]:
    """Names for the images of pages in one folder, whose stems all differ.

    Examples
    --------
    >>> pages = [Page(Path(name), 9, 9) for name in ("a/1.png", "b/1.png", "b/2.png")]
    >>> different_names(pages)
    ['a_1.png', 'b_1.png', '2.png']
    """
    apart = names_apart([page.image for page in pages])
    taken: set[str] = set()
    names = []
    for page, name in zip(pages, apart, strict=True):
        frame = f"_p{page.frame + 1}" if page.frames > 1 else ""
        wanted = (page.called or name).replace("/", "_") + frame
        ending = ".png" if _is_drawn(page) else page.image.suffix
        wanted = wanted.removesuffix(ending)
        unique, number = wanted, 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{wanted}_{number}"
        taken.add(unique.casefold())
        names.append(unique + ending)
    return names


def _is_drawn(page: Page) -> bool:
    """Tell whether the page is not the whole of an image file."""
    return page.frames > 1 or page.image.suffix.lower() == ".pdf"


def _place(page: Page, target: Path, images: Images) -> None:
    source = page.image
    make_folder(target.parent)
    if _is_drawn(page):
        pixels = read_page(source, page.frame, silent)
        try:
            Image.fromarray(pixels).save(target)
        except OSError as error:
            raise NotSaved(f"{target} was not written: {reason(error)}") from error
        return
    try:
        real = source.resolve(strict=True)
        read_header(source)  # truth may name any file as its image: only an image is passed on
        if images is Images.COPY:
            shutil.copyfile(source, target)
        else:
            _link(real, target)
    except OSError as error:
        verb = "copied" if images is Images.COPY else "linked"
        raise NotSaved(f"{source} was not {verb}: {reason(error)}") from error


def _link(source: Path, target: Path) -> None:
    """A symbolic link, or where the system does not allow it a hard one."""
    try:
        os.symlink(source, target)
    except OSError:
        os.link(source, target)


PARTS = ("train", "val", "test")
_EXPECTED = "two or three numbers such as 80/10/10"


@dataclass(frozen=True)
class Split:
    """Shares of pages for training, validation and test, and a seed.

    Attributes
    ----------
    shares : tuple of float
        Of train, val and test, in [0, 1]; together 1.
    seed : int
        Another seed gives another division; the same one always the same.

    Examples
    --------
    >>> Split.parse("80/10/10", seed=1)
    Split(shares=(0.8, 0.1, 0.1), seed=1)
    """

    shares: tuple[float, float, float]
    seed: int = 0

    @classmethod
    def parse(cls, text: str, seed: int = 0) -> Split:
        """Read shares such as "80/10/10" or "4/1"; only their ratios matter.

        Raises
        ------
        BadArgument
            These are not two or three numbers from 0 on, or all of them are 0.
        """
        try:
            values = [float(part) for part in text.split("/")]
        except ValueError as error:
            raise BadArgument(f"`split` is {text!r}; expected {_EXPECTED}") from error
        whole = sum(values)
        right = len(values) in (2, 3) and min(values) >= 0 and 0 < whole < math.inf
        if not right or values[0] == 0:
            raise BadArgument(f"`split` is {text!r}; expected {_EXPECTED}, the first above 0")
        train, val, test = (value / whole for value in (*values, 0.0)[:3])
        return cls((train, val, test), seed)


def split_pages(names: Sequence[str], split: Split) -> dict[str, list[int]]:
    """Divide pages by chance.

    The order of the pages does not matter: each name and the seed give a number, by which the pages
    are sorted and then cut at the shares.

    Parameters
    ----------
    names : sequence of str
        Of the pages; different.
    split : Split

    Returns
    -------
    dict of str to list of int
        Of each part with a share above 0 the places of its pages, in ascending order. Every such
        part has a page as long as there are enough.

    Examples
    --------
    >>> {part: len(pages) for part, pages in
    ...  split_pages([f"p{n}" for n in range(20)], Split.parse("80/10/10")).items()}
    {'train': 16, 'val': 2, 'test': 2}
    """
    order = sorted(range(len(names)), key=lambda index: _draw(names[index], split.seed))
    counts = _counts(len(names), split.shares)
    parts: dict[str, list[int]] = {}
    start = 0
    for part, share, count in zip(PARTS, split.shares, counts, strict=True):
        if share:
            parts[part] = sorted(order[start : start + count])
            start += count
    return parts


def _draw(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogateescape")).digest()


def _counts(pages: int, shares: Sequence[float]) -> list[int]:
    """Whole numbers of pages by largest remainder, then one for each part that has none."""
    counts = [math.floor(pages * share + 1e-9) for share in shares]
    rests = sorted(range(len(shares)), key=lambda index: counts[index] - pages * shares[index])
    for index in rests[: pages - sum(counts)]:
        counts[index] += 1
    for index, share in enumerate(shares):
        largest = max(range(len(counts)), key=counts.__getitem__)
        if share and not counts[index] and counts[largest] > 1:
            counts[largest] -= 1
            counts[index] += 1
    return counts


RECORD = "spotlab-export.json"  # says what a folder holds, and that it may be replaced


@dataclass(frozen=True)
class Dataset:
    """Specification of a data set to be written.

    Attributes
    ----------
    format : Format
    split : Split or None
        None for a single part.
    images : Images
        Whether images go into it.
    """

    format: Format
    split: Split | None = None
    images: Images = Images.NONE

    @property
    def is_folder(self) -> bool:
        """Tell whether it takes a whole folder, rather than one file or one per page."""
        has_own = self.format.layout is not None
        return has_own or self.split is not None or self.images is not Images.NONE

    def image_folder(self, part: str) -> str:
        """Tell where the images of a part stand."""
        if self.format.layout is not None:
            return self.format.layout.image_folder(part)
        return "/".join(name for name in (part, self.format.image_folder) if name)


def parts_of(truths: Sequence[Truth], split: Split | None) -> dict[str, list[Truth]]:
    """The pages of each part; all of them in the part "" without a split."""
    if split is None:
        return {"": list(truths)}
    names = [truth.page.name for truth in with_names_apart(truths)]
    return {
        part: [truths[index] for index in pages]
        for part, pages in split_pages(names, split).items()
    }


def write_dataset(
    truths: Sequence[Truth],
    target: Path,
    dataset: Dataset,
    *,
    overwrite: bool = False,
    progress: Progress = silent,
) -> list[Path]:
    """Write a data set into a new folder, wholly or not at all.

    Parameters
    ----------
    truths : sequence of Truth
        The pages.
    target : Path
        The folder. It must not be there, or be empty, or with ``overwrite`` be an earlier data set.
    dataset : Dataset
    overwrite : bool
        Replace an earlier data set, which `RECORD` tells.
    progress : Progress

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    BadInput
        The folder is in the way, or two pages would get the same file.
    NotSaved
        Something could not be written.
    """
    _check_free(target, overwrite)
    unfinished = target.with_name(f".{target.name}.unfinished")
    parts = parts_of(truths, dataset.split)
    made = make_folder(target.parent)
    try:
        shutil.rmtree(unfinished, ignore_errors=True)  # of a program that was killed
        make_folder(unfinished)
        if dataset.images is not Images.NONE:
            layout = dataset.format.layout
            own = layout.image_place if layout is not None else None
            parts = {
                part: place_images(
                    pages, unfinished / dataset.image_folder(part), dataset.images, progress, own
                )
                for part, pages in parts.items()
            }
        _write_truth(parts, unfinished, dataset.format, progress)
        names = sorted(
            path.relative_to(unfinished).as_posix()
            for path in unfinished.rglob("*")
            if not is_folder(path) or path.is_symlink()
        )
        _write_record(unfinished / RECORD, dataset, parts, names)
        _take_place(unfinished, target)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        raise
    return [target / name for name in names]


def _write_truth(
    parts: Mapping[str, Sequence[Truth]], folder: Path, format: Format, progress: Progress
) -> None:
    for pages in parts.values():
        _check_names(pages, folder, format)
    if format.layout is not None:
        format.layout.write(parts, folder, progress)
        return
    assert format.write is not None  # who chooses a format to write takes only those
    for part, pages in parts.items():
        inside = folder / part
        make_folder(inside)
        for truth in pages if not format.many_pages else ():
            make_folder(page_file(inside, truth, format.suffixes[0]).parent)
        file = f"annotations{format.suffixes[0]}"
        format.write(pages, inside / file if format.many_pages else inside, progress)


def _check_names(pages: Sequence[Truth], folder: Path, format: Format) -> None:
    """Raise if two pages of a part would get the same file."""
    owners: dict[Path, Path] = {}
    for truth in pages if not format.many_pages else ():
        file = page_file(folder, truth, format.suffixes[0])
        if file in owners:
            problem = f"{owners[file]} and {truth.page.image} would be written to the same file"
            expected = "pages of different names, or images that are copied or linked"
            raise BadInput(Path(file.name), problem, expected=expected)
        owners[file] = truth.page.image


def _write_record(
    path: Path, dataset: Dataset, parts: Mapping[str, Sequence[Truth]], names: Sequence[str]
) -> None:
    record: dict[str, Any] = {
        "made by": f"spotlab {__version__}",
        "format": dataset.format.name,
        "images": dataset.images.value,
    }
    if dataset.split is not None:
        record |= {"shares": list(dataset.split.shares), "seed": dataset.split.seed}
    record["pages"] = {
        part or "all": [truth.page.name for truth in pages] for part, pages in parts.items()
    }
    record["files"] = list(names)
    text = json.dumps(record, ensure_ascii=False, indent=2) + "\n"
    write_atomically(path, text.encode("utf-8", "replace"))


def _check_free(target: Path, overwrite: bool) -> None:
    """Raise if the target is a file, or a folder that is not an earlier data set to be replaced."""
    if is_missing(target):
        return
    if not is_folder(target):
        raise BadInput(target, "this is a file", expected="a folder")
    there = sorted(path for path in target.rglob("*") if not is_folder(path) or path.is_symlink())
    if not there:
        return
    if not overwrite:
        raise InTheWay(target, f"the folder has {counted(len(there), 'file')}")
    expected = f"a new folder, or one that only has an earlier export and its {RECORD}"
    if not is_file(target / RECORD):
        raise BadInput(target, "the folder is not an earlier export", expected=expected)
    files = load_object(target / RECORD, "the record of an export").get("files")
    known = {str(name) for name in files} if isinstance(files, list) else set()
    for path in there:
        if path.relative_to(target).as_posix() not in known | {RECORD}:
            raise BadInput(path, "the file is not from the earlier export", expected=expected)


def _take_place(unfinished: Path, target: Path) -> None:
    """Give the finished folder its name, and remove what had it."""
    old = target.with_name(f".{target.name}.replaced")
    try:
        shutil.rmtree(old, ignore_errors=True)
        if not is_missing(target):
            os.replace(target, old)
        try:
            os.replace(unfinished, target)
        except OSError:
            if exists(old):
                os.replace(old, target)
            raise
    except OSError as error:
        raise NotSaved(f"{target} was not written: {reason(error)}") from error
    shutil.rmtree(old, ignore_errors=True)


def make_folder(folder: Path) -> list[Path]:
    """Make a folder; gives those that were not there, innermost first.

    Raises
    ------
    NotSaved
        It could not be made.
    """
    missing = [each for each in (folder, *folder.parents) if is_missing(each)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{folder} was not created: {reason(error)}") from error
    return missing
