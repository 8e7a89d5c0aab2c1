"""Marks the dialect mpmd as one whose classes are not looked up by the bindings."""
