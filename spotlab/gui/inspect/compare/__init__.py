"""Two runs on the page: what only one found, one after the other, or side by side."""
