"""The matrix of how similar words are."""
