"""Readings are made when they are asked for, each once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from spotlab.spotting.words.readings import WordReader, WordReading
from spotlab.studies.words.word_spotting import ProposedReadings, further_columns


class Counted:
    """Reads a place as its number, and knows what was read."""

    def __init__(self) -> None:
        self.read_places: list[list[int]] = []

    def read(self, items: Iterable[int]) -> list[WordReading]:
        self.read_places.append(list(items))
        return [WordReading(str(place), 0.5) for place in self.read_places[-1]]


def test_one_is_read_alone_and_all_at_once_without_it() -> None:
    reader = Counted()
    readings = ProposedReadings(cast(WordReader, reader), {0: 70, 2: 72, 5: 75})
    assert len(readings) == 3 and not reader.read_places
    assert readings[2] == readings[2] == WordReading("72", 0.5)
    assert readings.get(1) is None
    assert further_columns(readings, None, 6)["reading"] == ["70", "", "72", "", "", "75"]
    assert reader.read_places == [[72], [70, 75]]
