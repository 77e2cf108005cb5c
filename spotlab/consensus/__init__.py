"""Precision and recall without truth: systems vote on items, and judge each other by agreement."""
