"""A learned description of words: a small network's embedding, attributes and characters."""
