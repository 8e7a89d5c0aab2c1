"""Models of ops, one file per family: a class holds an op's rule, access, padding, local form and cost."""
