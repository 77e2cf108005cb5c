"""The vocabulary in code: frozen values that are valid from birth.

Every change is a replacement (``dataclasses.replace``). Nothing here knows files or windows.
"""

from spotlab.model.attributes import AttributeKind, Attributes, AttributeSpec, AttributeValue
from spotlab.model.labels import Label, LabelSet
from spotlab.model.queries import QueryModel
from spotlab.model.ranked_list import Items, RankedList
from spotlab.model.reading_order import OrderGroup
from spotlab.model.region import Contribution, Deed, Ignore, Primitive, Region, new_id
from spotlab.model.run import Run, Spot
from spotlab.model.truth import Page, PageState, Truth

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
