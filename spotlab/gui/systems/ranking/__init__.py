"""Ranking: figures of systems, their weights, methods and ranks."""
