"""The panels of Words: queries and ranking settings."""
