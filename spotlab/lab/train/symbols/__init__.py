"""Learning to describe drawn symbols."""
