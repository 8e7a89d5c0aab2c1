"""Mutation testing: small faults are put into the source, one at a time, and the tests have to notice.

    make mutants                                   # the fixed sample, a table by room, the survivors
    python -m tests.mutants --room propagation     # one room
    python -m tests.mutants --pattern 'MeshTable'  # mutants whose description matches

The sample is drawn by hashes of the mutations themselves, so that a change of the source changes the mutants that it
touches and no others. A record says which test runs which lines, and for how long; it is made first, and kept for as
long as neither source nor tests change. Each mutant is then met by tests that run its lines, the short and specific
ones first, until one fails. The checkout is never touched: a mutant is compiled in place of a module as it is imported.

Mutants that change nothing that anybody could see are listed with the reason in ``equivalent.toml``.
"""
