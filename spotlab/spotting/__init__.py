"""Embedded spotting systems: they make runs and ranked lists from pages and queries."""
