"""Reading the ops of a module into lists."""
