"""Passes that prepare the program of one device for XLA."""
