"""Precision, recall and F curves."""
