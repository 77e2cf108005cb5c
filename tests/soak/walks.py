"""Walks through the window in all five situations at both sizes: ``python -m tests.soak.walks``."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

SIZES = ("1024x700", "1440x900")
SITUATIONS = ("nothing open", "no truth", "truth", "something selected", "at work")


def main() -> None:
    """Walk, say how much was walked, and fail if anything went wrong."""
    failed = 0
    for size, situation in product(SIZES, SITUATIONS):
        arguments = ["--size", size, "--situation", situation]
        ended = subprocess.run([sys.executable, "-m", "tests.walk.walker", *arguments], check=False)
        failed += ended.returncode != 0
    print(f"{len(SIZES) * len(SITUATIONS)} walks, {failed} with faults")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
