"""Keeps what was computed, under a digest of all that it was made from.

An entry is right or not found: its name, or what it says of itself, is a digest of the content of
the files that it was made from, of the settings, and of the code and libraries that made it. It is
written whole or not at all, so that any number of processes and machines may share a folder: two
that make the same entry write the same. One that is damaged is made anew. Entries about pages are
arrays (`arrays`) in folders of the user's cache (`folders`), where the longest unused ones go first
(`clearing`); what belongs to the user, such as tallies of parts, is Parquet (`tables`).
"""
