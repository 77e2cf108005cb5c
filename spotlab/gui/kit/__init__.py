"""Widgets and helpers that know nothing of pages, runs or words."""

from spotlab.gui.kit.imported_sources import keep_no_sources

keep_no_sources()
