"""Has somebody's own spotter make a run of a collection, and stamps it with what made it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from spotlab.errors import NotSaved, counted, reason
from spotlab.files import exists, is_folder
from spotlab.formats.runs.provenance import write_side_file
from spotlab.formats.runs.reading import read_run
from spotlab.progress import Progress
from spotlab.studies.command_spotter import Spotter, SpotterFailed, SpotterProcess
from spotlab.studies.provenance import hash_of_files, made_at


@dataclass(frozen=True)
class SpotterOrder:
    """What a spotter is to work on.

    Attributes
    ----------
    spotter : Spotter
    pages : Path
        The folder with the images, and the truth beside them.
    images : tuple of Path
    runs : Path
        The folder for the run.
    name : str
        Of the run and its file; a file of that name is replaced.
    folder : Path, optional
        The program works there, so relative paths in its command line are in it. It is a folder
        that the user trusts, not one that was merely opened. By default ``pages``.
    """

    spotter: Spotter
    pages: Path
    images: tuple[Path, ...]
    runs: Path
    name: str
    folder: Path | None = None


def run_spotter(
    order: SpotterOrder, said: Callable[[str], object], progress: Progress
) -> Sequence[Path]:
    """Run the spotter and put what it wrote into the folder of runs.

    Parameters
    ----------
    order : SpotterOrder
    said : callable
        Called with each line of its output.
    progress : Progress
        Told what its lines say of how far it is; it may raise `Cancelled`.

    Returns
    -------
    sequence of Path
        The run; several where it wrote several files and not the one that it was asked for.

    Raises
    ------
    SpotterFailed
        It failed, or wrote no run. What was there before is untouched.
    """
    spotter, begin = order.spotter, time.monotonic()
    try:
        order.runs.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".spotter-", dir=order.runs))
    except OSError as error:
        raise NotSaved(f"{order.runs} cannot be written: {reason(error)}") from error
    try:
        made = place / "made"
        made.mkdir()
        images = place / "pages.txt"
        images.write_text("".join(f"{image}\n" for image in order.images), "utf-8")
        out = made / f"{order.name}{spotter.ending}"
        places = {
            "pages": str(order.pages), "truth": str(order.pages), "out": str(out),
            "list": str(images),
        }  # fmt: skip
        arguments = spotter.arguments(places)
        SpotterProcess(arguments, order.folder or order.pages, said).run(spotter.name, progress)
        written = [out] if exists(out) else sorted(made.iterdir())
        if not written:
            raise SpotterFailed(f"{spotter.name} ended without writing {{out}}")
        for path in written:
            read_run(path, progress=progress)  # it says what is wrong with it
        stamp = _provenance(order, time.monotonic() - begin)
        return [_put(path, order.runs, stamp) for path in written]
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _provenance(order: SpotterOrder, seconds: float) -> dict[str, str]:
    count = len(order.images)
    return {
        "made by": order.spotter.name,
        "command": order.spotter.command,
        "date": made_at().isoformat(timespec="seconds"),
        "pages": f"{counted(count, 'page')}, sha256 {hash_of_files(order.images)}",
        "seconds": f"{seconds:.1f}",
    }


def _put(path: Path, folder: Path, stamp: dict[str, str]) -> Path:
    target = folder / path.name
    try:
        if is_folder(target):
            shutil.rmtree(target)
        write_side_file(target, stamp)
        os.replace(path, target)
    except OSError as error:
        raise NotSaved(f"{target} was not written: {reason(error)}") from error
    return target
