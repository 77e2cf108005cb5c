"""Writes runs as Parquet, points as lists x, y, x, y, … so that a million are read in a second."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from spotlab.formats.rows.atomic import write_atomically
from spotlab.formats.runs.gather import shared_ranks
from spotlab.formats.runs.models_file import write_models
from spotlab.formats.runs.provenance import as_metadata
from spotlab.formats.runs.rows import COLUMNS
from spotlab.model.run import Run
from spotlab.progress import Progress, silent


def write_parquet(run: Run, path: Path, progress: Progress = silent) -> None:
    """Write a run so that it reads back as the same one.

    Raises
    ------
    NotSaved
        The file could not be written.
    """
    import pyarrow  # noqa: PLC0415 - a quarter of a second that runs in CSV need not wait
    import pyarrow.parquet  # noqa: PLC0415

    progress(0, len(run), f"writing {path.name}")
    names = {"query": (run.queries, run.query), "page": (run.pages, run.page)}
    if (run.label >= 0).any():
        names["label"] = (run.labels, run.label)
    columns = {
        name: pyarrow.DictionaryArray.from_arrays(
            pyarrow.array(places, mask=places < 0), pyarrow.array(texts, pyarrow.string())
        )
        for name, (texts, places) in names.items()
    }
    columns["rank"] = pyarrow.array(shared_ranks(run))
    columns["score"] = pyarrow.array(run.score, mask=np.isnan(run.score))
    columns["points"] = pyarrow.LargeListArray.from_arrays(
        pyarrow.array(run.outlines.offsets * 2), pyarrow.array(run.outlines.points.reshape(-1))
    )
    buffer = pyarrow.BufferOutputStream()
    table = pyarrow.table({name: columns[name] for name in COLUMNS if name in columns})
    table = table.replace_schema_metadata(as_metadata(run.provenance) or None)
    # coordinates hardly repeat, so a dictionary of them would only cost time
    pyarrow.parquet.write_table(table, buffer, use_dictionary=list(names), compression="zstd")
    write_atomically(path, buffer.getvalue().to_pybytes())
    write_models(run, path)
    progress(len(run), len(run), f"writing {path.name}")
