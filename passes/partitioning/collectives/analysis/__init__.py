"""What the passes that save communication ask about a program."""
