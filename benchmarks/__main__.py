"""All benchmarks, one after the other."""

from benchmarks import importing, partitioning, propagation, text

for benchmark in (text, importing, propagation, partitioning):
    benchmark.main()
