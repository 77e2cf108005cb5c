"""A document, what changes it, and how nothing of that is ever lost. Knows no window."""
