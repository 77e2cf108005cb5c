"""Which annotation file names the ids of a run: remembered from one start to the next."""

from __future__ import annotations

from pathlib import Path

from spotlab.gui.kit.settings import Settings

KEY = "annotation files of runs"  # among the settings
MOST = 50  # runs that are remembered


class AnnotationFiles:
    """The annotation files that were chosen for runs."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of(self, run: Path) -> Path | None:
        """Return the annotation file that was chosen for a run's file; it may have gone."""
        chosen = self._settings.get(KEY, {}).get(str(run))
        return Path(chosen) if isinstance(chosen, str) else None

    def remember(self, run: Path, annotations: Path) -> None:
        """Use this annotation file for a run's file from now on."""
        chosen = self._settings.get(KEY, {})
        others = {name: file for name, file in chosen.items() if name != str(run)}
        recent = dict(list(others.items())[-(MOST - 1) :])
        self._settings.set(KEY, {**recent, str(run): str(annotations)})
