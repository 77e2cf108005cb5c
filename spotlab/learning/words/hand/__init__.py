"""Adapting a network to the hand of a collection, by words that are known or read surely."""
