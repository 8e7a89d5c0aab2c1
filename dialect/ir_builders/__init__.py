"""What all steps of the partitioner build programs with."""
