"""The figures of all queries of a run by name, computed when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from spotlab.arrays import Floats
from spotlab.measures.measure import Measure, SumsFormula, known_measures


class Columns(Mapping[str, Floats]):
    """The figures of Q queries by name, (Q,) each; computed when they are asked for.

    Parameters
    ----------
    compute : callable
        Gives the (Q,) values of a measure.
    known : dict of str to (Q,) float
        Those that are known; what is computed is put there.
    """

    def __init__(self, compute: Callable[[Measure], Floats], known: dict[str, Floats]) -> None:
        self._compute, self._known = compute, known

    def __getitem__(self, name: str) -> Floats:
        if name not in self._known:
            measures = {measure.name: measure for measure in known_measures()}
            self._known[name] = self._compute(measures[name])
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return (measure.name for measure in known_measures())

    def __len__(self) -> int:
        return len(known_measures())


def names_of_sums() -> tuple[str, ...]:
    """The names of the figures that are formulas of sums, in the order of tables.

    Examples
    --------
    >>> "area_recall" in names_of_sums(), "average_precision" in names_of_sums()
    (True, False)
    """
    measures = known_measures()
    return tuple(each.name for each in measures if isinstance(each.formula, SumsFormula))
