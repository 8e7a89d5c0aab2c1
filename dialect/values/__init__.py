"""Shardings as plain frozen values; nothing here imports MLIR."""
