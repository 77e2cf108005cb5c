"""State of the Inspect workspace: runs, truth, figures and the current spot."""
