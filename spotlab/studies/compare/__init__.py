"""Comparison of two runs, or of two readings of one."""
