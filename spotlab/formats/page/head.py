"""Looks into a PAGE file quickly: whether it is one, which image it names, its state and labels."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import lxml
import numpy as np
from lxml import etree

from spotlab.errors import NotSaved, SpotlabError, reason
from spotlab.files import check_regular, exists, open_file, read_file
from spotlab.formats.page.foreign_shapes import is_outline, root_name
from spotlab.formats.page.read import TAGS, label_from
from spotlab.formats.page.values import PLAIN, element_name, parse_points, read_custom
from spotlab.formats.page.xml_tree import INSTRUCTION
from spotlab.formats.rows.files import MAXIMUM_BYTES
from spotlab.formats.store import (
    cache_folder,
    code_digest,
    key_of,
    keyed_file,
    read_arrays,
    write_arrays,
)
from spotlab.model import Page, PageState
from spotlab.model.region import tidy_label

Element = Any  # lxml has no types
_WITHOUT_CUSTOM = ("2009-03-16", "2010-01-12", "2010-03-19")
_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


@dataclass(frozen=True)
class Summary:
    """Summary of a truth file for the page list.

    Attributes
    ----------
    state : PageState or None
        None where the file cannot be read.
    labels : dict of str to int
        How many regions carry each label, in alphabetical order; unlabeled ones under "".
    error : str
        Why it cannot be read.
    tags : tuple of str
        Of the page.
    """

    state: PageState | None
    labels: dict[str, int] = field(default_factory=dict)
    error: str = ""
    tags: tuple[str, ...] = ()

    @property
    def regions(self) -> int:
        """Tell how many regions there are."""
        return sum(self.labels.values())


def is_page_xml(path: Path) -> bool:
    """Tell whether a file begins as PAGE does."""
    try:
        with open_file(path) as file:
            return looks_like_page(file.read(4096))
    except (OSError, ValueError):
        return False


def looks_like_page(head: bytes) -> bool:
    """Tell whether this is how a PAGE file begins."""
    name = root_name(head)
    if not name:  # a long comment in front of the root
        plain = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        return plain.startswith(b"<") and b"PcGts" in plain
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
    """Return what `summary` says of a truth file with this content; the path is named in errors."""
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
        custom = _known_custom(_custom(node))
        if not _has_outline(node, snake):
            continue
        label = tidy_label(label_from(name, node.attrib, custom, snake))
        labels[label] = labels.get(label, 0) + 1
        uncertain |= custom.get("uncertain") == "true"
    state = PageState.DRAFT if labels else PageState.UNTOUCHED
    own = read_custom(_custom(page))
    if own.get("checked") == "true":
        state = PageState.CHECKED
    state = PageState.UNCERTAIN if uncertain else state
    named = [":".join(filter(None, (label.get("type"), label.get("value"))))
             for label in page.iterfind("{*}Labels/{*}Label")]  # fmt: skip
    tags = Page(Path(), 1, 1, tags=(*named, *own.get(TAGS, "").split("\n"))).tags
    return Summary(state, dict(sorted(labels.items())), tags=tags)


def _custom(node: Element) -> str:
    """The attribute ``custom``, or the processing instruction that stands for it before 2013."""
    given = node.get("custom")
    if given is None and node.tag.rpartition("}")[0].endswith(_WITHOUT_CUSTOM):
        for own in node.iterchildren(etree.ProcessingInstruction):
            if own.target == INSTRUCTION:
                return f"{INSTRUCTION} {own.text}"
    return given or ""


@lru_cache(1024)
def _known_custom(custom: str) -> Mapping[str, str]:
    """Return what our group says, read once: regions of a collection mostly say the same few
    things.
    """
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


SUFFIX = ".summaries"
MANY = 200  # entries from which on they are joined
MOST = 500_000  # summaries that are kept of joined entries


class SummaryStore:
    """Summaries of truth files by the digest of their content.

    Parameters
    ----------
    folder : Path, optional
        Where they are kept; by default in the user's cache.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder("summaries")
        self._said: dict[bytes, tuple[str, Path]] | None = None
        self._used: set[Path] = set()

    def summaries(self, paths: Sequence[Path], look: Callable[[], object]) -> list[Summary]:
        """Return what truth files hold, as `summary` says it.

        Parameters
        ----------
        paths : sequence of Path
        look : callable
            Called before each file; may raise to give up. What has been read is kept.
        """
        contents = {path: content for path in paths if (content := read_content(path)) is not None}
        digests = {path: _digest(content) for path, content in contents.items()}
        known = self._known(set(digests.values()))
        new: dict[bytes, Summary] = {}
        found: list[Summary] = []
        try:
            for path in paths:
                look()
                digest = digests.get(path)
                if digest is None:  # missing, or there is something to be said of it
                    found.append(summary(path))
                    continue
                if digest not in known:
                    known[digest] = summary_of(contents[path], path)
                    if not known[digest].error:  # which names the path
                        new[digest] = known[digest]
                found.append(known[digest])
        finally:
            self._keep(new)
        return found

    def _known(self, digests: set[bytes]) -> dict[bytes, Summary]:
        if self._said is None:
            self._said = _kept(self.folder)
        found = {}
        for digest in digests & self._said.keys():
            said, file = self._said[digest]
            known = _understood(said)
            if known is not None:
                found[digest] = known
                self._use(file)
        return found

    def _use(self, file: Path) -> None:
        if file not in self._used:
            self._used.add(file)
            with suppress(OSError):
                os.utime(file)  # what was not used for long is cleared

    def _keep(self, new: Mapping[bytes, Summary]) -> None:
        said = {digest: _said(known) for digest, known in new.items()}
        if said and self._said is not None:
            file = _write(self.folder, said)
            self._said |= {digest: (text, file) for digest, text in said.items()}


def _kept(folder: Path) -> dict[bytes, tuple[str, Path]]:
    """Return what is kept, and in which entry."""
    found: dict[bytes, tuple[str, Path]] = {}
    files = list(folder.glob(f"??/*{SUFFIX}"))
    for file in files:
        arrays = read_arrays(file, _magic(), used=False)
        with suppress(KeyError, ValueError, TypeError):
            texts = json.loads((arrays or {})["said"].tobytes())
            digests = [row.tobytes() for row in (arrays or {})["digests"]]
            found |= {
                digest: (str(text), file) for digest, text in zip(digests, texts, strict=True)
            }
    if len(files) < MANY:
        return found
    said = {digest: text for digest, (text, _) in list(found.items())[-MOST:]}
    joined = _write(folder, said)
    if exists(joined):
        for file in files:
            if file != joined:
                with suppress(OSError):
                    file.unlink()
    return {digest: (text, joined) for digest, text in said.items()}


def _write(folder: Path, said: Mapping[bytes, str]) -> Path:
    """The entry of these summaries, if it could be written."""
    digests = sorted(said)
    file = keyed_file(folder, key_of(*(digest.hex() for digest in digests)), SUFFIX)
    texts = json.dumps([said[digest] for digest in digests])
    arrays = {
        "digests": np.frombuffer(b"".join(digests), np.uint8).reshape(len(digests), -1),
        "said": np.frombuffer(texts.encode(), np.uint8),
    }
    with suppress(NotSaved):  # read-only, full, …
        write_arrays(arrays, file, _magic())
    return file


@cache
def _magic() -> bytes:
    """The first line of an entry, which changes with everything that decides on a summary."""
    code = code_digest(sorted(Path(__file__).parent.glob("*.py")), [lxml])
    return b"spotlab summaries " + code.encode() + b"\n"


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _said(known: Summary) -> str:
    return json.dumps(
        [known.state, known.labels, known.tags], ensure_ascii=False, separators=(",", ":")
    )


def _understood(said: str) -> Summary | None:
    try:
        state, labels, tags = json.loads(said)
        counts = {str(name): int(count) for name, count in labels.items()}
        return Summary(PageState(state), counts, tags=tuple(map(str, tags)))
    except (ValueError, TypeError, AttributeError):
        return None
