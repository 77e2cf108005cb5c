"""Runs as files: one module per format, read with every bad line named."""

from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.runs.csv_run import write_csv
from spotlab.formats.runs.format import Naming, ReadRun, RunFormat
from spotlab.formats.runs.parquet_run import write_parquet
from spotlab.formats.runs.reading import known_run_formats, read_run

__all__ = [
    "BadLine",
    "Naming",
    "ReadRun",
    "RunFormat",
    "known_run_formats",
    "read_run",
    "write_csv",
    "write_parquet",
]
