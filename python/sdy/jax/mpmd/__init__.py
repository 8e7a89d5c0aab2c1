"""JAX programs over several meshes, each with a program of its own: pipelines.

>>> config = mpmd.make_config(topology, {"block_0": "m0", "block_1": "m1"})
>>> compiled = mpmd.jit(step, config).lower(params, batch).compile()
>>> params = compiled(*compiled.put(params, batch))
"""

from __future__ import annotations

from sdy.jax.mpmd.auto import auto
from sdy.jax.mpmd.compiled import Compiled
from sdy.jax.mpmd.config import Config, Topology, make_config, mesh_names
from sdy.jax.mpmd.jitted import Jitted, Traced, jit
from sdy.jax.mpmd.lowered import Lowered
from sdy.jax.mpmd.schedules import (
    PipelineContext,
    PipelineSchedule,
    build_merge_rules_from_predicate,
    build_schedule_rules_from_predicate,
)
from sdy.jax.mpmd.table_schedules import get_pipeline_schedule, schedule
from sdy.jax.mpmd.units import broadcast, call, enumerated_for, fori_loop, named_computation, named_tensor, reduce
from sdy.mpmd_running.dispatch import FragmentError
from sdy.passes.mpmd.common.fragments import FragmentInfo, FragmentOrigin, SplitFragmentType
from sdy.passes.mpmd.common.rules import FragmentMergeRule, FragmentScheduleRule

__all__ = [
    "Compiled",
    "Config",
    "FragmentError",
    "FragmentInfo",
    "FragmentMergeRule",
    "FragmentOrigin",
    "FragmentScheduleRule",
    "Jitted",
    "Lowered",
    "PipelineContext",
    "PipelineSchedule",
    "SplitFragmentType",
    "Topology",
    "Traced",
    "auto",
    "broadcast",
    "build_merge_rules_from_predicate",
    "build_schedule_rules_from_predicate",
    "call",
    "enumerated_for",
    "fori_loop",
    "get_pipeline_schedule",
    "jit",
    "make_config",
    "mesh_names",
    "named_computation",
    "named_tensor",
    "reduce",
    "schedule",
]
