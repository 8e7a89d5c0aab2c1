"""What would remove a collective: changes of a program's shardings, tried out on copies of it."""
