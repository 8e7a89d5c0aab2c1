"""Costs of running a program: machine model, durations of ops, timeline of a step (spec: async, 13).

Units are seconds, bytes, and operations per second, per device. Nothing in here changes a program.
"""
