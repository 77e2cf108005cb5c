"""Widgets and helpers that know nothing of pages, runs or words."""
