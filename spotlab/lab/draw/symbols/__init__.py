"""Drawings of furniture and fixtures, by the room where they are at home."""
