"""Shardings that go out to XLA and to other tools (spec: interchange)."""
