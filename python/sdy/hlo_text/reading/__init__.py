"""Text to values."""
