"""Votes: the table of items and systems, its files and its order."""
