"""The engine of symbol spotting: page features, index, queries and search."""
