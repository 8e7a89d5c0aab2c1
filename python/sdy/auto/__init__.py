"""Automatic partitioning: what a program takes on a machine, and shardings that make it take less.

>>> sdy.auto.estimate(text, "h100").step        # seconds that a step takes with the shardings that the program has
"""

from sdy.auto.step_estimate import Estimate, Sent, estimate

__all__ = ["Estimate", "Sent", "estimate"]
