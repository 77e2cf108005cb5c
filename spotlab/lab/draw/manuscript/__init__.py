"""Pages of handwriting whose words are known: one file each for text, hand, strokes, nib, paper."""
