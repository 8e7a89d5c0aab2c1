"""What shardings are made of, as plain frozen values; nothing here imports MLIR."""
