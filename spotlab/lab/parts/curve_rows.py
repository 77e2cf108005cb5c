"""The curves of some queries as a table with a row for each spot, without their figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.store.entries import described
from spotlab.measures.figures import RunFigures

if TYPE_CHECKING:
    import pyarrow

AT_ONCE = 10_000  # rows that are written together
SHARES = ("precision", "recall", "fall_out", "f")
COUNTS = ("recognised", "false_positives")


@dataclass(frozen=True, eq=False)
class CurveRows:
    """What is written of N spots, by query and rank.

    Attributes
    ----------
    queries : tuple of str
    pages : pyarrow.StringArray
    columns : dict of str to (N,) array
        ``query`` and ``page`` are places in these; ``rank``, ``score``, `SHARES` and `COUNTS`.
    """

    queries: tuple[str, ...]
    pages: pyarrow.StringArray
    columns: Mapping[str, NDArray[Any]]

    @classmethod
    def of(cls, figures: RunFigures, pages: pyarrow.StringArray) -> CurveRows:
        """Those of figures, whose other columns are not held.

        Parameters
        ----------
        figures : RunFigures
        pages : pyarrow.StringArray
            The names of the tally's pages on which spots are.
        """
        tally = figures.tally
        columns = {name: getattr(tally, name) for name in ("query", "rank", "score", "page")}
        columns |= {name: getattr(figures, name) for name in (*SHARES, *COUNTS)}
        columns |= {name: columns[name].astype(np.int32) for name in ("query", "page")}
        return cls(tally.queries, pages, columns)

    def content(self, key: str, said: Mapping[str, Any]) -> memoryview:
        """The content of a Parquet file; rows are made some at a time.

        Parameters
        ----------
        key : str
            As of `described`.
        said : mapping
            What the file says of itself.

        Returns
        -------
        memoryview
        """
        import pyarrow  # noqa: PLC0415 - takes a quarter of a second
        import pyarrow.parquet  # noqa: PLC0415

        content = pyarrow.BufferOutputStream()
        schema = described(self._table(slice(0, 0)).schema, key, said)
        with pyarrow.parquet.ParquetWriter(
            content,
            schema,
            compression="zstd",
            use_dictionary=["query", "page"],  # numbers differ: dictionaries of them take 30 MB
        ) as file:
            for start in range(0, max(len(self.columns["query"]), 1), AT_ONCE):
                file.write_table(self._table(slice(start, start + AT_ONCE)).cast(schema))
        return memoryview(content.getvalue())  # not copied

    def _table(self, some: slice) -> Any:
        import pyarrow  # noqa: PLC0415 - takes a quarter of a second

        rows = {name: column[some] for name, column in self.columns.items()}

        def known(name: str) -> Any:
            return pyarrow.array(rows[name], mask=np.isnan(rows[name]))

        return pyarrow.table(
            {
                "query": pyarrow.DictionaryArray.from_arrays(
                    pyarrow.array(rows["query"].astype(np.int32)),
                    pyarrow.array(self.queries, pyarrow.string()),
                ),
                "rank": rows["rank"],
                "score": known("score"),
                "page": self.pages.take(pyarrow.array(rows["page"])),
                **{name: known(name) for name in SHARES},
                **{name: rows[name] for name in COUNTS},
            }
        )
