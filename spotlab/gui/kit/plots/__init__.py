"""Common parts of all plots: curves, axes, readouts and saving."""
