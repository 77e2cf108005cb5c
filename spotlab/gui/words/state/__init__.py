"""What Words knows: queries, lists, judgements and the search."""
