"""Why propagation shards values as it does."""
