"""From a partitioned module to arrays."""
