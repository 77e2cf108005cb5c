"""Evaluation of collections that no memory holds: part by part, here or on a cluster."""
