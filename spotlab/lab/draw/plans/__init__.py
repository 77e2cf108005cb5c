"""Synthetic floor plans: walls, rooms, furniture, lettering and ink."""
