"""Shardings of values, functions and whole modules: where they are kept, reading and writing them."""
