"""What takes as long as one likes: ``make soak``."""
