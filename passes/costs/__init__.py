"""Costs of running a program: machine model, durations of ops, timeline of a step (spec: async, 13).

Seconds, bytes, operations per second; all of one device. Nothing in here changes a program.
"""
