"""Random programs for tests: valid StableHLO with every kind of sdy annotation, from a seed.

`programs.generate(seed)` is the entrance; `ops` and `regions` hold one function per kind of op, `shardings` the meshes
and shardings, `block` the values in scope.
"""
