"""Studies of symbol spotting."""
