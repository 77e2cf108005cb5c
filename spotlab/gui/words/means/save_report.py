"""Asks for files, and writes the report of all open queries and the sheet of the current one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from spotlab.errors import counted
from spotlab.formats.rows.files import write_atomically
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import FileDialog
from spotlab.gui.words.state.ranking import QueryJob, study_query
from spotlab.gui.words.state.word_search import make_lists
from spotlab.gui.words.state.words import Words
from spotlab.progress import Progress
from spotlab.ranking.fusion import fusions
from spotlab.representation import written_threshold
from spotlab.studies.words.query_means import StudiedQuery

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

PICTURES = ("png", "pdf", "svg")


def ask_report(workbench: Workbench, parent: QWidget) -> None:
    """Write the report of all open queries into the folder that the user names."""
    dialog = FileDialog(parent, "Save report of words", workbench.collection.folder)
    dialog.save_to_folder("New folder:")
    dialog.ask(lambda path: save_report(workbench, path), suggested="word-report")


def save_report(workbench: Workbench, folder: Path) -> None:
    """Write the report of all open queries, in the background."""

    def done(page: Path) -> None:
        workbench.said.emit(f"Wrote {page}", False)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(page)))

    Task(workbench).start(_report_work(workbench, folder), done=done)


def _report_work(workbench: Workbench, folder: Path) -> Callable[[Progress], Path]:
    words = workbench.state(Words)
    jobs, crops, settings = words.all.jobs(words.threshold), words.crops, _settings(words)
    unanswered = words.all.unanswered()
    thresholds = {job.threshold for job in jobs}
    threshold = f"at a score of {written_threshold(words.threshold)}" if len(thresholds) == 1 else (
        "at the score of a hit of each query"
    )  # fmt: skip

    def work(progress: Progress) -> Path:
        from spotlab.report.studies.words import WordReport, write_words  # noqa: PLC0415 - takes long

        queries = []
        for number, job in enumerate(jobs):
            progress(number, len(jobs), "ranking queries")
            queries.append(_studied(job))
        queries += unanswered
        report = WordReport(queries, threshold, crops.crop, settings)
        return write_words(report, folder, progress)

    return work


def _studied(job: QueryJob) -> StudiedQuery:
    return study_query(job, make_lists(job.source, job.fusions, job.choices))


def _settings(words: Words) -> tuple[str, ...]:
    choices, searching = words.ranking.choices, words.searching
    known = fusions()
    made = [known[name].title for name in words.ranking.fusions if name in known]
    return (
        f"Lists that are made: {', '.join(made) or 'none'}",
        f"Re-scored by at most {counted(choices.top, 'item')} that score "
        f"{choices.at_least:g} or more",
        f"Weight of a re-scoring item: score to the power of {choices.weight:g}; "
        f"repeated {choices.iterations} time{'' if choices.iterations == 1 else 's'}",
        f"A hit scores {searching.tau:g} or more, a sure one {searching.tight:g}",
        "Judgements re-rank the lists" if words.ranking.feedback else "Judgements re-rank nothing",
    )


def ask_sheet(workbench: Workbench, parent: QWidget) -> None:
    """Write the sheet of the current query's words to the file that the user names."""
    dialog = FileDialog(parent, "Save word sheet", workbench.collection.folder)
    dialog.offer_kinds(f".{kind}" for kind in PICTURES)
    dialog.ask(
        lambda path: save_sheet(workbench, path),
        suggested=f"{workbench.state(Words).queries.query or 'words'}-sheet",
    )


def save_sheet(workbench: Workbench, path: Path) -> None:
    """Write the sheet of the current query, all lists that are shown, in the background."""
    words = workbench.state(Words)
    job = words.all.jobs(words.threshold)[words.queries.index]
    title, crops = words.queries.query, words.crops

    def work(progress: Progress) -> Path:
        from spotlab.report.charts import file  # noqa: PLC0415 - takes long
        from spotlab.report.studies.word_sheets import sheet_figure, sheets_of  # noqa: PLC0415

        progress(0, 2, "cutting out words")
        sheets = sheets_of(_studied(job), crops.crop)
        progress(1, 2, "drawing words")
        write_atomically(path, file(sheet_figure(title, sheets), path.suffix[1:].lower()))
        return path

    def done(written: Path) -> None:
        workbench.said.emit(f"Wrote {written}", False)

    Task(workbench).start(work, done=done)
