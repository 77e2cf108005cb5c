"""Agreement: which systems vote alike, and the groups that they form."""
