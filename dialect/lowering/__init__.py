"""An op on its way from global to local types, and what its models are handed."""
