"""Writes runs as Parquet, points as lists x, y, x, y, … so that a million are read in a second."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import optional_module
from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.runs.gather import shared_ranks
from spotlab.formats.runs.models_file import write_models
from spotlab.formats.runs.provenance import as_metadata
from spotlab.formats.runs.rows import COLUMNS
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.quoting import well_formed


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
