"""Searching collections: the index of their pages, and the spots of query models on them."""
