"""Tallies all parts of runs, wherever that is done: the first half of every study of parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spotlab.compute import add_up
from spotlab.errors import BadInput, BadLines, SpotlabError, counted
from spotlab.extras import optional_module
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.lab.parts.part_tally import PartsJob, tally_part
from spotlab.lab.parts.query_figures import FiguresJob
from spotlab.lab.parts.totals import PartTotals, sum_totals
from spotlab.measures.measure import MeasureSettings
from spotlab.model.region import Primitive
from spotlab.progress import Progress
from spotlab.studies.tally.cluster import tally_version


def tallied_runs(
    truth: PartFolder,
    runs: Sequence[PartFolder],
    out: PartFolder,
    settings: MeasureSettings,
    primitive: Primitive | None,
    ignore_uncertain: bool,
    skip_bad_lines: bool,
    jobs: int,
    cluster: str | None,
    progress: Progress,
) -> Iterator[tuple[PartTotals, FiguresJob]]:
    """Tally runs one after the other; their parts are handed out, and add up on the way back.

    Parameters
    ----------
    truth, runs, out, settings, primitive, ignore_uncertain, skip_bad_lines, jobs, cluster, progress
        As in `spotlab.lab.parts.evaluate_parts.evaluate_parts`.

    Yields
    ------
    (Totals, FiguresJob)
        What all parts of a run hold, and where their tallies are.

    Raises
    ------
    SpotlabError
        There are no parts, those of a run do not fit the truth's, or two runs have the same name.
    BadLines
        Something of a run cannot be read, and is not to be skipped.
    Cancelled
        From ``progress``; what was finished is kept.
    """
    optional_module("pyarrow")
    names = truth.names()
    if not names:
        raise BadInput(truth.place, "there are no parts", expected="a folder of Parquet files")
    if len({run.name for run in runs}) < len(runs):
        raise SpotlabError("two runs have the same name; name their folders differently")
    for run in runs:
        own = run.names()
        without = sorted(set(own) - set(names))
        if without or not own:
            problem = f"{without[0]} has no truth" if without else "there are no parts"
            expected = f"parts that are called like those of {truth.place}"
            raise BadInput(run.place, problem, expected=expected)
    version = tally_version()
    for run in runs:
        kept = out / run.name
        job = PartsJob(
            run.name, truth, run, kept / "tallies", primitive, ignore_uncertain, settings.iou,
            version,
        )  # fmt: skip
        totals = add_up(
            tally_part, sum_totals, names, jobs, cluster, progress, f"tallying {run.name}",
            common=(job,),
        )  # fmt: skip
        assert totals is not None
        if totals.bad and not skip_bad_lines:
            raise BadLines(totals.bad_lines)
        yield totals, FiguresJob(
            run.name, tuple(names), kept / "tallies", kept / "curves", settings, totals.area,
            totals.digest, version,
        )  # fmt: skip


def remarks_on(totals: PartTotals) -> tuple[str, ...]:
    """What a person should know of a run in parts, a line each."""
    lines = []
    if totals.left_out:
        pages = ", ".join(totals.left_out_pages[:3])
        lines.append(
            f"{counted(totals.left_out, 'spot')} left out: their pages have no truth in the part "
            f"of the same name, such as {pages}"
        )
    if totals.bad:
        lines.append(f"{counted(totals.bad, 'bad line')} left out: {totals.bad_lines[0]} …")
    if totals.reused:
        lines.append(f"{counted(totals.reused, 'part')} of {totals.parts:,} tallied earlier")
    if totals.damaged:
        lines.append(f"damaged tallies were made anew: {', '.join(totals.damaged)}")
    return tuple(lines)
