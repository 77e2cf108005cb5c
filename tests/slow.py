"""Tests that `make test` leaves to `make slow`, so that it ends within minutes.

They are those with the mark ``slow`` and those in slow.txt, which ``make times`` measures and
writes: the costliest, until what remains keeps within the budget. Files with the mark
``in_sequence``, whose tests build on each other, are left out or kept as a whole. The rules of how
the code is laid out are never left out.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

BUDGET = 400.0  # s of processor time for all tests of `make test`
RULES = "tests/project/test_architecture.py"
LISTED = Path(__file__).with_name("slow.txt")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is listed."""
    listed = frozenset(LISTED.read_text().split())
    for item in items:
        if _group(item) in listed:
            item.add_marker("slow")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note the processor time of a test and of its processes where `make times` asks for it."""
    begun = sum(os.times()[:4])
    outcome = yield
    if times := os.environ.get("TEST_TIMES"):
        with open(times, "a") as file:
            file.write(f"{sum(os.times()[:4]) - begun:.3f}\t{_group(item)}\n")
    return outcome


def _group(item: pytest.Item) -> str:
    """The file of tests that build on each other, or the function of a test."""
    if item.get_closest_marker("in_sequence"):
        return item.nodeid.partition("::")[0]
    return item.nodeid.partition("[")[0].replace(" ", "")


def main() -> None:
    """Write the list anew from the times in the file that TEST_TIMES names."""
    spent: defaultdict[str, float] = defaultdict(float)
    for line in Path(os.environ["TEST_TIMES"]).read_text().splitlines():
        took, _, group = line.partition("\t")
        spent[group] += float(took)
    remaining, costly = sum(spent.values()), list[str]()
    for group, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        if remaining <= BUDGET:
            break
        if not group.startswith(RULES):
            remaining -= seconds
            costly.append(group)
    LISTED.write_text("".join(f"{group}\n" for group in sorted(costly)))
    print(f"{len(costly)} of {len(spent)} left to make slow; the others take {remaining:.0f} s")


if __name__ == "__main__":
    main()
