"""Shardings that come in from XLA and from modules that others make (spec: interchange)."""
