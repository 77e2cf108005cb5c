"""Extraction of words from pages: their ink, what may be words, and what these look like."""
