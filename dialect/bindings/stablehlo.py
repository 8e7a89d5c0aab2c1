"""Marks the stablehlo dialect as one without Python op classes."""
