"""Files of ranked lists and of scores between items."""
