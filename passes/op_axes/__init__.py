"""Which axes the tensors of an op should share, as plain values; export and the partitioner ask this."""
