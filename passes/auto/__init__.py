"""Automatic partitioning: finds the shardings with the shortest step for a program, a mesh and a machine.

`search` finds plans; `annotating` turns them into annotations of a program, `carrying_out` partitions and measures it,
`planner` chooses the best.
"""
