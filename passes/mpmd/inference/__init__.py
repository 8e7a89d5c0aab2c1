"""Inference of meshes: every op of a function of several meshes gets into a fragment."""
