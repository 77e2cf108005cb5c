"""Whole experiments: what the window, the commands and a script call alike."""
