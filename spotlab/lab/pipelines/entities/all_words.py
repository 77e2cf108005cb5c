"""Takes every word as an entity, to compare systems by all that they read."""

from __future__ import annotations

import re

from spotlab.lab.pipelines.entities.entity_finder import Entity, EntityFinder, Gazetteer

_WORD = re.compile(r"[^\W_][\w\u0300-\u036F]*(?:['\u2019][^\W_][\w\u0300-\u036F]*)*")


def find(text: str, gazetteer: Gazetteer) -> list[Entity]:
    """Find all words.

    Parameters
    ----------
    text : str
    gazetteer : Gazetteer
        Not used.

    Examples
    --------
    >>> [entity.text for entity in find("He's in Rome.", Gazetteer({}))]
    ["He's", 'in', 'Rome']
    """
    return [Entity(word[0], "word", *word.span()) for word in _WORD.finditer(text)]


ALL_WORDS = EntityFinder("words", "every word", find)
