"""Analyses of functions of several meshes, their fragments and transfers, shared by passes."""
