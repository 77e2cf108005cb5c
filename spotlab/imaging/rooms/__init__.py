"""Rooms and walls of floor plans: what ink is a wall, where openings close, which space a room."""
