"""Two annotators of the same pages: differences, decisions and the truth that results."""
