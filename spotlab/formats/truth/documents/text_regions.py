"""Pages and regions of files that list words or lines and do not say how large the page is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.page.foreign_shapes import Corners, Ids, is_box, make_region
from spotlab.formats.page.images import find_image
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.page.values import LARGEST
from spotlab.geometry.primitives import box_frame
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_header
from spotlab.model import Ignore, Page, Primitive, Region

IGNORED = ("###", "*")  # texts of what nobody could read


def page_of_image(path: Path, filename: str = "", place: str = "") -> Page:
    """Return the page of an image, with the image's size.

    Parameters
    ----------
    path : Path
        The truth file.
    filename : str
        The image as the file names it; by default it is called like the file.
    place : str
        Where it is named, for the message.

    Raises
    ------
    BadInput
        The image is not there.
    """
    is_bare = bool(filename) and Path(filename).suffix.lower() not in IMAGE_SUFFIXES
    owner = path.with_name(f"{Path(filename).name}.txt") if is_bare else path
    image = find_image(owner, "" if is_bare else filename) or find_image(path, filename)
    if image is None:
        wanted = filename or path.stem
        problem = f"positions are in px of the image {wanted}, which is not there"
        raise BadInput(path, problem, place=place, expected="the image beside the file")
    header = read_header(image)
    return Page(image, header.width, header.height)


def text_region(
    points: Sequence[tuple[float, float]],
    path: Path,
    place: str,
    ids: Ids,
    *,
    text: str,
    label: str = WORD_LABEL,
    id: str = "",
    ignored: bool = False,
    uncertain: bool = False,
) -> Region:
    """Return a word or a line; one whose text says that nobody could read it is ignored."""
    corners: Corners = list(points)
    is_finite = all(abs(value) <= LARGEST for point in corners for value in point)
    is_frame = is_finite and (is_box(corners) or box_frame(corners) is not None)
    unread = text.strip() in IGNORED
    return make_region(
        corners, path, place, label=label, id=ids.take(id or label),
        primitive=Primitive.BOX if is_frame else Primitive.POLYGON, uncertain=uncertain,
        text="" if unread else text, ignore=Ignore.SYMBOL if unread or ignored else Ignore.NO,
    )  # fmt: skip
