"""What the ids of COCO results mean: an annotation file says it, else page names and label list.

Nothing is guessed: without an annotation file ids count as numbers only where they can be read in
one way.

* An image id is the number at the end of a page's name where every id is one, and either the pages
  are numbered from 1 on without gaps or the ids cannot be places in a list of the pages.
* A category id is a place in the collection's label list, from 1 on, as this program's own COCO
  export numbers them, where every id is one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from spotlab.errors import BadInput
from spotlab.formats.rows.json_values import load_object
from spotlab.formats.rows.natural import natural
from spotlab.formats.rows.numbers import whole_number
from spotlab.formats.runs.format import Naming

EXPECTED = "COCO with images and categories"
_NUMBER = re.compile(r"(\d+)$")


def read_naming(path: Path) -> Naming:
    """The names that an annotation file has for its ids.

    Raises
    ------
    BadInput
        It is not COCO, or names neither images nor categories.
    """
    naming = naming_of(load_object(path, "COCO"), path)
    if not naming.image_ids and not naming.categories:
        problem = "it has neither images nor categories"
        raise BadInput(path, problem, expected=EXPECTED)
    return naming


def naming_of(content: Mapping[str, Any], path: Path) -> Naming:
    """The names that a whole COCO file has for its own ids; none where it has no lists of them."""
    named: list[dict[Any, str]] = []
    for key, name in (("images", "file_name"), ("categories", "name")):
        values = content.get(key, [])
        if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
            raise BadInput(path, f"{key} is not a list of objects", expected=EXPECTED)
        named.append(
            {
                each["id"]: str(each[name])
                for each in values
                if isinstance(each.get("id"), int | str) and each.get(name)
            }
        )
    images, categories = named
    return Naming(images, categories)


def complete_naming(
    naming: Naming, image_ids: Collection[Any], categories: Collection[Any]
) -> tuple[Naming, list[str]]:
    """The naming with what ids mean that no file names, and remarks on how that was found.

    Parameters
    ----------
    naming : Naming
    image_ids, categories : collection
        All that the results have.

    Examples
    --------
    >>> naming = Naming(pages=("plan_1", "plan_2"), labels=("bed", "sofa"))
    >>> found, _ = complete_naming(naming, {2}, {1, 2})
    >>> found.image_ids, found.categories
    ({2: 'plan_2'}, {1: 'bed', 2: 'sofa'})
    """
    images, labels = naming.image_ids, naming.categories
    remarks = []
    if not images and (found := _by_number(image_ids, naming.pages)):
        images = found
        remarks.append(f"image ids are used as page numbers: {_first(found)}")
    if not labels and (found := _by_place(categories, naming.labels)):
        labels = found
        remarks.append(f"category ids are used as positions in the label list: {_first(found)}")
    return Naming(images, labels, naming.pages, naming.labels), remarks


def _by_number(ids: Collection[Any], pages: Sequence[str]) -> dict[Any, str]:
    """The page of each id; empty where the ids can be read otherwise, or not at all."""
    ordered = sorted(pages, key=natural)
    found = [_NUMBER.search(page) for page in ordered]
    if not ids or not all(found) or not all(type(id) is int for id in ids):
        return {}
    numbers = [whole_number(number.group(1)) for number in found if number is not None]
    by_number = dict(zip(numbers, ordered, strict=True))
    from_one = numbers == list(range(1, len(ordered) + 1))
    no_places = max(ids) > len(ordered) or min(ids) < 0
    if len(by_number) < len(ordered) or not (from_one or no_places) or set(ids) - set(by_number):
        return {}
    return {id: by_number[id] for id in ids}


def _by_place(ids: Collection[Any], labels: Sequence[str]) -> dict[Any, str]:
    if not ids or not all(type(id) is int and 1 <= id <= len(labels) for id in ids):
        return {}
    return {id: labels[id - 1] for id in ids}


def _first(names: Mapping[Any, str]) -> str:
    id = min(names)
    return f"{id} is {names[id]}"
