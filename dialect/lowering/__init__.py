"""The lowering of an op from global to local types, and the arguments of its models."""
