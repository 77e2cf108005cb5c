"""Inspect: look at spotting runs area by area."""
