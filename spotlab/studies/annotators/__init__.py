"""Agreement of annotators, and decisions between two of them."""
