"""Which annotation file names the ids of a run: remembered from one start to the next."""

from __future__ import annotations

from pathlib import Path

from spotlab.gui.kit.known_settings import ANNOTATION_FILES
from spotlab.gui.kit.settings import Settings

MOST = 50  # runs that are remembered


class AnnotationFiles:
    """The annotation files that were chosen for runs."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of(self, run: Path) -> Path | None:
        """Return the annotation file that was chosen for a run's file; it may have gone."""
        chosen = self._settings.get(ANNOTATION_FILES).get(str(run))
        return None if chosen is None else Path(chosen)

    def remember(self, run: Path, annotations: Path) -> None:
        """Use this annotation file for a run's file from now on."""
        chosen = self._settings.get(ANNOTATION_FILES)
        others = {name: file for name, file in chosen.items() if name != str(run)}
        recent = dict(list(others.items())[-(MOST - 1) :])
        self._settings.set(ANNOTATION_FILES, {**recent, str(run): str(annotations)})
