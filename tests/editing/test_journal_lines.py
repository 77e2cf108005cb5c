"""Lines of a journal that are none: nothing is raised, whatever stands there."""

from __future__ import annotations

import json
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.journal_lines import parse_journal
from spotlab.model import Region


@given(content=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_rubbish_is_no_journal_and_raises_nothing(content: bytes) -> None:
    assert parse_journal(content).steps == ()


@given(value=st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["do", "undo", "edits", "insert", "at", "page", "by", "spotlab", "source", "base",
         "saving", "steps", "n", "sum", "points", "replace"]), inner, max_size=6),
    max_leaves=12,
))  # fmt: skip
def test_json_of_other_shapes_raises_nothing(value: object) -> None:
    line = json.dumps(value).encode() + b"\n"
    recorded = parse_journal(line * 2)
    assert recorded.damaged or recorded.steps or recorded.saves


def test_wrong_types_are_no_steps() -> None:
    region = asdict(Region(((0, 0), (9, 0), (9, 9)), "a"))
    good = {"do": "Draw", "edits": [{"insert": {**region, "primitive": "hull"}, "at": 0}]}
    assert len(parse_journal(json.dumps(good).encode() + b"\n").steps) == 1
    for path, wrong in [
        (("do",), 5), (("edits", 0, "at"), "0"), (("edits", 0, "at"), -1),
        (("edits", 0, "insert", "label"), 5), (("edits", 0, "insert", "points"), [[1, 2]]),
        (("edits", 0, "insert", "points"), [[1e999, 2], [3, 4], [5, 6]]),
        (("edits", 0, "insert", "primitive"), "egg"), (("edits",), None),
    ]:  # fmt: skip
        value = json.loads(json.dumps(good))
        inner = value
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = wrong
        assert parse_journal(json.dumps(value).encode() + b"\n").steps == (), path
