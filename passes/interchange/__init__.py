"""Shardings that come from XLA and from modules that others make, and go there (spec: interchange)."""
