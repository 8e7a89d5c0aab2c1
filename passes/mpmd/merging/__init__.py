"""Passes that merge fragments and drop what is unused or redundant in them."""
