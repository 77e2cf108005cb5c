"""The vocabulary in code: frozen values that are valid from birth.

Every change is a replacement (``dataclasses.replace``). Nothing here knows files or windows.
"""

from spotlab.model.attributes import AttributeKind, Attributes, AttributeSpec, AttributeValue
from spotlab.model.ranked_list import Items, RankedList
from spotlab.model.reading_order import OrderGroup
from spotlab.model.region import (
    Contribution,
    Deed,
    Ignore,
    Label,
    LabelSet,
    Primitive,
    Region,
    new_id,
)
from spotlab.model.run import Page, PageState, QueryModel, Run, Spot, Truth

__all__ = [
    "AttributeKind",
    "AttributeSpec",
    "AttributeValue",
    "Attributes",
    "Contribution",
    "Deed",
    "Ignore",
    "Items",
    "Label",
    "LabelSet",
    "OrderGroup",
    "Page",
    "PageState",
    "Primitive",
    "QueryModel",
    "RankedList",
    "Region",
    "Run",
    "Spot",
    "Truth",
    "new_id",
]
