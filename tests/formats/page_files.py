"""Sample PAGE files, and what has to hold for every file that we write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from lxml import etree

from spotlab.formats.truth import page_xml
from spotlab.model import Region, Truth

DATA = Path(__file__).parents[1] / "data"
RICH = (DATA / "rich.xml").read_bytes()
OLD = (DATA / "old.xml").read_bytes()
SCHEMA = etree.XMLSchema(etree.parse(DATA / "pagecontent_2019-07-15.xsd"))
THEN = datetime(2020, 1, 2, 3, 4, 5)  # what the sample files say
NOW = datetime(2026, 11, 21, 5, 6, 7)
PATH = Path("plans/plan.xml")


def rich() -> Truth:
    return page_xml.parse(RICH, PATH)


def assert_valid(content: bytes) -> None:
    assert SCHEMA.validate(etree.fromstring(content)), SCHEMA.error_log


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
