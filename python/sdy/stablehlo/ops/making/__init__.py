"""Creation of ops: types and attributes from arguments of users, and the operation."""
