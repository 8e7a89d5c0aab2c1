"""Passes that any program may want, whatever is done with it next."""
