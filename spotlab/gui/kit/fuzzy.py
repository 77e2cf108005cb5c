"""Finds what was meant by a few letters."""

from __future__ import annotations

from collections.abc import Sequence

from spotlab.libraries import fuzz, process

WORST = 65.0  # of 100; what is below is no match


def best(text: str, names: Sequence[str], limit: int) -> list[str]:
    """The names that fit best: those that begin like it, then that hold it, then the similar ones.

    Examples
    --------
    >>> best("so", ["sink", "resort", "sofa"], 5)
    ['sofa', 'resort']
    >>> best("coffetable", ["coffee table", "bed"], 5)
    ['coffee table']
    >>> best("", ["b", "a"], 5)
    ['b', 'a']
    """
    wanted = " ".join(text.casefold().split())
    if not wanted:
        return list(names[:limit])
    folded = [name.casefold() for name in names]
    ranked: dict[int, tuple[int, float]] = {}
    for place, name in enumerate(folded):
        at = name.find(wanted)
        if at >= 0:
            begins = at == 0 or not name[at - 1].isalnum()
            ranked[place] = (0 if at == 0 else 1 if begins else 2, len(name))
        elif all(word in name for word in wanted.split()):
            ranked[place] = (3, len(name))
    if len(wanted) > 2:
        for _, score, place in process.extract(
            wanted, folded, scorer=fuzz.WRatio, limit=limit, score_cutoff=WORST
        ):
            ranked.setdefault(place, (4, -score))
    return [names[place] for place in sorted(ranked, key=lambda place: ranked[place])[:limit]]
