"""PAGE XML, the truth's own format: every version is read, and a file that is changed stays in its.

A region of ours is a ``CustomRegion`` whose ``type`` is the label. What PAGE has no place for rides
in its ``custom`` attribute, ``spotlab {primitive:hull; uncertain:true;}``, beside other programs'
entries; a remark is ``comments``, a transcription and who drew and changed the region are
UserAttributes, label colours and digits are UserAttributes of the metadata, and a MetadataItem
names each author of the page. Regions of other types are read too: their label is our own value if
there is one, else their type, else the name of the element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from spotlab import __version__
from spotlab.files import is_file, is_missing, name_with
from spotlab.formats.page.foreign_shapes import is_outline
from spotlab.formats.page.head import is_page_xml, looks_like_page
from spotlab.formats.page.images import find_image, image_name, writable_name
from spotlab.formats.page.merge import merge, open_page
from spotlab.formats.page.read import (
    OWN_PREFIX,
    TEXT_ELEMENTS,
    PageTree,
    image_filename,
    read_labels,
    read_page,
    read_page_tree,
    read_points,
    read_text_elements,
)
from spotlab.formats.page.reading_order import read_order
from spotlab.formats.page.values import CURRENT, LOCATION, XSI
from spotlab.formats.page.xml_tree import Patch, in_xml, start_tag
from spotlab.formats.rows.files import read_bytes, write_atomically
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import ELEMENTS, Format, Holds, Rounding, page_file
from spotlab.model import Truth
from spotlab.progress import Progress, track

_REGIONS = "region"
_LEFT_OUT = (
    *TEXT_ELEMENTS, "Glyph", "Border", "PrintSpace", "Layers", "Relations",
    "AlternativeImage",
)  # fmt: skip


def parse(
    source: bytes,
    path: Path,
    *,
    words: bool = False,
    lines: bool = False,
    texts_only: bool = True,
    reading: Reading | None = None,
) -> Truth:
    """The truth in a PAGE file.

    Parameters
    ----------
    source : bytes
        The file's content.
    path : Path
        Where it lies: for messages, and to find the image that it names.
    words, lines : bool
        Take the words, or the lines of text, or both, as regions instead of the regions; such a
        truth is not merged back into the file it came from.
    texts_only : bool
        Of these take only those that have a text.
    reading : Reading, optional
        Takes the findings on what becomes no region; a save keeps all of it.

    Raises
    ------
    BadInput
        It is not PAGE, or the size of the page is not known. A region whose coordinates cannot be
        read is left out, and stays in the file.
    """
    if words or lines:
        pages = read_page_tree(source, path)
        names = [name for name, wanted in (("Word", words), ("TextLine", lines)) if wanted]
        told = reading or Reading()
        regions = read_text_elements(pages, path, names, told, texts_only=texts_only)
        if reading is not None:
            _report_others(pages, path, names, reading)
        return Truth(read_page(pages, path, reading), tuple(regions))
    opened = open_page(source, path)
    if reading is not None:
        _report_others(opened.pages, path, (), reading)
    page, labels = read_page(opened.pages, path, reading), read_labels(opened.pages)
    page = replace(page, order=read_order(opened.pages))
    return Truth(page, tuple(region for region, _ in opened.found), labels, source)


def _report_others(pages: PageTree, path: Path, taken: Sequence[str], reading: Reading) -> None:
    """Report what becomes no region, where these elements, or else the regions, are taken."""
    for node in pages.page.walk():
        name = pages.name(node)
        if (name in _LEFT_OUT or (taken and name == "ReadingOrder")) and name not in taken:
            reading.pass_over(path, name)
    seen: set[str] = set()
    for node in pages.region_nodes():
        if taken:
            reading.pass_over(path, _REGIONS)
            continue
        id = node.get("id")
        if not id or id in seen:
            reading.remark(path, "region with no id, or with that of another region", node.place)
        seen.add(id)
        with reading.item():
            if not is_outline(read_points(pages, node, path)):
                reading.remark(path, "region without an outline", node.place)


def read(path: Path) -> Truth:
    """The truth in a PAGE file; see `parse`."""
    return parse(read_bytes(path), path)


def serialise(
    truth: Truth, changed: datetime, *, image_filename: str = "", unique_ids: bool = False
) -> bytes:
    """The truth as PAGE, merged into the file that it was read from; a new file is of 2019-07-15.

    Only what differs from ``truth.source`` and the time of the last change is written; every other
    byte stays, and so does the version. The same arguments give the same bytes.

    Parameters
    ----------
    truth : Truth
    changed : datetime
        Goes into ``LastChange`` (and ``Created`` of a new file).
    image_filename : str
        How the file names the image; by default as in the source, in a new file by its bare name.
    unique_ids : bool
        Give elements that have the id of another one, which the schema forbids, a new id.

    Raises
    ------
    BadInput
        ``truth.source`` is not PAGE.
    """
    if not truth.source:
        empty = _empty(truth, changed, image_filename or truth.page.image.name)
        return merge(empty, truth, changed, unique_ids=unique_ids)
    content = merge(truth.source, truth, changed, unique_ids=unique_ids)
    return _with_image(content, truth.page.image, image_filename) if image_filename else content


def _with_image(content: bytes, path: Path, name: str) -> bytes:
    """The file with another name of its image."""
    pages = read_page_tree(content, path)
    if name == image_filename(pages):
        return content
    patch = Patch(pages.tree)
    attribute = "image_filename" if pages.snake else "imageFilename"
    patch.set_attribute(pages.page, attribute, writable_name(name))
    return pages.tree.encode(patch.render())


def write(
    truth: Truth, path: Path, changed: datetime | None = None, *, unique_ids: bool = False
) -> None:
    """Write the truth to a file, atomically, which names the image so that it is found from there.

    All else is as `serialise` has it.

    Raises
    ------
    NotSaved
        The file could not be written; what was there before is untouched.
    """
    image = truth.page.image
    name = image_name(image, path.parent)
    if truth.source and is_file(image):
        found = find_image(path, image_filename(read_page_tree(truth.source, image)))
        name = "" if found is not None and found.samefile(image) else name
    elif truth.source:
        name = ""
    moment = changed or datetime.now(UTC)
    content = serialise(truth, moment, image_filename=name, unique_ids=unique_ids)
    write_atomically(path, content)


def _empty(truth: Truth, changed: datetime, name: str) -> bytes:
    page = truth.page
    moment = changed.isoformat(timespec="seconds")
    root = {"xmlns": CURRENT, "xmlns:xsi": XSI, "xsi:schemaLocation": LOCATION}
    attributes = {
        "imageFilename": writable_name(name),
        "imageWidth": str(page.width),
        "imageHeight": str(page.height),
    }
    lines = [
        b'<?xml version="1.0" encoding="UTF-8"?>',
        start_tag(b"PcGts", root),
        b"  <Metadata>",
        f"    <Creator>spotlab {__version__}</Creator>".encode(),
        f"    <Created>{moment}</Created>".encode(),
        f"    <LastChange>{moment}</LastChange>".encode(),
        b"  </Metadata>",
        b"  " + start_tag(b"Page", attributes, empty=True),
        b"</PcGts>\n",
    ]
    return b"\n".join(lines)


def _sniff(path: Path, head: bytes) -> bool:
    return looks_like_page(head)


def _read(path: Path, reading: Reading) -> list[Truth]:
    reading.progress(0, 1, f"reading {path.name}")
    content = read_bytes(path)
    truth = parse(
        content, path, words=reading.words, lines=reading.lines, texts_only=reading.texts_only,
        reading=reading,
    )  # fmt: skip
    if reading.blocks and (reading.words or reading.lines):
        truth = replace(truth, regions=(*parse(content, path).regions, *truth.regions))
    reading.progress(1, 1, f"reading {path.name}")
    return [truth]


def file_of(target: Path, truth: Truth) -> Path:
    """Tell where a page is written: the target itself, or a file in that folder.

    Where a file of another program has its name, as those of Pascal VOC have, it is called like
    the image with its suffix, as folders have it.

    Parameters
    ----------
    target : Path
    truth : Truth

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from spotlab.model import Page
    >>> truth = Truth(Page(Path("plan.png"), 9, 9))
    >>> with TemporaryDirectory() as name:
    ...     folder = Path(name)
    ...     print(file_of(folder, truth).name)
    ...     _ = (folder / "plan.xml").write_text("<annotation/>")
    ...     print(file_of(folder, truth).name)
    plan.xml
    plan.png.xml
    """
    file, page = page_file(target, truth, ".xml"), truth.page
    if file == target or is_missing(file) or is_page_xml(file):
        return file
    frame = f"_p{page.frame + 1}" if page.frames > 1 else ""
    return file.with_name(name_with(page.image.name, f"{frame}.xml"))


def _write(truths: Sequence[Truth], target: Path, progress: Progress) -> None:
    for truth in track(truths, progress, "writing PAGE"):
        write(truth, file_of(target, truth), unique_ids=True)


HOLDS = Holds(
    repeated=True,
    lines=True,
    rounding=Rounding.NEAREST,
    off_page=False,
    spelling=in_xml,
    reserved=(OWN_PREFIX,),
)
FORMAT = Format(
    "page", "PAGE XML", (".xml",), _sniff, _read, _write, holds=HOLDS, elements=ELEMENTS
)
