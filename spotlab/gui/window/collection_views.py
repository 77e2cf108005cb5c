"""What was open in each collection: runs, votes and lists come back with its pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spotlab.gui.kit.known_settings import OPEN_WITH
from spotlab.gui.kit.settings import Settings

KEPT = 50  # collections


class CollectionViews:
    """Keeps what each workspace had open, by the paths of the collection.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def keep(self, pages: Sequence[str], workspaces: Mapping[str, Any]) -> None:
        """Remember what each workspace has open in a collection; nothing for no pages."""
        known = self._settings.get(OPEN_WITH)
        opened = {name: values for name, values in workspaces.items() if values}
        key = _key(pages)
        if pages and opened != known.get(key, {}):
            kept = {each: values for each, values in known.items() if each != key}
            if opened:
                kept[key] = opened
            self._settings.set(OPEN_WITH, dict(list(kept.items())[-KEPT:]))

    def of(self, pages: Sequence[str]) -> Mapping[str, Any]:
        """What each workspace had open in a collection, by the names of the workspaces."""
        return self._settings.get(OPEN_WITH).get(_key(pages), {})


def _key(pages: Sequence[str]) -> str:
    return "\n".join(pages)
