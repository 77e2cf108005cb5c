"""Systems: compare systems by their votes, without ground truth."""
