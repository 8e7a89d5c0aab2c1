"""Speed beside the C++ reference, in one process on the same programs. `make bench`, or one at a time:

python -m benchmarks.propagation
"""
