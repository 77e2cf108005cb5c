"""Takes every word as an entity: for systems that are compared by all that they read."""

from __future__ import annotations

import re

from spotlab.spotting.entities.entity_finder import Entity, EntityFinder, Gazetteer

_WORD = re.compile(r"[^\W_][\w\u0300-\u036F]*(?:['\u2019][^\W_][\w\u0300-\u036F]*)*")


def find(text: str, _gazetteer: Gazetteer) -> list[Entity]:
    """All words.

    Examples
    --------
    >>> [entity.text for entity in find("He's in Rome.", Gazetteer({}))]
    ["He's", 'in', 'Rome']
    """
    return [Entity(each[0], "word", *each.span()) for each in _WORD.finditer(text)]


ALL_WORDS = EntityFinder("words", "every word", find)
