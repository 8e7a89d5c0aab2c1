"""Automatic partitioning: from a program, a mesh and a machine to the shardings that make its step short.

`search` finds plans; `annotating` says what they say of a program, `carrying_out` partitions and measures it, `planner`
takes the best.
"""
