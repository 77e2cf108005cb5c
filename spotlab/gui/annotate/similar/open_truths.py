"""The truth of the pages that were opened, as it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spotlab.formats.collection.folder import PageEntry
from spotlab.model import Truth

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


def open_truths(workbench: Workbench) -> dict[PageEntry, Truth]:
    """The truth of the pages that were opened, as it is now."""
    entries = {entry.truth_path: entry for entry in workbench.entries}
    return {
        entries[session.path]: session.document.truth
        for session in workbench.sessions
        if session.path in entries
    }
