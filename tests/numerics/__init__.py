"""Partitioned programs on eight simulated devices give what the unpartitioned programs give."""
