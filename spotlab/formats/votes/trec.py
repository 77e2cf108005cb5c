"""Runs of TREC as votes: a system votes for the documents that it ranks first for each topic.

An item is a topic and a document. Relevance judgements (qrels) give the truth where they judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput
from spotlab.files import is_file, is_folder
from spotlab.formats.lists import trec
from spotlab.formats.lists.format import ListTable
from spotlab.formats.lists.trec import QRELS_LAYOUT as QREL_LAYOUT
from spotlab.formats.lists.trec import Qrels, read_qrels
from spotlab.formats.rows.csv_rows import BadLine, Names, bad_line, join_names
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.text_files import content_name
from spotlab.formats.votes.format import VoteFormat, VoteOptions, VoteTable, first_line
from spotlab.progress import Progress, track

EXPECTED = "runs, query Q0 item rank score tag, and perhaps judgements, query 0 item relevance"


@dataclass(frozen=True, eq=False)
class _Tops:
    """The first ranks of all runs: of each vote the topic, the document and the system."""

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    systems: tuple[str, ...]
    topic: Ints
    document: Ints
    system: Ints


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of runs, with the truth of the judgements among the files.

    Raises
    ------
    BadInput
        A file cannot be read, or there is no run.
    """
    files = _files(paths)
    judged = [path for path in files if _is_qrels(path)]
    runs = [path for path in files if _is_run(path)]
    if not runs:
        raise BadInput(paths[0], "the folder has no run", expected=EXPECTED)
    bad: list[BadLine] = []
    tables = []
    for path in track(runs, progress, "reading runs"):
        tables.append(trec.read(path, progress))
        bad += tables[-1].bad_lines
    tops = _tops(tables, options.depth, bad)
    qrels = [read_qrels(path, progress) for path in judged]
    bad += [line for each in qrels for line in each.bad_lines]
    told = [remark for each in tables for remark in each.remarks]
    told += [remark for each in qrels for remark in each.remarks]
    table = _table(tops, qrels, options)
    passed = [path.name for path in files if path not in runs and path not in judged]
    remarks = [f"skipped files that are not runs: {', '.join(passed)}"] if passed else []
    return VoteTable(
        table.votes, table.items, table.pages, table.truth,
        unfound=table.unfound, bad_lines=tuple(bad), remarks=(*told, *remarks, *table.remarks),
        name=paths[0].stem,
    )  # fmt: skip


def _files(paths: Sequence[Path]) -> list[Path]:
    """The files in folders, at any depth, and those that are given."""
    found: list[Path] = []
    for path in paths:
        inner = path.rglob("*") if is_folder(path) else [path]
        named = [file for file in inner if is_file(file) and file.stat().st_size]
        found += sorted(named, key=lambda file: natural(str(file)))
    return list(dict.fromkeys(found))


def _tops(tables: Sequence[ListTable], depth: int, bad: list[BadLine]) -> _Tops:
    """The votes of all runs; a document that a run has twice for a topic counts once."""
    topics = join_names([table.query for table in tables])
    documents = join_names([table.item for table in tables])
    systems = join_names(_system_columns(tables))
    score = np.concatenate([table.score for table in tables])
    rank = np.concatenate([table.rank for table in tables])
    line = np.concatenate([table.line for table in tables])
    file = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    order = np.lexsort((rank, -score, topics.code, systems.code))
    lists = systems.code[order] * len(topics.names) + topics.code[order]
    keys = lists * len(documents.names) + documents.code[order]
    first = np.zeros(len(keys), np.bool_)
    first[np.unique(keys, return_index=True)[1]] = True
    for again in order[~first].tolist():
        problem = "the document is already in this list at a better rank; expected it once"
        bad.append(bad_line(tables[file[again]].path, int(line[again]), problem))
    order, lists = order[first], lists[first]
    starts = np.flatnonzero(np.diff(lists, prepend=-1))
    place = np.arange(len(lists)) - np.repeat(starts, np.diff([*starts, len(lists)]))
    taken = order[place < depth]
    return _Tops(
        topics.names, documents.names, systems.names,
        topics.code[taken], documents.code[taken], systems.code[taken],
    )  # fmt: skip


def _system_columns(tables: Sequence[ListTable]) -> list[Names]:
    """The system of each line: its tag, and the file's name too where two files have one tag."""
    files_of: dict[str, int] = {}
    for table in tables:
        for tag in table.lists.names:
            files_of[tag] = files_of.get(tag, 0) + 1
    return [
        Names(
            tuple(tag if files_of[tag] == 1 else f"{content_name(table.path).stem} {tag}"
                  for tag in table.lists.names),
            table.lists.code,
        )
        for table in tables
    ]  # fmt: skip


def _table(tops: _Tops, qrels: Sequence[Qrels], options: VoteOptions) -> VoteTable:
    """The items that a system votes for, and those that only the judgements have if wanted."""
    keys = tops.topic * len(tops.documents) + tops.document
    found, item = np.unique(keys, return_inverse=True)
    names = [
        (tops.topics[key // len(tops.documents)], tops.documents[key % len(tops.documents)])
        for key in found.tolist()
    ]
    grades = {topic: own for each in qrels for topic, own in each.grades.items()}
    more = _missed(names, grades, set(tops.topics))
    remarks = _remarks(tops, len(more), options)
    if options.missed:
        names += more
    votes = Votes.sparse(item, tops.system, len(names), tops.systems)
    truth = _truth(names, grades)
    return VoteTable(
        votes,
        tuple(f"{topic}/{document}" for topic, document in names),
        tuple(topic for topic, _ in names),
        truth if qrels else None,
        unfound=np.full(len(tops.systems), 0.0 if options.missed else float(len(more)))
        if qrels
        else None,
        remarks=tuple(remarks),
    )


def _truth(names: Sequence[tuple[str, str]], grades: dict[str, dict[str, int]]) -> Floats:
    nothing: dict[str, int] = {}
    given = [grades.get(topic, nothing).get(document, -1) for topic, document in names]
    truth = np.array(given, np.float64)
    return np.where(truth < 0, np.nan, np.minimum(truth, 1))


def _missed(
    names: Sequence[tuple[str, str]], grades: dict[str, dict[str, int]], topics: set[str]
) -> list[tuple[str, str]]:
    """Relevant documents of the topics that no system votes for."""
    known = set(names)
    return [
        (topic, document)
        for topic, own in grades.items()
        if topic in topics
        for document, grade in own.items()
        if grade > 0 and (topic, document) not in known
    ]


def _remarks(tops: _Tops, missed: int, options: VoteOptions) -> list[str]:
    remarks = []
    if missed and not options.missed:
        problem = f"{missed:,} relevant documents are not in the top {options.depth} of any system"
        remarks.append(f"{problem}; only the true recall counts them")
    seen = np.zeros((len(tops.systems), len(tops.topics)), np.bool_)
    seen[tops.system, tops.topic] = True
    for system, count in zip(tops.systems, seen.sum(axis=1).tolist(), strict=True):
        if count < len(tops.topics):
            without = len(tops.topics) - count
            remarks.append(f"{system} has no list for {without} topics; there its votes are no")
    return remarks


def _words(path: Path) -> int:
    line = "" if path.suffix.lower() in (".csv", ".md", ".xml") else first_line(path)
    return len(line.split())


def _is_run(path: Path) -> bool:
    words = first_line(path).split() if _words(path) == len(trec.RUN_LAYOUT.names) else []
    return bool(words) and _is_number(words[3]) and _is_number(words[4])


def _is_qrels(path: Path) -> bool:
    words = first_line(path).split() if _words(path) == len(QREL_LAYOUT.names) else []
    return bool(words) and _is_number(words[3])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _sniff(paths: Sequence[Path]) -> bool:
    return any(map(_is_run, _files(paths)))


FORMAT = VoteFormat("trec", "runs of TREC", _sniff, read)
