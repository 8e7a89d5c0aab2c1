"""One file for each family of ops: rule, access, padding, local form and cost of each op stand in one class."""
