"""The columns of word images: one per ranked list, in rank order, framed by what they are."""
