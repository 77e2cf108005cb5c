"""The lists of all open queries together: means, tests, sheets of words and the report."""
