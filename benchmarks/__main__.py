"""All benchmarks, one after the other."""

from benchmarks import importing, parse_print, partitioning, propagation

for benchmark in (parse_print, importing, propagation, partitioning):
    benchmark.main()
