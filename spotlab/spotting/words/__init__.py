"""Word spotting: finds every instance of a written word, by what it looks like."""
