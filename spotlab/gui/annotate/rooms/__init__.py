"""Rooms of floor plans: the open page's room map, the bar over the page, and the commands."""
