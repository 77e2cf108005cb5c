"""Symbols described by a network that learned from drawn ones."""
