"""Common axes of the tensors of an op, as plain values, for export and the partitioner."""
