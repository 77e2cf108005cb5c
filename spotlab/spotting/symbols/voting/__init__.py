"""Voting of described regions for the pose of a symbol."""
