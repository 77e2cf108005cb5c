"""The user's own spotters: remembered by name, run one at a time, their output kept to be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.open_runs import RUNS
from spotlab.gui.kit.known_settings import LAST_SPOTTER, SPOTTERS, SpotterCommand
from spotlab.gui.kit.task import Task, raise_unexpected
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.studies.own_spotter import Spotter, SpotterFailed, SpotterOrder, run_spotter
from spotlab.trust import confined

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


class OwnSpotters:
    """Spotters by name, and the one at work.

    Attributes
    ----------
    lines : list of str
        What the last one wrote so far, and how it ended.
    changed : Signal
        Others are remembered, or the last one has ended.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.lines: list[str] = []
        self.changed = Signal[[]]()
        self._task = Task(workbench)
        self.busy_changed = self._task.busy_changed
        workbench.collection_changed.connect(self.cancel)

    @property
    def busy(self) -> bool:
        """Whether one is at work."""
        return self._task.busy

    @property
    def known(self) -> dict[str, Spotter]:
        """Those that are remembered, by name."""
        kept = self.workbench.settings.get(SPOTTERS)
        return {name: Spotter(name, each.command, each.ending) for name, each in kept.items()}

    @property
    def last(self) -> Spotter | None:
        """The one that was run last."""
        return self.known.get(self.workbench.settings.get(LAST_SPOTTER))

    def remember(self, spotter: Spotter) -> None:
        """Remember it under its name, with the folder that is open when it gets the name."""
        kept = self.workbench.settings.get(SPOTTERS)
        folder = kept[spotter.name].folder if spotter.name in kept else self._opened
        command = SpotterCommand(spotter.command, spotter.ending, folder)
        self.workbench.settings.set(SPOTTERS, {**kept, spotter.name: command})
        self.changed.emit()

    @property
    def _opened(self) -> str | None:
        folder = self.workbench.collection.folder
        return str(folder.absolute()) if folder else None

    def remove(self, name: str) -> None:
        """Forget the spotter of this name; its runs stay."""
        kept = self.workbench.settings.get(SPOTTERS)
        others = {each: values for each, values in kept.items() if each != name}
        self.workbench.settings.set(SPOTTERS, others)
        self.changed.emit()

    def run(self, spotter: Spotter) -> None:
        """Have it make a run of all pages, which replaces the one that it made before."""
        workbench = self.workbench
        folder = workbench.collection.folder
        if folder is None or not workbench.entries or self.busy:
            return
        self.remember(spotter)
        workbench.settings.set(LAST_SPOTTER, spotter.name)
        workbench.autosave.now()
        images = tuple(dict.fromkeys(entry.image for entry in workbench.entries))
        kept_folder = self.workbench.settings.get(SPOTTERS)[spotter.name].folder
        works_in = Path(kept_folder) if kept_folder else Path.home()
        self.lines = lines = [f"{spotter.name}: {spotter.command}"]

        def work(progress: Progress) -> Sequence[Path]:
            runs = confined(RUNS, folder)
            order = SpotterOrder(spotter, folder, images, runs, spotter.name, works_in)
            return run_spotter(order, lines.append, progress)

        self._task.start(work, done=self._done, failed=self._fail)

    def cancel(self) -> None:
        """End it and everything that it has started."""
        if self.busy:
            self._task.cancel()
            self._write("Cancelled.")

    def _done(self, paths: Sequence[Path]) -> None:
        runs = self.workbench.state(Inspection).runs
        names = ", ".join(f"{path.parent.name}/{path.name}" for path in paths)
        self._write(f"Wrote {names}.")
        self.workbench.said.emit(f"Wrote {names}", False)
        known = {run.run.source for run in runs}
        runs.open([path for path in paths if path not in known])
        for path in paths:
            if path in known:
                runs.live.reread(path, True)

    def _fail(self, error: Exception) -> None:
        raise_unexpected(error)
        assert isinstance(error, SpotlabError)
        self._write(error.problem if isinstance(error, SpotterFailed) else str(error))
        self.workbench.said.emit(str(error), True)

    def _write(self, line: str) -> None:
        """Say below its output how it ended."""
        self.lines.append(line)
        self.changed.emit()
