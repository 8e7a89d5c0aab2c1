"""PyTorch programs: traced by torch.export, sharded by the names of their parameters, planned, run, and explained.

>>> plan = {"*.up": "colwise", "*.down": "rowwise", "x": ("data",)}
>>> step = sdy.torch.partition(model, (x,), {"data": 2, "model": 4}, plan)
>>> step(x)                                                          # the results of model(x), on eight devices
>>> sdy.communication(step.partitioned)                              # with modules and lines of the model
>>> sdy.torch.plan(model, (x,), {"data": 2, "model": 4}, "h100").placements["up.weight"]  # of DTensor

Names load PyTorch at their first use, the package itself does not.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdy.torch.plans import placements
    from sdy.torch.programs import Partitioned, TorchPlan, TorchProgram, partition, plan, trace, value_and_grad

__all__ = ["Partitioned", "TorchPlan", "TorchProgram", "partition", "placements", "plan", "trace", "value_and_grad"]


def __getattr__(name: str) -> object:
    """Load names that need PyTorch on first use."""
    if name not in __all__:
        raise AttributeError(f"module 'sdy.torch' has no attribute '{name}'")
    if find_spec("torch") is None:
        raise ImportError(f"sdy.torch.{name} needs PyTorch: pip install 'sdy[torch]'")
    room = "plans" if name == "placements" else "programs"
    found = globals()[name] = getattr(import_module(f"sdy.torch.{room}"), name)
    return found
