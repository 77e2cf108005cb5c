"""The order in which the regions of a page are read: groups of regions and of further groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

DEEPEST = 40  # groups within groups, in files


@dataclass(frozen=True)
class OrderGroup:
    """Regions and groups that are read one after the other, or in any order.

    Attributes
    ----------
    items : tuple of str or OrderGroup
        Ids of regions, and groups.
    ordered : bool
        Whether they are read in this order.
    id : str
        Of the group in its file; empty for a new one.
    caption : str
        What the group is.
    region : str
        The id of the region whose parts the group has; empty if there is none.

    Examples
    --------
    >>> order = OrderGroup(("head", OrderGroup(("left", "right"), ordered=False), "foot"))
    >>> order.ids
    ('head', 'left', 'right', 'foot')
    """

    items: tuple[OrderItem, ...] = ()
    ordered: bool = True
    id: str = ""
    caption: str = ""
    region: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all regions, in the order in which they stand here."""
        found: list[str] = []
        for item in self.items:
            found += (item,) if isinstance(item, str) else item.ids
        return tuple(found)

    def mapped(self, change: Callable[[str], Sequence[str]]) -> OrderGroup | None:
        """Put other regions in the place of each.

        Parameters
        ----------
        change : callable
            Takes the id of a region and gives those that stand in its place; none to leave it out.

        Returns
        -------
        OrderGroup or None
            Groups that become empty are left out; None if nothing is left.

        Examples
        --------
        >>> OrderGroup(("a", OrderGroup(("b",)), "c")).mapped(lambda id: "xy" if id == "a" else "c")
        OrderGroup(items=('x', 'y', OrderGroup(items=('c',)), 'c'))
        """
        items: list[OrderItem] = []
        for item in self.items:
            if isinstance(item, str):
                items += change(item)
            elif (group := item.mapped(change)) is not None:
                items.append(group)
        if self.items and not items:
            return None
        region = self.region if not self.region or change(self.region) else ""
        return replace(self, items=tuple(items), region=region)

    def without(self, ids: Set[str]) -> OrderGroup | None:
        """Leave regions out; None if nothing is left.

        Parameters
        ----------
        ids : set of str
        """
        return self.mapped(lambda id: () if id in ids else (id,))

    def groups(self) -> Iterator[OrderGroup]:
        """This group and all within it."""
        yield self
        for item in self.items:
            if isinstance(item, OrderGroup):
                yield from item.groups()

    def numbers(self) -> dict[str, str]:
        """The place of each region, for people: "2.1" is the first one of the second group.

        Examples
        --------
        >>> OrderGroup(("a", OrderGroup(("b", "c"), ordered=False))).numbers()
        {'a': '1', 'b': '2.•', 'c': '2.•'}
        """
        found: dict[str, str] = {}
        for number, item in enumerate(self.items, 1):
            own = str(number) if self.ordered else "•"
            if isinstance(item, str):
                found.setdefault(item, own)
            else:
                for id, inner in item.numbers().items():
                    found.setdefault(id, f"{own}.{inner}")
        return found

    def steps(self) -> Iterator[tuple[str, str]]:
        """Pairs of regions that are read one directly after the other.

        Examples
        --------
        >>> list(OrderGroup(("a", OrderGroup(("b", "c"), ordered=False), "d")).steps())
        [('a', 'b'), ('c', 'd')]
        """
        before = ""
        for item in self.items:
            ids = (item,) if isinstance(item, str) else item.ids
            if self.ordered and before and ids:
                yield before, ids[0]
            if isinstance(item, OrderGroup):
                yield from item.steps()
            before = ids[-1] if ids else before

    def __repr__(self) -> str:
        shown = {"ordered": True, "id": "", "caption": "", "region": ""}
        more = "".join(
            f", {name}={getattr(self, name)!r}"
            for name, usual in shown.items()
            if getattr(self, name) != usual
        )
        return f"OrderGroup(items={self.items!r}{more})"


OrderItem: TypeAlias = str | OrderGroup


def order_as_json(order: OrderGroup) -> dict[str, Any]:
    """Turn an order into values that JSON has.

    Parameters
    ----------
    order : OrderGroup

    Examples
    --------
    >>> order_as_json(OrderGroup(("a", OrderGroup(("b",), ordered=False))))
    {'items': ['a', {'items': ['b'], 'ordered': False}]}
    """
    items = [item if isinstance(item, str) else order_as_json(item) for item in order.items]
    texts = {name: getattr(order, name) for name in ("id", "caption", "region")}
    return {
        "items": items,
        **({} if order.ordered else {"ordered": False}),
        **{name: text for name, text in texts.items() if text},
    }


def order_from_json(value: object, depth: int = 0) -> OrderGroup:
    """Read what `order_as_json` gave.

    Parameters
    ----------
    value : object
    depth : int
        How many groups this one is in.

    Raises
    ------
    ValueError
        It is something else.
    """
    if not isinstance(value, dict) or not isinstance(value.get("items"), list) or depth > DEEPEST:
        raise ValueError("a reading order is an object with items")
    texts = {name: value.get(name, "") for name in ("id", "caption", "region")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("id, caption and region of a reading order are texts")
    items = tuple(
        item if isinstance(item, str) else order_from_json(item, depth + 1)
        for item in value["items"]
    )
    return OrderGroup(items, value.get("ordered") is not False, **texts)
