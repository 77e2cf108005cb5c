"""Studies that compare systems without ground truth."""
