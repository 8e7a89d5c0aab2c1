"""Accelerators that can be named, with the figures of their data sheets.

They are those of one device, dense and without sparsity. What a program reaches is less: `efficiency` takes seven
tenths of the arithmetic. Figures that were measured on a machine itself are better; keep them in a JSON file. The
sources stand beside the figures, which are the vendors' and were not measured for this package.

| name       | device                            | links                                                            |
|------------|-----------------------------------|------------------------------------------------------------------|
| `a100`     | NVIDIA A100 SXM, 80 GB            | eight devices on NVLink, 200 Gb/s of network for each beyond     |
| `h100`     | NVIDIA H100 SXM, 80 GB            | eight devices on NVLink, 400 Gb/s of network for each beyond     |
| `tpu-v5e`  | Google TPU v5e                    | a torus: every mesh axis has links of its own                    |
| `tpu-v5p`  | Google TPU v5p                    | a torus                                                          |
| `tpu-v6e`  | Google TPU v6e                    | a torus                                                          |
| `generic`  | round figures                     | 100 GB/s                                                         |
| `cpu`      | round figures, a core of a server | memory of the host                                               |

A switch and a network card give a device one bandwidth for what it sends; here a link has two directions, which
collectives use together, so each has half of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_GPU = {"overhead": 5e-6, "efficiency": 0.7, "latency": 1e-5, "block_latency": {"8": 2e-6}}
_TPU = {"overhead": 2e-6, "efficiency": 0.7, "latency": 1e-6}

KNOWN: Mapping[str, Mapping[str, Any]] = {
    # "NVIDIA A100 Tensor Core GPU" data sheet, 2021: A100 80GB SXM; NVLink 600 GB/s both ways together.
    "a100": {
        **_GPU,
        "flops": 312e12,
        "element_flops": {"f32": 156e12, "f64": 19.5e12, "i8": 624e12},
        "memory_bandwidth": 2.039e12,
        "memory": 80e9,
        "bandwidth": 12.5e9,
        "block_bandwidth": {"8": 150e9},
    },
    # "NVIDIA H100 Tensor Core GPU" data sheet, 2023: H100 SXM, half of the figures with sparsity; NVLink 900 GB/s.
    "h100": {
        **_GPU,
        "flops": 989e12,
        "element_flops": {"f32": 494e12, "f64": 67e12, "i8": 1979e12, "f8E4M3FN": 1979e12, "f8E5M2": 1979e12},
        "memory_bandwidth": 3.35e12,
        "memory": 80e9,
        "bandwidth": 25e9,
        "block_bandwidth": {"8": 225e9},
    },
    # Cloud TPU documentation, system architecture, "TPU v5e": 16 GB, 819 GB/s, 400 GB/s over four links.
    "tpu-v5e": {
        **_TPU,
        "flops": 197e12,
        "element_flops": {"i8": 394e12},
        "memory_bandwidth": 0.819e12,
        "memory": 16e9,
        "bandwidth": 50e9,
    },
    # Ibid., "TPU v5p": 95 GB, 2765 GB/s, 1200 GB/s over six links, both ways together.
    "tpu-v5p": {
        **_TPU,
        "flops": 459e12,
        "element_flops": {"i8": 918e12},
        "memory_bandwidth": 2.765e12,
        "memory": 95e9,
        "bandwidth": 100e9,
    },
    # Ibid., "TPU v6e": 32 GB, 1640 GB/s, 800 GB/s over four links.
    "tpu-v6e": {
        **_TPU,
        "flops": 918e12,
        "element_flops": {"i8": 1836e12},
        "memory_bandwidth": 1.64e12,
        "memory": 32e9,
        "bandwidth": 100e9,
    },
    "generic": {
        "flops": 200e12,
        "memory_bandwidth": 2e12,
        "memory": 32e9,
        "bandwidth": 50e9,
        "latency": 5e-6,
        "overhead": 5e-6,
        "efficiency": 0.7,
    },
    "cpu": {
        "flops": 5e10,
        "element_flops": {"f64": 2.5e10},
        "memory_bandwidth": 1e10,
        "memory": 4e9,
        "bandwidth": 2e9,
        "latency": 2e-5,
        "overhead": 5e-6,
        "directions": 1,
        "channels": "one",
    },
}

_DEVICE = {"flops": 2e14, "memory_bandwidth": 2e12, "overhead": 2e-6}

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "fast-links": {**_DEVICE, "bandwidth": 3e11, "latency": 1e-6},
    "slow-links": {**_DEVICE, "bandwidth": 5e10, "latency": 2e-6},
    "network": {**_DEVICE, "bandwidth": 1.25e10, "latency": 1e-5},
}
"""Machines to try things with: round figures that stand for no product. They differ in how fast they send.

| name         | links                             | the time of sending a byte is enough for |
|--------------|-----------------------------------|------------------------------------------|
| `fast-links` | 300 GB/s in each direction, 1 us  | about 700 operations of a product        |
| `slow-links` | 50 GB/s in each direction, 2 us   | 4000                                     |
| `network`    | 12.5 GB/s in each direction, 10 us| 16000                                    |
"""
