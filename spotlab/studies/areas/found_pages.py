"""What is known of the pages of truth files, as these are read one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from spotlab.errors import BadInput
from spotlab.formats.rows.numbers import natural
from spotlab.model import Truth

Held = TypeVar("Held")


class FoundPages(Generic[Held]):
    """What is held of each page, and which pages have an image only.

    Examples
    --------
    >>> found: FoundPages[int] = FoundPages()
    >>> for name in ("page_10", "page_9"):
    ...     found.add(name, 1, Path("truth.json"))
    >>> found.add_without("page_8")
    >>> found.in_order(), found.without
    ({'page_9': 1, 'page_10': 1}, {'page_8'})
    """

    def __init__(self) -> None:
        self.without: set[str] = set()
        self._pages: dict[str, Held] = {}
        self._origins: dict[str, Path] = {}
        self._image_ids: dict[Any, set[str]] = {}
        self._categories: dict[Any, set[str]] = {}

    @property
    def origins(self) -> list[Path]:
        """The file of each page."""
        return list(self._origins.values())

    @property
    def image_ids(self) -> dict[Any, str]:
        """The page of each image id of COCO files; one of several meanings is left out."""
        return _single(self._image_ids)

    @property
    def categories(self) -> dict[Any, str]:
        """The label of each category id of COCO files; one of several meanings is left out."""
        return _single(self._categories)

    @property
    def unclear(self) -> list[str]:
        """A line for each id of several meanings."""
        return [
            f"{what} {id!r} means different things in the truth files: " + ", ".join(sorted(values))
            for what, ids in (("image_id", self._image_ids), ("category_id", self._categories))
            for id, values in ids.items()
            if len(values) > 1
        ]

    def add(self, name: str, page: Held, path: Path) -> None:
        """Take a page.

        Parameters
        ----------
        name : str
        page : object
            What is known of it.
        path : Path
            Its truth file.

        Raises
        ------
        BadInput
            There is a page of this name.
        """
        if name in self._pages:
            problem = f"the page {name!r} already has truth in {self._origins[name]}"
            raise BadInput(path, problem, expected="one truth for every page name")
        self._pages[name], self._origins[name] = page, path

    def add_without(self, name: str) -> None:
        """Take a page that has an image but no truth file of its own.

        Parameters
        ----------
        name : str
            No other file so far has its truth, or it is passed over.
        """
        if name not in self._pages:
            self.without.add(name)

    def add_ids(self, content: Mapping[str, Any], truths: Sequence[Truth]) -> None:
        """Take what the ids of a COCO file mean.

        Parameters
        ----------
        content : mapping
            Of the file, which its reader has checked.
        truths : sequence of Truth
            One for each image.
        """
        for image, truth in zip(content.get("images", []), truths, strict=True):
            self._image_ids.setdefault(image.get("id"), set()).add(truth.page.name)
        for category in content.get("categories", []):
            label = " ".join(str(category.get("name", "")).split())
            self._categories.setdefault(category.get("id"), set()).add(label)

    def in_order(self) -> dict[str, Held]:
        """What is known of all pages, in natural order of their names."""
        return {name: self._pages[name] for name in sorted(self._pages, key=natural)}


def _single(ids: Mapping[Any, set[str]]) -> dict[Any, str]:
    return {id: next(iter(values)) for id, values in ids.items() if len(values) == 1}
