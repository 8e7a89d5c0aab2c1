"""What is known of the ops and values of a sharded program before anything is built."""
