"""Studies of word spotting and ranked lists."""
