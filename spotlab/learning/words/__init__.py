"""Learning to describe words from words that fonts have drawn."""
