"""Uncertain truth, on which people disagree: precision and recall as distributions."""
