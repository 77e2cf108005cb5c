"""Which colour and dash a run has: kept by its name from one start to the next."""

from __future__ import annotations

from collections.abc import Collection

from spotlab.gui.kit.known_settings import RUN_STYLES
from spotlab.gui.kit.settings import Settings
from spotlab.report.colours import STYLES, RunStyle, run_style

MOST = 500  # names that are remembered


class RunStyles:
    """Gives each run a style that no other open run has, as long as there are any."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def choose(self, name: str, taken: Collection[RunStyle]) -> RunStyle:
        """The style that a run of this name had before, or else one that no run has had.

        Parameters
        ----------
        name : str
        taken : collection of RunStyle
            Those of the open runs.
        """
        known = self._known()
        number = known.get(name)
        if number is not None and run_style(number) not in taken:
            self._remember(name, number, known)
            return run_style(number)
        free = [each for each in range(STYLES) if run_style(each) not in taken]
        if not free:
            return run_style(len(taken))
        last_used = {each: place for place, each in enumerate(known.values())}
        chosen = min(free, key=lambda each: last_used.get(each, -1))
        if number is None:  # of two open runs of one name, the first keeps what is known
            self._remember(name, chosen, known)
        return run_style(chosen)

    def _known(self) -> dict[str, int]:
        """The names, the one that was used last at the end."""
        kept = self._settings.get(RUN_STYLES)
        return {name: number for name, number in kept.items() if 0 <= number < STYLES}

    def _remember(self, name: str, number: int, known: dict[str, int]) -> None:
        others = {each: value for each, value in known.items() if each != name}
        recent = dict(list(others.items())[-(MOST - 1) :])
        self._settings.set(RUN_STYLES, {**recent, name: number})
