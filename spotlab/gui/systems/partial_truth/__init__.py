"""Partial truth: answers to some items, and the figures that follow from them."""
