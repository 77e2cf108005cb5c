"""Relevance judgements of TREC (qrels), ``query iter item relevance``: the truth of lists."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.errors import BadInput, counted
from spotlab.formats.lists.format import ListFormat, ListTable, QueryLists, ReadLists
from spotlab.formats.rows.csv_rows import (
    BadLine,
    Names,
    bad_line,
    join_names,
    marks_in,
    names_of,
    no_names,
    plain_columns,
    with_decimal_point,
)
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import are_scores, format_number, plain_numbers, read_number
from spotlab.formats.rows.text_files import read_utf8
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress, silent
from spotlab.representation import utf8

LINES_A_STEP = 20_000
LARGEST = 2.0**53  # up to which every whole number has a float of its own


@dataclass(frozen=True)
class LineLayout:
    """Layout of the words in a line.

    Attributes
    ----------
    names : tuple of str
        Of all words.
    numbers : tuple of str
        Those that are numbers.
    whole : tuple of str
        Those of them that have to be whole.
    """

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    whole: tuple[str, ...]

    @property
    def expected(self) -> str:
        """Return what a line looks like, for messages."""
        return " ".join(self.names)


@dataclass(frozen=True, eq=False)
class WordLines:
    """The words of all lines that are right.

    Attributes
    ----------
    names : dict of str to Names
    numbers : dict of str to (N,) float
    line : (N,) int
    bad_lines : list of BadLine
    """

    names: dict[str, Names]
    numbers: dict[str, Floats]
    line: Ints
    bad_lines: list[BadLine]
    remarks: list[str] = field(default_factory=list)


def read_words(path: Path, layout: LineLayout, progress: Progress) -> WordLines:
    """The words of a file.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    remarks: list[str] = []
    content = read_utf8(path, remarks.append)
    if not content.strip():
        raise BadInput(path, "the file is empty", expected=layout.expected)
    progress(0, len(content), f"reading {path.name}")
    found = _read_lines(path, content, layout, progress)
    if not len(found.line):
        first = found.bad_lines[0]
        raise BadInput(path, first.problem, place=f"line {first.line}", expected=layout.expected)
    progress(len(content), len(content), f"reading {path.name}")
    return replace(found, remarks=remarks)


def _read_lines(path: Path, content: bytes, layout: LineLayout, progress: Progress) -> WordLines:
    try:
        form, every = _form_of(content.removesuffix(b"\n").split(b"\n"), layout)
    except ValueError as error:
        raise BadInput(path, str(error), place="line 1", expected=layout.expected) from error
    parts: list[WordLines] = []
    bad: list[BadLine] = []
    for start in range(0, len(every), LINES_A_STEP):
        progress(start, len(every), f"reading {path.name}")
        step = every[start : start + LINES_A_STEP]
        part = _plain_part(step, start + 1, layout) if form is None else None
        parts.append(part or _part_of_lines(step, start + 1, layout, path, bad, form))
    texts = [name for name in layout.names if name not in layout.numbers]
    return WordLines(
        {name: join_names([part.names[name] for part in parts]) for name in texts},
        {name: np.concatenate([part.numbers[name] for part in parts]) for name in layout.numbers},
        np.concatenate([part.line for part in parts]),
        bad,
    )


def _plain_part(lines: Sequence[bytes], first: int, layout: LineLayout) -> WordLines | None:
    """The words of lines that are all right and have one space or tab between words, else None."""
    block = b"\n".join(lines) + b"\n"
    delimiter = b"\t" if b"\t" in lines[0] else b" "
    if any(mark in block for mark in (b"\r", b"\v", b"\f", b" \t".replace(delimiter, b""))):
        return None
    columns = plain_columns(block, len(layout.names), delimiter)
    if columns is None or any("" in texts for texts in columns):
        return None
    return _part(columns, np.arange(first, first + len(lines)), layout)


def _part(columns: Sequence[Sequence[str]], lines: Ints, layout: LineLayout) -> WordLines | None:
    """The words in these columns; None where one is not right."""
    names, numbers = {}, {}
    for name, texts in zip(layout.names, columns, strict=True):
        if name in layout.numbers:
            are_right = _are_whole if name in layout.whole else are_scores
            found = plain_numbers(texts, are_right)
            if found is None:
                return None
            numbers[name] = found
        else:
            names[name] = names_of(texts)
    return WordLines(names, numbers, lines, [])


def _part_of_lines(
    lines: Sequence[bytes],
    first: int,
    layout: LineLayout,
    path: Path,
    bad: list[BadLine],
    form: _Form | None,
) -> WordLines:
    """The words of the lines that are right; the others are bad lines."""
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, first):
        try:
            if form is not None:
                row = form.words(line.decode(), layout)
            else:
                row = [word.decode() for word in line.split()]
            if row:
                row = _with_points(row, layout)
                _check(row, layout)
                rows.append(row)
                numbers.append(number)
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            bad.append(bad_line(path, number, f"not UTF-8: the byte 0x{byte:02X}"))
        except ValueError as error:
            bad.append(bad_line(path, number, f"{error}; expected {layout.expected}"))
    columns = [[row[at] for row in rows] for at in range(len(layout.names))]
    part = _part(columns, np.array(numbers, np.int64), layout)
    assert part is not None, "lines that were checked one by one are right"
    return part


_NAMES = {  # of columns, as programs of this field write them
    "query": ("query", "query_id", "query-id", "queryid", "qid", "topic", "topic_id", "q_id"),
    "Q0": ("q0", "iteration", "iter"),
    "iteration": ("iteration", "iter", "q0"),
    "item": ("item", "doc", "doc_id", "docid", "docno", "document", "corpus-id", "corpus_id"),
    "rank": ("rank",),
    "score": ("score", "similarity", "sim"),
    "tag": ("tag", "run", "run_id", "runid", "system"),
    "relevance": ("relevance", "rel", "relevance_grade", "grade", "label", "judgement"),
}
_MAY_LACK = {"Q0": "Q0", "iteration": "0"}


@dataclass(frozen=True)
class _Form:
    """Form of lines other than words with spaces between.

    Attributes
    ----------
    mark : str
        Character between columns; empty for spaces.
    places : mapping of str to int, or None
        The column of each word, where a line of names says it.
    """

    mark: str
    places: Mapping[str, int] | None

    def words(self, line: str, layout: LineLayout) -> list[str]:
        """The words of a line in the order of the layout."""
        row = _split(line, self.mark)
        if self.places is None or not row:
            return row
        if len(row) <= max(self.places.values()):
            raise ValueError(counted(len(row), "column"))
        return [
            row[self.places[name]] if name in self.places else _MAY_LACK[name]
            for name in layout.names
        ]


def _split(line: str, mark: str) -> list[str]:
    if not mark:
        return line.split()
    if not line.strip():
        return []
    return [word.strip() for word in next(csv.reader([line], delimiter=mark), [])]


def _form_of(lines: Sequence[bytes], layout: LineLayout) -> tuple[_Form | None, Sequence[bytes]]:
    """The form of the lines, None where it is the usual one, and the lines without names.

    Raises
    ------
    ValueError
        The lines have marks between fields, and the first one neither the names nor the numbers.
    """
    first = next((line for line in lines if line.strip()), b"").decode("utf-8", "replace")
    mark = "" if len(first.split()) >= len(layout.names) - 1 else marks_in(first)[0]
    mark = "" if mark == "\t" and '"' not in first else mark
    names = [name.casefold() for name in _split(first, mark)]
    places = {
        word: names.index(name) for word in layout.names for name in _NAMES[word] if name in names
    }
    if {"corpus-id", "score"} <= set(names):  # BEIR's judgements
        places.setdefault("relevance", names.index("score"))
    if set(layout.names) - places.keys() <= _MAY_LACK.keys():
        at = next(at for at, line in enumerate(lines) if line.strip())
        return _Form(mark, places), [*lines[:at], b"", *lines[at + 1 :]]
    if not mark or mark not in first:
        return None, lines
    try:
        _check(_with_points(_split(first, mark), layout), layout)
    except ValueError as error:
        raise ValueError(f"{error}, and it does not name these columns") from error
    return _Form(mark, None), lines


def _with_points(row: list[str], layout: LineLayout) -> list[str]:
    """The words of a line, with points for decimal commas in its numbers."""
    return [
        with_decimal_point(word) if name in layout.numbers and "," in word else word
        for name, word in zip(layout.names, row, strict=False)
    ] + row[len(layout.names) :]


def _are_whole(values: Floats) -> NDArray[np.bool_]:
    return np.asarray((np.floor(values) == values) & (np.abs(values) <= LARGEST), np.bool_)


def _check(row: Sequence[str], layout: LineLayout) -> None:
    """See that a line is right; ValueError if not."""
    if len(row) != len(layout.names):
        words = counted(len(row), "word")
        raise ValueError(f"{words}, not {len(layout.names)}")
    for name, text in zip(layout.names, row, strict=True):
        if name in layout.numbers:
            number = read_number(name, text)
            if name in layout.whole and not (number.is_integer() and abs(number) <= LARGEST):
                raise ValueError(f"{name} is {text[:40]!r}, not a whole number")


QRELS_LAYOUT = LineLayout(
    ("query", "iteration", "item", "relevance"), ("relevance",), ("relevance",)
)


@dataclass(frozen=True, eq=False)
class Qrels:
    """Relevance grades of items for queries; the last judgement of an item counts.

    Attributes
    ----------
    grades : dict of str to (dict of str to int)
        By query, the grade of each item: from 1 on relevant, 0 not, below 0 not known.
    bad_lines : tuple of BadLine
    """

    grades: dict[str, dict[str, int]]
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()


def read_qrels(path: Path | str, progress: Progress = silent) -> Qrels:
    """The relevance judgements in a file.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    words = read_words(Path(path), QRELS_LAYOUT, progress)
    query, item = words.names["query"], words.names["item"]
    grades: dict[str, dict[str, int]] = {name: {} for name in query.names}
    of_query = [grades[name] for name in query.names]
    rows = zip(
        query.code.tolist(),
        item.code.tolist(),
        words.numbers["relevance"].astype(np.int64).tolist(),
        strict=True,
    )
    for query_code, item_code, grade in rows:
        of_query[query_code][item.names[item_code]] = grade
    return Qrels(grades, tuple(words.bad_lines), tuple(words.remarks))


def judge(read: ReadLists, qrels: Qrels) -> ReadLists:
    """The lists with this truth; a query that it does not name has none.

    Relevant items that no list holds count too, and so do queries that no list answers: they are
    there without a list.
    """
    without = [each.query for each in read.queries if each.query not in qrels.grades]
    remarks = [*read.remarks, *qrels.remarks]
    if without:
        number = counted(len(without), "query")
        remarks.append(f"no relevance judgements for {number}: {', '.join(without[:5])}")
    queries = tuple(_judged(each, qrels.grades.get(each.query)) for each in read.queries)
    answered = {each.query for each in queries}
    queries += tuple(
        QueryLists(name, Items.named(()), (), np.zeros(0, np.int8), relevant)
        for name, grades in qrels.grades.items()
        if name not in answered and (relevant := sum(grade > 0 for grade in grades.values()))
    )
    return replace(read, queries=queries, remarks=tuple(remarks))


def judge_known(query: QueryLists, qrels: Qrels) -> QueryLists:
    """The lists of a query with this truth; as they are where it does not name the query."""
    grades = qrels.grades.get(query.query)
    return query if grades is None else _judged(query, grades)


def _judged(query: QueryLists, grades: dict[str, int] | None) -> QueryLists:
    if grades is None:
        return replace(query, relevance=np.full(len(query.items), -1, np.int8), relevant=None)
    names = [query.items.name(item) for item in range(len(query.items))]
    relevance = _relevance(names, grades)
    return replace(query, relevance=relevance, relevant=sum(g > 0 for g in grades.values()))


def _relevance(names: Sequence[str], grades: dict[str, int]) -> NDArray[np.int8]:
    """(N,) 1 relevant, 0 not, -1 where there is no judgement or one below 0.

    Examples
    --------
    >>> _relevance(["a", "b", "c", "d"], {"a": 2, "b": 0, "c": -1})
    array([ 1,  0, -1, -1], dtype=int8)
    """
    return np.clip([grades.get(name, -1) for name in names], -1, 1).astype(np.int8)


_Q0 = re.compile(rb"[;,|\s]\"?Q0\"?[;,|\s]", re.IGNORECASE)
RUN_LAYOUT = LineLayout(
    ("query", "Q0", "item", "rank", "score", "tag"), ("rank", "score"), ("rank",)
)


def read(path: Path, progress: Progress) -> ListTable:
    """The rows of a run of TREC.

    Raises
    ------
    BadInput
        It cannot be read, or no line of it is right.
    """
    words = read_words(path, RUN_LAYOUT, progress)
    count = len(words.line)
    return ListTable(
        path=path,
        query=words.names["query"],
        lists=words.names["tag"],
        item=words.names["item"],
        page=no_names(count),
        text=no_names(count),
        boxes=np.full((count, 4), np.nan),
        score=words.numbers["score"],
        rank=words.numbers["rank"],
        relevant=np.full(count, -1, np.int8),
        line=words.line,
        bad_lines=words.bad_lines,
        remarks=words.remarks,
    )


def write_trec(queries: Iterable[QueryLists], path: Path) -> None:
    """Write lists so that every program ranks them as they are; their truth is written as qrels.

    Scores that are equal, or so close that single precision does not tell them apart, are lowered
    by the smallest step that it does.

    Raises
    ------
    ValueError
        A name is empty or contains a space, which TREC's files cannot say.
    NotSaved
        The file could not be written.
    """
    lines = []
    for each in queries:
        for ranked in each.lists:
            rows = zip(ranked.item.tolist(), falling_scores(ranked.score), strict=True)
            for rank, (item, score) in enumerate(rows):
                name = each.items.name(item)
                words = (each.query, "Q0", name, str(rank), score, ranked.name)
                lines.append(" ".join(words) + "\n")
                if len(words) != len(lines[-1].split()):
                    raise ValueError(f"a name in {lines[-1]!r} is empty or contains a space")
    write_atomically(path, utf8("".join(lines)))


def falling_scores(scores: Floats) -> list[str]:
    """Scores as texts that fall strictly, read in single precision too; changed where they must be.

    Where single precision has no room for them they are the whole numbers down to 1.

    Parameters
    ----------
    scores : (N,) float
        In the order of the list.

    Examples
    --------
    >>> falling_scores(np.array([0.9, 0.9, 0.5]))
    ['0.9', '0.899999917', '0.5']
    >>> falling_scores(np.array([1.0, -1e308]))
    ['2', '1']
    """
    found: list[str] = []
    last = np.float32(np.inf)
    with np.errstate(over="ignore"):
        singles = scores.astype(np.float32)
    for score, single in zip(scores.tolist(), singles, strict=True):
        text = format_number(score)
        if not single < last:
            single = np.nextafter(last, np.float32(-np.inf))  # noqa: PLW2901 - the next one below
            text = f"{single:.9g}"
        if not np.isfinite(single):
            return [str(number) for number in range(len(scores), 0, -1)]
        found.append(text)
        last = single
    return found


def _sniff(path: Path, head: bytes) -> bool:
    lines = head.splitlines()
    widths = {len(line.split()) for line in lines}
    if path.suffix.lower() != ".csv" and len(RUN_LAYOUT.names) in widths:
        return True
    fields = {len(line.split(mark)) for line in lines[:9] for mark in (b";", b",", b"|")}
    return len(RUN_LAYOUT.names) in fields and any(re.search(_Q0, line) for line in lines[:9])


FORMAT = ListFormat("trec", "run of TREC", _sniff, read)
