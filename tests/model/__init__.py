"""Tests of the vocabulary in code."""
