"""Answers in CSV, a line each: ``item,system,vote``, or ``question,worker,answer`` as crowds' are.

A second file ``item,truth`` tells what is right. Votes are numbers from 0 to 1, or words that mean
yes and no in any case; where they are categories, the caller says which of them are a yes. Exports
of crowd platforms are such answers, too, see `spotlab.formats.votes.crowd`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.consensus.votes import Votes
from spotlab.errors import BadInput, counted
from spotlab.files import is_folder
from spotlab.formats.rows.csv_rows import (
    BadLine,
    Names,
    bad_line,
    join_names,
    names_of,
    read_rows,
    repeats_remark,
    tidy_name,
)
from spotlab.formats.rows.taken_rows import TakenRows
from spotlab.formats.rows.text_files import content_name
from spotlab.formats.votes.crowd import (
    crowd_column,
    first_record,
    is_json,
    read_records,
    said_vote,
    words_remark,
)
from spotlab.formats.votes.format import (
    TRUTH,
    VoteFormat,
    VoteOptions,
    VoteTable,
    first_names,
    head_of,
    is_above_head,
)
from spotlab.progress import Progress

ITEMS = ("item", "question", "task")
SYSTEMS = ("system", "worker", "annotator", "subject")
VOTES = ("vote", "answer", "label")
VOTE_COLUMNS = (ITEMS, SYSTEMS, VOTES)
TRUTH_COLUMNS = (ITEMS, (TRUTH,))


@dataclass(eq=False)
class _Columns:
    """The columns of a file, of all lines that have one value each."""

    names: list[Names]
    line: Ints
    bad_lines: list[BadLine]
    remarks: list[str]


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of one file, and the truth of those that tell it.

    Raises
    ------
    BadInput
        A file cannot be read, there is no vote, or two files of votes.
    """
    given = [path for path in paths if not tells_truth(path)]
    if len(given) != 1:
        path = given[1] if given else paths[0]
        problem = "a second file of votes" if given else "there are no votes, only truth"
        raise BadInput(path, problem, expected="one file item,system,vote")
    path = given[0]
    found = _read_columns(path, VOTE_COLUMNS, progress)
    bad, remarks = found.bad_lines, found.remarks
    item, system, vote = found.names
    values, good = _values(vote, options.yes, path, found.line, bad, remarks)
    good &= _once(item, system, values, found, good, path)
    if not good.any():
        first = min(bad) if bad else None
        problem = first.problem if first else "the file has no vote"
        raise BadInput(path, problem, place=f"line {first.line}" if first else "")
    items, item_index = _used(item, good)
    systems, system_index = _used(system, good)
    votes = Votes.sparse(item_index, system_index, len(items), systems, values[good])
    if votes.counts_known.sum() == len(votes) * len(systems):
        votes = Votes.of(votes.dense().astype(np.float32), systems)
    table = VoteTable(
        votes,
        items,
        bad_lines=tuple(sorted(bad)),
        remarks=tuple(remarks),
        name=content_name(path).stem,
    )
    return with_truths(table, [other for other in paths if other != path], options, progress)


def with_truths(
    table: VoteTable, paths: Sequence[Path], options: VoteOptions, progress: Progress
) -> VoteTable:
    """The table with the truth that files ``item,truth`` tell; else its own stays.

    Raises
    ------
    BadInput
        A file cannot be read, or tells no truth of any item of the table.
    """
    for path in paths:
        found = _read_columns(path, TRUTH_COLUMNS, progress)
        item, truth = found.names
        bad = found.bad_lines
        values, good = _values(truth, options.yes, path, found.line, bad, found.remarks, TRUTH)
        one = Names((TRUTH,), np.zeros_like(item.code))
        good &= _once(item, one, values, found, good, path)
        lines = zip(item.code[good].tolist(), values[good].tolist(), strict=True)
        told = {item.names[code]: value for code, value in lines}
        values = np.array([told.get(name, np.nan) for name in table.items])
        if np.isnan(values).all():
            problem = "it has no truth for any of the voted items"
            raise BadInput(path, problem, expected="the items of the votes")
        if table.truth is not None:
            values = np.where(np.isnan(values), table.truth, values)
        table = replace(
            table,
            truth=values,
            bad_lines=(*table.bad_lines, *bad),
            remarks=(*table.remarks, *found.remarks),
        )
    return table


def _read_columns(path: Path, wanted: Sequence[Sequence[str]], progress: Progress) -> _Columns:
    expected = "the columns " + ", ".join(each[0] for each in wanted)
    rows = _VoteRows(path, wanted, expected)
    if is_json(head_of(path)):
        records = read_records(path, rows.remarks.append)
        heads = list(dict.fromkeys(name for each in records for name in each))
        rows.begin(heads, "record 1")
        values = [[each.get(name, "") for name in heads] for each in records]
        rows.add(values, np.arange(1, len(values) + 1))
    else:
        read_rows(path, rows, expected, progress)
    names = [join_names(parts) for parts in rows.names]
    return _Columns(names, np.array(rows.lines, np.int64), rows.bad_lines, rows.remarks)


class _VoteRows(TakenRows):
    """Takes lines, thousands at once; where one is not right, one by one."""

    def __init__(self, path: Path, wanted: Sequence[Sequence[str]], expected: str) -> None:
        super().__init__(path)
        self.places: list[int] = []
        self.names: list[list[Names]] = [[names_of([])] for _ in wanted]  # by column, of each part
        self.lines: list[int] = []
        self._names: list[str] = []
        self._wanted, self._expected = wanted, expected

    def comment(self, line: str) -> bool:
        """Pass over lines above the names of the columns."""
        return is_above_head(line)

    def begin(self, names: Sequence[str], place: str) -> None:
        """Find our columns among these."""
        self._names = [name.strip().casefold() for name in names]
        found = [[at for at, name in enumerate(self._names) if name in each]
                 for each in self._wanted]  # fmt: skip
        found = [
            places or self._of_crowd(each[0], place)
            for each, places in zip(self._wanted, found, strict=True)
        ]
        for each, places in zip(self._wanted, found, strict=True):
            if len(places) != 1:
                often = "more than one" if places else "no"
                problem = f"there is {often} column {each[0]}"
                raise BadInput(self.path, problem, place=place, expected=self._expected)
        self.places = [places[0] for places in found]
        self.number_columns = self.places[-1:]
        others = [name for at, name in enumerate(self._names) if at not in self.places]
        self.remark_on_others(others)

    def _of_crowd(self, role: str, place: str) -> list[int]:
        """The place of a column as a crowd platform calls it."""
        try:
            column = crowd_column(self._names, role)
        except ValueError as error:
            expected = "only one of them"
            raise BadInput(self.path, str(error), place=place, expected=expected) from error
        return [] if column is None else [column]

    def take(self, columns: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> bool:
        """Take lines at once; False where a value is empty."""
        names = [names_of(columns[place]) for place in self.places]
        if any("" in column.names for column in names):
            return False
        for parts, column in zip(self.names, names, strict=True):
            parts.append(column)
        self.lines += lines.tolist()
        return True

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        """Take lines, with the number of each, the bad ones as bad lines."""
        good = []
        for row, line in zip(rows, lines.tolist(), strict=True):
            try:
                self.check(row)
                good.append(row)
                self.lines.append(line)
            except ValueError as error:
                self.bad(line, str(error))
        for parts, place in zip(self.names, self.places, strict=True):
            parts.append(names_of([row[place] for row in good]))

    def check(self, row: Sequence[str]) -> None:
        """See that a line is right; ValueError if not."""
        if len(row) != len(self._names):
            raise ValueError(f"{counted(len(row), 'column')}; expected {len(self._names)}")
        empty = [self._names[place] for place in self.places if not row[place].strip()]
        if empty:
            raise ValueError(f"{empty[0]} is empty; leave out such lines")


def _values(
    column: Names,
    yes: Sequence[str],
    path: Path,
    line: Ints,
    bad: list[BadLine],
    remarks: list[str],
    what: str = "vote",
) -> tuple[Floats, NDArray[np.bool_]]:
    """The number that each vote or truth is, and which are right."""
    numbers = np.array([_number(text, yes) for text in column.names], np.float64)
    words = _words(column.names, numbers, yes)
    for place, value in words.items():
        numbers[place] = value
    if words:
        said = {column.names[at]: value for at, value in words.items()}
        remarks.append(words_remark(said, what))
    elif what == "vote" and column.names and np.isnan(numbers).all() and _are_words(column.names):
        some = ", ".join(map(repr, sorted(column.names)[:4]))
        more = ", …" if len(column.names) > 4 else ""
        problem = f"the answers are {some}{more}: labels, not yes or no"
        expected = "numbers from 0 to 1, yes and no, or the option yes for one of these labels"
        raise BadInput(path, problem, expected=expected)
    values = numbers[column.code]
    good = np.isin(values, (0, 1)) if what == TRUTH else ~np.isnan(values)
    number = "0 or 1" if what == TRUTH else "a number from 0 to 1"
    expected = f"{number}, or a word that the option yes names"
    unknown = np.isin(column.code, [at for at, value in words.items() if np.isnan(value)])
    for row in np.flatnonzero(~good & ~unknown).tolist():
        text = column.names[column.code[row]][:40]
        bad.append(bad_line(path, int(line[row]), f"the {what} is {text!r}; expected {expected}"))
    return values, good


def _words(names: Sequence[str], numbers: Floats, yes: Sequence[str]) -> dict[int, float]:
    """Votes of words that mean yes or no in any case; none if there are other words."""
    if yes:
        return {}
    said = {at: said_vote(names[at]) for at in np.flatnonzero(np.isnan(numbers)).tolist()}
    known = {at: value for at, value in said.items() if value is not None}
    return known if any(value == value for value in known.values()) else {}  # noqa: PLR0124


def _number(text: str, yes: Sequence[str]) -> float:
    """A vote as a number; NaN if it is none."""
    if yes:
        return float(text in {tidy_name(each) for each in yes})
    try:
        number = float("nan" if "_" in text else text)
    except ValueError:
        return float("nan")
    return number if 0 <= number <= 1 else float("nan")


def _are_words(texts: Sequence[str]) -> bool:
    """Tell whether none of them is a number."""
    for text in texts:
        with suppress(ValueError):
            float(text)
            return False
    return True


def _once(
    item: Names, system: Names, values: Floats, found: _Columns, good: NDArray[np.bool_], path: Path
) -> NDArray[np.bool_]:
    """Tell which lines are the first good one of their item and system.

    Later ones that say the same are counted in a remark; those that say something else are bad.
    """
    rows = np.flatnonzero(good)
    keys = item.code[rows] * len(system.names) + system.code[rows]
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    kept = np.zeros(len(values), np.bool_)
    kept[rows[first]] = True
    before = rows[first[which]]
    again = rows != before
    other = again & (values[rows] != values[before])
    for row, earlier in zip(rows[other].tolist(), before[other].tolist(), strict=True):
        who, what = system.names[system.code[row]], item.names[item.code[row]][:60]
        line = int(found.line[earlier])
        problem = (
            f"{who} of the item {what!r} is on line {line} already, and differs; expected it once"
        )
        found.bad_lines.append(bad_line(path, int(found.line[row]), problem))
    same = rows[again & ~other]
    if len(same):
        found.remarks.append(repeats_remark(path, len(same), int(found.line[same[0]])))
    return kept


def _used(column: Names, good: NDArray[np.bool_]) -> tuple[tuple[str, ...], Ints]:
    """The names that good lines have, in order of the file, and the place of each line's."""
    codes, index = np.unique(column.code[good], return_inverse=True)
    return tuple(column.names[code] for code in codes.tolist()), index


def _has(path: Path, wanted: Sequence[Sequence[str]]) -> bool:
    names = [] if is_folder(path) else _names_in(path)
    return all(_has_role(names, each) for each in wanted)


def _names_in(path: Path) -> list[str]:
    """The names of columns of a table, or of the values of the first record."""
    head = head_of(path)
    if is_json(head):
        return [name.casefold() for name in first_record(head)]
    return list(first_names(path))


def _has_role(names: Sequence[str], known: Sequence[str]) -> bool:
    try:
        return any(name in known for name in names) or crowd_column(names, known[0]) is not None
    except ValueError:
        return True  # several of them, which is said when the file is read


def tells_truth(path: Path) -> bool:
    """Tell whether a file has the columns item and truth, and no other."""
    return _has(path, TRUTH_COLUMNS) and len(first_names(path)) == len(TRUTH_COLUMNS)


def _sniff(paths: Sequence[Path]) -> bool:
    kinds: Mapping[bool, Sequence[Path]] = {
        True: [path for path in paths if _has(path, VOTE_COLUMNS)],
        False: [path for path in paths if not _has(path, VOTE_COLUMNS)],
    }
    return len(kinds[True]) == 1 and all(map(tells_truth, kinds[False]))


FORMAT = VoteFormat("answers", "answers item,system,vote", _sniff, read)
