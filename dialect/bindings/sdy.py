"""Marks the sdy dialect as one whose classes are not looked up by the bindings."""
