"""User programs: their sources, and their stored forms."""
