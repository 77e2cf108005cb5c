"""What all plots share: curves, axes, readouts and saving."""
