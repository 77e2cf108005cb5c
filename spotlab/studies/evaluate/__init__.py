"""Evaluation of runs by area and by symbol."""
