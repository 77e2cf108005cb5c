"""The studies of keywords and digits, with their tables and report."""
