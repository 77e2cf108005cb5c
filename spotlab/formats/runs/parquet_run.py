"""Runs in Parquet: the columns of the CSV files; points as text or as lists of numbers.

A list holds x, y, x, y, … or pairs. Rows are read some thousands at once; where one is not right,
smaller and smaller parts of them are, so that every bad row is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.errors import BadInput, reason
from spotlab.extras import optional_module
from spotlab.formats.page.values import LARGEST
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import are_scores, plain_numbers
from spotlab.formats.runs.format import EXPECTED, Naming, ReadRun, RunFormat
from spotlab.formats.runs.gather import (
    COLUMNS,
    FEW_ROWS,
    Block,
    Columns,
    Gathered,
    Row,
    add_rows,
    are_ranks,
    block_of,
    check_spot,
    find_columns,
    plain_block,
    read_rank,
    read_score,
    shared_ranks,
)
from spotlab.formats.runs.outline_columns import check_points, parse_point_list, plain_point_lists
from spotlab.formats.runs.side_files import as_metadata, from_metadata, write_models
from spotlab.geometry.polygon import Outlines
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.representation import well_formed

if TYPE_CHECKING:
    import pyarrow


BATCH_ROWS = 10_000  # short enough not to keep a window waiting


def read(path: Path, naming: Naming, progress: Progress) -> ReadRun:
    """The run in a Parquet file.

    Raises
    ------
    BadInput
        It is not a whole Parquet file, a column is missing or of a type that cannot be meant.
    """
    return read_rows(path, path, progress, naming)


def read_rows(source: Any, path: Path, progress: Progress, naming: Naming | None = None) -> ReadRun:
    """The run in whatever pyarrow reads.

    Parameters
    ----------
    source : path or file
    path : Path
        What it is called, for messages.
    progress : Progress
    naming : Naming, optional

    Raises
    ------
    BadInput
        As in `read`.
    """
    optional_module("pyarrow")
    import pyarrow  # noqa: PLC0415 - a quarter of a second that runs in CSV need not wait
    import pyarrow.parquet  # noqa: PLC0415

    gathered = Gathered(path, naming=naming)
    try:
        with pyarrow.parquet.ParquetFile(source) as file:
            names = file.schema_arrow.names
            gathered.provenance.update(from_metadata(file.schema_arrow.metadata))
            columns = find_columns(names, gathered, "the schema")
            ours = {names[place]: name for name, place in columns.places.items()}
            total, done = file.metadata.num_rows, 0
            is_table = columns.box is not None or bool(columns.values)
            for batch in file.iter_batches(BATCH_ROWS, columns=None if is_table else list(ours)):
                progress(done, total, f"reading {path.name}")
                if is_table:
                    _add_table(batch, done + 1, columns, gathered)
                    done += len(batch)
                    continue
                named = batch.rename_columns([ours[name] for name in batch.schema.names])
                sound, garbled = _without_garbled(_decoded_texts(named), done + 1)
                _add_rows(_decoded(sound, path), done + 1, gathered, garbled)
                done += len(batch)
            progress(done, total, f"reading {path.name}")
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno:
            problem = reason(error)
        else:
            problem = str(error).partition("\n")[0].rstrip(". ")
        expected = "a complete Parquet file with " + EXPECTED
        raise BadInput(path, f"cannot be read: {problem}", expected=expected) from error
    return gathered.finish("row")


def _add_table(
    batch: pyarrow.RecordBatch, first: int, columns: Columns, gathered: Gathered
) -> None:
    """Take rows in that have boxes in place of points."""
    values = [list(map(_text, column.to_pylist())) for column in batch.columns]
    lines = np.arange(first, first + len(batch))
    block = plain_block(values, lines, columns, gathered)
    if block is not None:
        gathered.add(block)
    else:
        add_rows(list(zip(*values, strict=True)), lines, columns, gathered, "row")


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value)  # noqa: PLR0124 - NaN


def _decoded_texts(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    """The rows with texts as texts, however they are kept."""
    import pyarrow  # noqa: PLC0415
    from pyarrow import types  # noqa: PLC0415

    def plain(column: pyarrow.Array) -> pyarrow.Array:
        type = column.type.value_type if types.is_dictionary(column.type) else column.type
        is_text = types.is_string(type) or types.is_large_string(type)
        return column.cast(pyarrow.string()) if is_text else column

    return pyarrow.RecordBatch.from_arrays(list(map(plain, batch.columns)), batch.schema.names)


def _without_garbled(
    batch: pyarrow.RecordBatch, first: int
) -> tuple[pyarrow.RecordBatch, dict[int, str]]:
    """The rows, with nothing in place of texts that are not UTF-8, and what is wrong with those.

    Parquet files say that a text is UTF-8, and nobody checks it.
    """
    import pyarrow  # noqa: PLC0415
    import pyarrow.compute  # noqa: PLC0415

    garbled: dict[int, str] = {}
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    for name, column in columns.items():
        try:
            column.validate(full=True)
            continue
        except pyarrow.ArrowInvalid:
            texts: list[str | None] = []
        for line, value in enumerate(column.cast(pyarrow.binary()).to_pylist(), first):
            try:
                texts.append(None if value is None else value.decode())
            except UnicodeDecodeError as error:
                byte = f"the byte 0x{value[error.start]:02X} at {error.start + 1}"
                garbled.setdefault(line, f"{name} is not UTF-8: {byte}")
                texts.append(None)
        columns[name] = pyarrow.array(texts, pyarrow.string())
    if garbled:
        bad = [line in garbled for line in range(first, first + len(batch))]
        points = columns["points"]
        nothing = pyarrow.nulls(len(points), points.type)
        # rows without points are looked at one by one
        columns["points"] = pyarrow.compute.if_else(pyarrow.array(bad), nothing, points)
    return pyarrow.RecordBatch.from_arrays(list(columns.values()), list(columns)), garbled


def _decoded(batch: pyarrow.RecordBatch, path: Path) -> pyarrow.RecordBatch:
    """The rows with names as dictionaries, and points as text or lists of floats."""
    import pyarrow  # noqa: PLC0415
    from pyarrow import compute, types  # noqa: PLC0415

    numbers, pairs = pyarrow.list_(pyarrow.float64()), pyarrow.list_(pyarrow.float64(), 2)
    arrays = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        type = column.type.value_type if types.is_dictionary(column.type) else column.type
        try:
            if name in ("query", "page", "label"):
                array = compute.dictionary_encode(column.cast(pyarrow.string()))
            elif types.is_string(type) or types.is_large_string(type):
                array = column.cast(pyarrow.string())
            elif name != "points":
                array = column.cast(pyarrow.float64(), safe=False)
            elif _is_list(type) and _is_list(type.value_type):
                fixed = types.is_fixed_size_list(type.value_type)
                array = column.cast(pyarrow.list_(pairs if fixed else numbers))
            else:
                array = column.cast(numbers)
        except (pyarrow.ArrowException, TypeError) as error:
            problem = f"the column {name} holds {column.type}"
            expected = "x,y x,y … or lists of numbers" if name == "points" else "text or numbers"
            raise BadInput(path, problem, place="the schema", expected=expected) from error
        arrays.append(array)
    return pyarrow.RecordBatch.from_arrays(arrays, batch.schema.names)


def _is_list(type: pyarrow.DataType) -> bool:
    from pyarrow import types  # noqa: PLC0415

    return bool(types.is_list(type) or types.is_large_list(type) or types.is_fixed_size_list(type))


def _add_rows(
    batch: pyarrow.RecordBatch, first: int, gathered: Gathered, garbled: Mapping[int, str]
) -> None:
    """Take rows in, the bad ones as bad lines."""
    count = len(batch)
    lines = np.arange(first, first + count)
    block = _plain_block(batch, lines, gathered)
    if block is not None:
        gathered.add(block)
    elif count > FEW_ROWS:
        half = count // 2
        _add_rows(batch.slice(0, half), first, gathered, garbled)
        _add_rows(batch.slice(half), first + half, gathered, garbled)
    else:
        rows: list[Row | None] = []
        for line, values in zip(lines.tolist(), batch.to_pylist(), strict=True):
            try:
                if line in garbled:
                    raise ValueError(garbled[line])
                rows.append(_read_row(values))
            except ValueError as error:
                gathered.bad(line, str(error), f"row {line}")
                rows.append(None)
        gathered.add(block_of(rows, lines, gathered))


def _read_row(values: Mapping[str, Any]) -> Row:
    """The spot of one row, or a ValueError that says why it is none."""
    text = {name: "" if value is None else str(value) for name, value in values.items()}
    rank, score = read_rank(text.get("rank", "")), read_score(text.get("score", ""))
    check_spot(text["query"], text["page"], rank, score)
    points = values["points"]
    if points is None or isinstance(points, str):
        corners = parse_point_list(text["points"])
    else:
        corners = check_points(_pairs(points))
    return Row(text["query"], text["page"], rank, score, corners, text.get("label", ""))


def _pairs(values: list[Any]) -> list[tuple[float, float]]:
    """Pairs of numbers, of a list of them or of x, y, x, y, …"""
    if values and not isinstance(values[0], list):
        if len(values) % 2:
            raise ValueError(f"points has {len(values)} numbers, which cannot be paired as x, y")
        values = [values[at : at + 2] for at in range(0, len(values), 2)]
    for pair in values:
        if pair is None or len(pair) != 2 or None in pair:
            raise ValueError(f"points: {pair!r:.40} is not x, y")
    return [(x, y) for x, y in values]


def _plain_block(
    batch: pyarrow.RecordBatch, lines: NDArray[np.int64], gathered: Gathered
) -> Block | None:
    """The spots of these rows; None where one is not right, or written in an unusual way."""
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    count = len(batch)
    queries, pages = _names(columns["query"]), _names(columns["page"])
    labels = _names(columns["label"], missing="") if "label" in columns else [""] * count
    if queries is None or pages is None or labels is None:
        return None
    query, page, label = gathered.tidy(queries, pages, labels)
    if not (query.all() and page.all()):
        return None
    nothing = np.full(count, np.nan)
    rank = _numbers(columns["rank"], rank=True) if "rank" in columns else nothing
    score = _numbers(columns["score"], rank=False) if "score" in columns else nothing
    if rank is None or score is None or (np.isnan(rank) & np.isnan(score)).any():
        return None
    outlines = _outlines(columns["points"])
    if outlines is None:
        return None
    return Block(query, page, rank, score, outlines, label, lines)


def _names(column: pyarrow.DictionaryArray, missing: str | None = None) -> list[str] | None:
    if column.null_count and missing is None:
        return None
    names = [*column.dictionary.to_pylist(), missing]  # -1, none, is the last
    places = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return [names[place] for place in places.tolist()]


def _numbers(column: pyarrow.Array, *, rank: bool) -> Floats | None:
    from pyarrow import types  # noqa: PLC0415

    are_right = are_ranks if rank else are_scores
    if types.is_string(column.type):
        return plain_numbers(column.fill_null("").to_pylist(), are_right)
    given = column.is_valid().to_numpy(zero_copy_only=False)
    numbers: Floats = column.to_numpy(zero_copy_only=False)  # NaN where there is none
    return numbers if are_right(numbers[given]).all() else None


def _outlines(column: pyarrow.Array) -> Outlines | None:
    from pyarrow import types  # noqa: PLC0415

    if column.null_count:
        return None
    if types.is_string(column.type):
        return plain_point_lists(column.to_pylist())
    numbers, lengths = column.flatten(), column.value_lengths().to_numpy()
    if _is_list(numbers.type):
        sizes = numbers.value_lengths()
        if numbers.null_count or (sizes.to_numpy(zero_copy_only=False) != 2).any():
            return None
        numbers, lengths = numbers.flatten(), lengths * 2
    values = numbers.to_numpy(zero_copy_only=False)
    if (lengths % 2).any() or (lengths < 6).any() or not (np.abs(values) <= LARGEST).all():
        return None
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths // 2, out=offsets[1:])
    return Outlines(values.reshape(-1, 2), offsets)


def _sniff(path: Path, head: bytes) -> bool:
    return head.startswith(b"PAR1") or path.suffix.lower() in (".parquet", ".pq")


FORMAT = RunFormat("parquet", "Parquet", (".parquet", ".pq"), _sniff, read, soon_read=True)


def write_parquet(run: Run, path: Path, progress: Progress = silent) -> None:
    """Write a run so that it reads back as the same one.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    progress(0, len(run), f"writing {path.name}")
    write_atomically(path, parquet_bytes(run))
    write_models(run, path)
    progress(len(run), len(run), f"writing {path.name}")


def parquet_bytes(run: Run, spots: NDArray[np.int64] | None = None) -> bytes:
    """The content of a file with a run.

    Parameters
    ----------
    run : Run
    spots : (n,) int, optional
        Only these spots, with the ranks that they have in the run: equal ones stay in its order,
        whatever parts they are in.
    """
    optional_module("pyarrow")
    import pyarrow  # noqa: PLC0415 - a quarter of a second that runs in CSV need not wait
    import pyarrow.parquet  # noqa: PLC0415

    rank = shared_ranks(run) if spots is None else run.rank[spots]
    if spots is None:
        spots = np.arange(len(run))
    outlines, score = run.outlines.take(spots), run.score[spots]
    names = {"query": (run.queries, run.query[spots]), "page": (run.pages, run.page[spots])}
    if (run.label >= 0).any():
        names["label"] = (run.labels, run.label[spots])
    columns = {
        name: pyarrow.DictionaryArray.from_arrays(
            pyarrow.array(places, mask=places < 0),
            pyarrow.array(map(well_formed, texts), pyarrow.string()),
        )
        for name, (texts, places) in names.items()
    }
    columns["rank"] = pyarrow.array(rank)
    columns["score"] = pyarrow.array(score, mask=np.isnan(score))
    columns["points"] = pyarrow.LargeListArray.from_arrays(
        pyarrow.array(outlines.offsets * 2), pyarrow.array(outlines.points.reshape(-1))
    )
    buffer = pyarrow.BufferOutputStream()
    table = pyarrow.table({name: columns[name] for name in COLUMNS if name in columns})
    table = table.replace_schema_metadata(as_metadata(run.provenance) or None)
    # coordinates hardly repeat, so a dictionary of them would only cost time
    pyarrow.parquet.write_table(table, buffer, use_dictionary=list(names), compression="zstd")
    content: bytes = buffer.getvalue().to_pybytes()
    return content
