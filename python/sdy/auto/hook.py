"""`sdy.auto.register`: automatic partitioning where the propagation pipeline has a place for it."""

from __future__ import annotations

from sdy.passes.auto.auto_options import AutoPartitionOptions
from sdy.passes.options import make_options
from sdy.passes.propagation import auto_partitioner
from sdy.passes.registry import step
from sdy.passes.steps import Step


def register(**options: str | float) -> None:
    """Makes `sdy-auto-partition` the auto-partitioner of `enable-auto-partitioning`; `options` are those of the pass.

    It takes what propagation has found as given, chooses the rest, and is followed by another propagation.

    Raises:
      RuntimeError: another one is registered; `sdy.auto_partitioner.clear()` forgets it.
      ValueError: the pass has no such option, or not with that value.
    """
    make_options(AutoPartitionOptions, options)

    def add(steps: list[Step]) -> None:
        steps += [step("sdy-auto-partition", on_func=False, **options), step("sdy-basic-propagate")]

    auto_partitioner.register(add)
