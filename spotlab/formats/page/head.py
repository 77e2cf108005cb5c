"""Looks into a PAGE file quickly: whether it is one, which image it names, its state and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from lxml import etree

from spotlab.errors import SpotlabError, reason
from spotlab.files import check_regular, open_file, read_file
from spotlab.formats.page.custom import read_custom
from spotlab.formats.page.names import element_name
from spotlab.formats.page.points import PLAIN, parse_points
from spotlab.formats.page.read import label_from
from spotlab.formats.page.regions import is_outline
from spotlab.formats.page.xml_values import root_name
from spotlab.formats.rows.file_content import MAXIMUM_BYTES
from spotlab.model import PageState

Element = Any  # lxml has no types
_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


@dataclass(frozen=True)
class Summary:
    """What the page list shows of a truth file.

    Attributes
    ----------
    state : PageState or None
        None where the file cannot be read.
    labels : dict of str to int
        How many regions carry each label, in alphabetical order; unlabeled ones under "".
    error : str
        Why it cannot be read.
    """

    state: PageState | None
    labels: dict[str, int] = field(default_factory=dict)
    error: str = ""

    @property
    def regions(self) -> int:
        """How many regions there are."""
        return sum(self.labels.values())


def is_page_xml(path: Path) -> bool:
    """Whether a file begins as PAGE does."""
    try:
        with open_file(path) as file:
            return looks_like_page(file.read(4096))
    except (OSError, ValueError):
        return False


def looks_like_page(head: bytes) -> bool:
    """Whether this is how a PAGE file begins."""
    name = root_name(head)
    if not name:  # a long comment in front of the root
        return b"PcGts" in head
    return name in ("PcGts", "pcGts")


def named_image(path: Path) -> str | None:
    """The image that a PAGE file names; None where that cannot be read."""
    try:
        with open_file(path) as file:
            for _, node in etree.iterparse(file, events=("start",), **_SAFE):
                name = etree.QName(node).localname
                if name in ("Page", "page") and node.getparent() is not None:
                    return str(node.get("imageFilename") or node.get("image_filename") or "")
    except (OSError, ValueError, etree.XMLSyntaxError):
        return None
    return None


def summary(truth_path: Path) -> Summary:
    """State and labels of a truth file, without building its regions; never raises for a bad one.

    A file that is not there is an untouched page.
    """
    try:
        if check_regular(truth_path).st_size > MAXIMUM_BYTES:
            return Summary(None, error=f"{truth_path}: more than {MAXIMUM_BYTES:,} bytes")
        return summary_of(read_file(truth_path), truth_path)
    except FileNotFoundError:
        return Summary(PageState.UNTOUCHED)
    except OSError as error:
        return Summary(None, error=f"{truth_path}: {reason(error)}")


def summary_of(content: bytes, truth_path: Path) -> Summary:
    """What `summary` says of a truth file with this content; the path is named in errors."""
    try:
        return _summary(etree.fromstring(content, etree.XMLParser(**_SAFE)))
    except (etree.XMLSyntaxError, ValueError, SpotlabError) as error:
        return Summary(None, error=f"{truth_path}: {str(error).splitlines()[0]}")


def read_content(truth_path: Path) -> bytes | None:
    """The content of a truth file; None where `summary` has something else to say of it."""
    try:
        if check_regular(truth_path).st_size > MAXIMUM_BYTES:
            return None
        return read_file(truth_path)
    except OSError:
        return None


def _summary(root: Element) -> Summary:
    local = etree.QName(root).localname
    if local not in ("PcGts", "pcGts"):
        raise ValueError(f"the root is {local}; expected PcGts of PAGE")
    snake = local == "pcGts"
    page = next((node for node in root.iterchildren("{*}Page", "{*}page")), None)
    if page is None:
        raise ValueError("the element Page is missing")
    labels: dict[str, int] = {}
    uncertain = False
    for name, node in _regions(page, snake):
        custom = _known_custom(node.get("custom") or "")
        if not _has_outline(node, snake):
            continue
        label = " ".join(label_from(name, node.attrib, custom, snake).split())
        labels[label] = labels.get(label, 0) + 1
        uncertain |= custom.get("uncertain") == "true"
    state = PageState.DRAFT if labels else PageState.UNTOUCHED
    if read_custom(page.get("custom") or "").get("checked") == "true":
        state = PageState.CHECKED
    return Summary(PageState.UNCERTAIN if uncertain else state, dict(sorted(labels.items())))


@lru_cache(1024)
def _known_custom(custom: str) -> Mapping[str, str]:
    """What our group says, read once: regions of a collection mostly say the same few things."""
    return read_custom(custom)


def _regions(page: Element, snake: bool) -> Iterator[tuple[str, Element]]:
    namespace, _, _ = page.tag.rpartition("}")
    begins = f"{namespace}}}" if namespace else ""
    stack = [page]
    while stack:
        for child in stack.pop().iterchildren(etree.Element):
            tag = child.tag
            if not tag.startswith(begins):
                continue
            name = element_name(tag[len(begins) :], snake)
            if name.endswith("Region") and "}" not in name:
                yield name, child
                stack.append(child)


def _has_outline(node: Element, snake: bool) -> bool:
    coords = next(node.iterchildren("{*}coords" if snake else "{*}Coords"), None)
    if coords is None:
        return False
    given = coords.get("points")
    if given is None:
        corners = coords.iterchildren("{*}point" if snake else "{*}Point")
        given = " ".join(f"{corner.get('x')},{corner.get('y')}" for corner in corners)
    if given.count(",") >= 3 and PLAIN.fullmatch(given):
        first, last = given[: given.index(" ")], given[given.rindex(" ") + 1 :]
        if list(map(int, first.split(","))) != list(map(int, last.split(","))):
            return True  # nearly always: nothing is repeated at the end
    return is_outline(parse_points(given))
