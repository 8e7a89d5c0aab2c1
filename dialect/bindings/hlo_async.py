"""Marks the dialect hlo_async as one whose classes are not looked up by the bindings."""
