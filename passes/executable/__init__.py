"""What XLA needs of a program of one device."""
