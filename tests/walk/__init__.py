"""A hand that walks through the whole window, and what it takes note of."""
