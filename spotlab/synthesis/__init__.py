"""Synthetic documents with exact truth, seeded."""
