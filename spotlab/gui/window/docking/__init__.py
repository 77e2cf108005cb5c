"""Docks: panels at the sides of the window, in tabs, folded and wide."""
