"""Plans that are found, beside what experts write down: `python -m benchmarks.auto_partitioning`."""
