"""Rewrites of ops to simpler ones whose dimensions stay sharded."""
