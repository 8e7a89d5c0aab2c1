"""All benchmarks, one after the other."""

from benchmarks import exporting, importing, parse_print, partitioning, propagation

for benchmark in (parse_print, importing, propagation, exporting, partitioning):
    benchmark.main()
