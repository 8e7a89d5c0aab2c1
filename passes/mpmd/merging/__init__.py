"""Passes that merge fragments and drop unused or redundant parts of them."""
