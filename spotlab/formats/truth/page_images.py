"""Puts the images of pages into the folder that their truth is exported to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from PIL import Image

from spotlab.errors import NotSaved, reason
from spotlab.imaging.header import read_header
from spotlab.imaging.pixels import read_page
from spotlab.model import Page, Truth
from spotlab.progress import Progress, silent, track


class Images(StrEnum):
    """What happens to images when truth is exported."""

    NONE = "none"  # they stay where they are
    COPY = "copy"
    LINK = "link"


def place_images(
    truths: Sequence[Truth], folder: Path, images: Images, progress: Progress
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
        target = folder / name
        _place(truth.page, target, images)
        page = replace(truth.page, image=target, frame=0, frames=1)
        placed.append(replace(truth, page=page))
    return placed


def different_names(pages: Sequence[Page]) -> list[str]:
    """Names for the images of pages whose stems all differ.

    Examples
    --------
    >>> pages = [Page(Path(name), 9, 9) for name in ("a/1.png", "b/1.png", "b/2.png")]
    >>> different_names(pages)
    ['a_1.png', 'b_1.png', '2.png']
    """
    stems = [page.name for page in pages]
    taken: set[str] = set()
    names = []
    for page, stem in zip(pages, stems, strict=True):
        several = stems.count(stem) > 1
        wanted = f"{page.image.parent.name}_{stem}" if several else stem
        unique, number = wanted, 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{wanted}_{number}"
        taken.add(unique.casefold())
        names.append(unique + (".png" if _is_drawn(page) else page.image.suffix))
    return names


def _is_drawn(page: Page) -> bool:
    """Whether the page is not the whole of an image file."""
    return page.frames > 1 or page.image.suffix.lower() == ".pdf"


def _place(page: Page, target: Path, images: Images) -> None:
    source = page.image
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
