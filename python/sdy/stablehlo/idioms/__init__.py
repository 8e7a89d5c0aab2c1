"""Recognisers of idioms: constants, bodies of reductions, loops with a counter."""
