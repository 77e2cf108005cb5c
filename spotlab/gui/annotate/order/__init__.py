"""The reading order of the open page: shown on it, in a panel, and changed."""
