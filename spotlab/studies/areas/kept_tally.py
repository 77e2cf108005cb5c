"""Keeps tallies of some pages as arrays, so that they are made once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.store.entries import read_arrays, write_arrays
from spotlab.geometry.outlines import Outlines
from spotlab.measures.tally import PageIgnored, PageTally, joined
from spotlab.studies.areas.label_areas import Entries

SUFFIX, LABELS = ".tallies", ".labels"  # of the files of tallies, and of entries
_MAGIC = b"spotlab tallies 1\n"
_OF_SPOT = ("spot", "area", "gained_area", "gained_true_area")
_OF_REGION = ("region_area",)
_OF_PAIR = ("pair_spot", "pair_region", "pair_shared", "pair_gained_area")
_IGNORED = (("kind", 1), ("spot_area", 0), ("region_area", 1), ("pair_shared", 2))
_WHOLE = ("spot", "pair_spot", "pair_region")

Arrays = Mapping[str, NDArray[Any]]


def write_tallies(parts: Sequence[PageTally], file: Path) -> None:
    """Write the tallies of some pages.

    Parameters
    ----------
    parts : sequence of PageTally
    file : Path
        Of `spotlab.formats.store.entries.keyed_file`.

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    write_arrays(_columns(parts), file, _MAGIC)


def read_tallies(file: Path) -> list[PageTally] | None:
    """Read what `write_tallies` wrote.

    Parameters
    ----------
    file : Path

    Returns
    -------
    list of PageTally, or None
        None where there is no such file, or it is damaged.

    Examples
    --------
    >>> read_tallies(Path("missing.tallies")) is None
    True
    """
    arrays = read_arrays(file, _MAGIC)
    if arrays is None:
        return None
    try:
        return _parts(arrays)
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def write_entries(pages: Sequence[Entries], file: Path) -> None:
    """Write on which labels the spots of some pages lie.

    Parameters
    ----------
    pages : sequence of tuple
        As `spotlab.studies.areas.label_areas.label_entries` gives them.
    file : Path
        Of `spotlab.formats.store.entries.keyed_file`.

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    spot, label, shared, gained = map(np.concatenate, zip(*pages, strict=True))
    names, code = np.unique(label.astype(np.str_), return_inverse=True)
    write_arrays(
        {
            "sizes": np.array([len(page[0]) for page in pages], np.int64),
            "spot": spot.astype(np.int64),
            "label": code.astype(np.int64),
            "shared": shared.astype(np.float64),
            "gained": gained.astype(np.float64),
            "said": np.frombuffer(json.dumps(names.tolist()).encode(), np.uint8),
        },
        file,
        _MAGIC,
    )


def read_entries(file: Path) -> list[Entries] | None:
    """Read what `write_entries` wrote.

    Parameters
    ----------
    file : Path

    Returns
    -------
    list of tuple, or None
        None where there is no such file, or it is damaged.

    Examples
    --------
    >>> read_entries(Path("missing.labels")) is None
    True
    """
    arrays = read_arrays(file, _MAGIC)
    if arrays is None:
        return None
    try:
        names = np.array(parse_json(arrays["said"].tobytes()), np.object_)
        ends = np.cumsum(arrays["sizes"])[:-1]
        spots, labels = (np.split(each, ends) for each in (arrays["spot"], names[arrays["label"]]))
        shared, gained = (np.split(arrays[name], ends) for name in ("shared", "gained"))
        return list(zip(spots, labels, shared, gained, strict=True))
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _columns(parts: Sequence[PageTally]) -> dict[str, NDArray[Any]]:
    """One column for all pages of what each has a column of."""
    sizes = [(len(part.spot), len(part.region_id), len(part.pair_spot)) for part in parts]
    columns: dict[str, NDArray[Any]] = {"sizes": np.array(sizes, np.int64).reshape(-1, 3)}
    for name in (*_OF_SPOT, *_OF_REGION, *_OF_PAIR):
        kind = np.int64 if name in _WHOLE else np.float64
        columns[name] = joined([getattr(part, name) for part in parts], kind)
    off = [part.ignored for part in parts if part.ignored is not None]
    if off:
        for name, _ in _IGNORED:
            small: type = np.int8 if name == "kind" else np.float64
            columns[f"ignored_{name}"] = joined([getattr(each, name) for each in off], small)
        outlines = Outlines.joined([each.outlines for each in off])
        columns |= {"ignored_points": outlines.points, "ignored_offsets": outlines.offsets}
    said = [
        {
            "page": part.page,
            "ids": part.region_id,
            "labels": part.region_label,
            "truth_area": dict(part.truth_area),
            "ignored": None
            if part.ignored is None
            else [dict(part.ignored.area), len(part.ignored.outlines)],
        }
        for part in parts
    ]
    columns["said"] = np.frombuffer(json.dumps(said).encode(), np.uint8)
    return columns


def _parts(arrays: Arrays) -> list[PageTally]:
    said = parse_json(arrays["said"].tobytes())
    ends = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(arrays["sizes"], axis=0)])
    ignored = iter(_ignored(arrays, said))
    found = []
    for page, (starts, stops) in zip(said, pairwise(ends.tolist()), strict=True):
        spots, regions, pairs = (slice(*each) for each in zip(starts, stops, strict=True))
        given = {name: arrays[name][spots] for name in _OF_SPOT}
        given |= {name: arrays[name][regions] for name in _OF_REGION}
        given |= {name: arrays[name][pairs] for name in _OF_PAIR}
        found.append(
            PageTally(
                page=page["page"],
                region_id=tuple(page["ids"]),
                region_label=tuple(page["labels"]),
                truth_area=page["truth_area"],
                ignored=None if page["ignored"] is None else next(ignored),
                **given,
            )
        )
    return found


def _ignored(arrays: Arrays, said: Sequence[Mapping[str, Any]]) -> list[PageIgnored]:
    """What ignored regions take off, for each page that has some."""
    starts, ring, found = [0, 0, 0], 0, []
    for page, size in zip(said, arrays["sizes"].tolist(), strict=True):
        if page["ignored"] is None:
            continue
        area, rings = page["ignored"]
        stops = [start + more for start, more in zip(starts, size, strict=True)]
        given = {
            name: arrays[f"ignored_{name}"][starts[kind] : stops[kind]] for name, kind in _IGNORED
        }
        offsets = arrays["ignored_offsets"][ring : ring + rings + 1]
        points = arrays["ignored_points"][offsets[0] : offsets[-1]]
        found.append(
            PageIgnored(area=area, outlines=Outlines(points, offsets - offsets[0]), **given)
        )
        starts, ring = stops, ring + rings
    return found
