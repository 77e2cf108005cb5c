"""Sizes of benchmarks: small ones that take ten minutes together, and those of ``FULL=1``."""

from __future__ import annotations

import os

import pytest

FULL = os.environ.get("FULL", "") not in {"", "0"}
MINUTES = 10  # after which nothing more is begun, unless all is wanted

full_only = pytest.mark.skipif(not FULL, reason="takes minutes; make bench FULL=1")


def sized(full: int, small: int) -> int:
    """The size to measure at: ``full`` where all is wanted, else ``small``."""
    return full if FULL else small
