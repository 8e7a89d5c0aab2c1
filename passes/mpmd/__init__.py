"""Passes on programs of several meshes: import, inference of meshes, merging, schedules, shardings, export."""
