"""What is public stays: functions, commands, JSON and entry points are those that are recorded."""

from __future__ import annotations

import re

from spotlab.resources import help_folder
from tests.project.public_surface import RECORD, surface

ADVICE = "`python -m tests.project.public_surface` records it anew; see resources/help/public.md"


def test_the_public_surface_is_the_recorded_one() -> None:
    recorded, found = RECORD.read_text("utf-8").splitlines(), surface()
    assert [line for line in recorded if line not in {*found}] == [], f"is gone; {ADVICE}"
    assert [line for line in found if line not in {*recorded}] == [], f"is new; {ADVICE}"


def test_the_page_names_every_public_function_and_command() -> None:
    page = (help_folder() / "public.md").read_text("utf-8")
    lines = RECORD.read_text("utf-8").splitlines()
    functions = {match[1] for line in lines if (match := re.match(r"python (\w+) ->", line))}
    assert {name for name in functions if f"`{name}`" not in page} == set()
    kinds = {line.split()[0] for line in lines}
    assert kinds == {"python", "command", "json", "entry", "program"}
