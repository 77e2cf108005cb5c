"""Sample PAGE files, and what has to hold for every file that we write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path

from lxml import etree

from spotlab.formats.truth import page_xml
from spotlab.model import Region, Truth

DATA = Path(__file__).parents[1] / "data"
RICH = (DATA / "rich.xml").read_bytes()
OLD = (DATA / "old.xml").read_bytes()
_OLDER = Path(__file__).parents[3] / "shared/data/page_alto_xsd"  # not everywhere


@cache
def _schema(version: str) -> etree.XMLSchema | None:
    name = f"pagecontent_{version}.xsd"
    path = next((file for file in (DATA / name, _OLDER / name) if file.is_file()), None)
    return None if path is None else etree.XMLSchema(etree.parse(path))


THEN = datetime(2020, 1, 2, 3, 4, 5)  # what the sample files say
NOW = datetime(2026, 11, 21, 5, 6, 7)
PATH = Path("plans/plan.xml")


def rich() -> Truth:
    return page_xml.parse(RICH, PATH)


def assert_valid(content: bytes) -> None:
    """The file is valid in its own version, if it says one whose schema is at hand."""
    schema = _schema_of(content)
    if schema is not None:
        assert schema.validate(etree.fromstring(content)), schema.error_log


def is_valid(content: bytes) -> bool:
    schema = _schema_of(content)
    return schema is None or schema.validate(etree.fromstring(content))


def _schema_of(content: bytes) -> etree.XMLSchema | None:
    root = etree.QName(etree.fromstring(content))
    is_known = root.namespace is not None and root.localname == "PcGts"
    return _schema(root.namespace.rpartition("/")[2]) if is_known else None


def save(truth: Truth, regions: Sequence[Region] | None = None, moment: datetime = NOW) -> bytes:
    """Serialise, and check what has to hold for every file that we write."""
    changed = truth if regions is None else replace(truth, regions=tuple(regions))
    content = page_xml.serialise(changed, moment)
    assert_valid(content)
    again = page_xml.parse(content, PATH)
    assert again.regions == changed.regions
    assert again.labels == changed.labels
    assert again.page.checked == changed.page.checked
    return content


def changed_lines(content: bytes) -> tuple[list[str], list[str]]:
    """Lines of the sample that are gone and lines that are new."""
    before, after = RICH.decode().splitlines(), content.decode().splitlines()
    return [line for line in before if line not in after], [
        line for line in after if line not in before
    ]


def by_id(truth: Truth, id: str) -> Region:
    return next(region for region in truth.regions if region.id == id)


def with_region(truth: Truth, id: str, **values: object) -> list[Region]:
    return [
        replace(region, **values) if region.id == id else region  # type: ignore[arg-type]
        for region in truth.regions
    ]
