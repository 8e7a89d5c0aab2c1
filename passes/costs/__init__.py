"""What running a program costs: a model of the machine, durations of ops, the timeline of a step (spec: async, 13).

Seconds, bytes, operations per second; all of one device. Nothing in here changes a program.
"""
