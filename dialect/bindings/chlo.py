"""Marks the chlo dialect as one without Python op classes."""
