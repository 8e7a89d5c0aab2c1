"""Programs beyond those of tests/data, for the benchmarks of what a partitioned program costs.

Each is lowered for eight devices. `memory` and `flops` compile them, and never run them.
"""
