"""What Inspect knows: runs, truth, figures and the current spot."""
