"""State of the Words workspace: queries, lists, judgements and the search."""
