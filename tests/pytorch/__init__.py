"""Programs of PyTorch: traced, sharded, planned, run. Skipped without PyTorch."""
