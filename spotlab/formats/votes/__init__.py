"""Votes of systems on items: tables, ranked lists, texts, OCR outputs and spotted regions."""

from spotlab.formats.votes.csv_votes import write_votes
from spotlab.formats.votes.format import VoteFormat, VoteOptions, VoteTable
from spotlab.formats.votes.reading import known_vote_formats, read_votes

__all__ = [
    "VoteFormat",
    "VoteOptions",
    "VoteTable",
    "known_vote_formats",
    "read_votes",
    "write_votes",
]
