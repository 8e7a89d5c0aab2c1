"""The dialect `own`: importing this package declares all of it to sdy."""

from . import dialect, fuse_sum_of_squares, sharding

__all__ = ["dialect", "fuse_sum_of_squares", "sharding"]
