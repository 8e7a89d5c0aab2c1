"""Ops that need other devices' data along a sharded dimension: one file for each way to fetch it."""
