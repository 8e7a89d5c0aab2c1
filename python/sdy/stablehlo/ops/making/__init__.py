"""How an op comes about: its types and attributes from what users give, and the operation itself."""
