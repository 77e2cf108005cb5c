"""What tests ask about processes."""

from __future__ import annotations

import os
from pathlib import Path


def is_running(process: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")  # where nobody collects what has ended, it is a zombie
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
