"""Machines to try things with. They are examples: round figures that stand for no product.

Figures of real machines change with every generation, with clocks, topologies and libraries; measure yours, and keep
them in a JSON file. What the three have in common is the device; what they differ in is how fast it sends:

| name         | links                             | the time of sending a byte is enough for |
|--------------|-----------------------------------|------------------------------------------|
| `fast-links` | 300 GB/s in each direction, 1 us  | about 700 operations of a product        |
| `slow-links` | 50 GB/s in each direction, 2 us   | 4000                                     |
| `network`    | 12.5 GB/s in each direction, 10 us| 16000                                    |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DEVICE = {"flops": 2e14, "memory_bandwidth": 2e12, "overhead": 2e-6}

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "fast-links": {**_DEVICE, "bandwidth": 3e11, "latency": 1e-6},
    "slow-links": {**_DEVICE, "bandwidth": 5e10, "latency": 2e-6},
    "network": {**_DEVICE, "bandwidth": 1.25e10, "latency": 1e-5},
}
