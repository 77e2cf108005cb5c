"""Proposals of symbols that are like labelled examples."""
