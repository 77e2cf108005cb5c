"""Scores: the plot of scores, its thresholds and the figures of a purge."""
