"""What a random program may contain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Features:
    """Switches of the generator. All on by default, but for those that few passes accept.

    Attributes:
      ops: kinds of ops to draw from (names in `programs.ALL`); None for all.
      focus: kinds that are drawn every other time.
      tangled: programs of another sort, whose outcome depends on the order of visits (`tests.generators.tangles`); none
        of the other switches says anything about them.
      max_ops: ops per block at the top of a function; nested blocks have fewer.
      annotated: share of results that get an `sdy.sharding`.
      density: how likely an axis shards some dimension of a sharding; None: another value for each program.
      non_divisible: how likely an axis may shard a dimension that it does not divide.
      small_meshes: at most 16 devices.
      maximal: shardings of op results on a single device; `maximal_arguments`: of function arguments and results too.
      undeclared: inlined meshes that no symbol stands for, the empty one among them.
      mesh_groups: collectives whose replica groups are axes of a mesh.
      odd_functions: functions that are only declared, and some without arguments.
      messy_groups: sharding groups with arbitrary ids, and values in several groups, as before the import passes.
      delicate: what the reference's partitioner gets wrong: reductions from another initial value than the neutral one
        or by multiplication, strided slices, padding with other values than zero, ops without a sharding rule.
      runs: programs that can be run and have finite results: loops count to three at most, products are those of few
        factors.
      dynamic: tensors with dynamic dimensions; propagation refuses them.
    """

    ops: frozenset[str] | None = None
    focus: frozenset[str] = frozenset()
    tangled: bool = False
    max_ops: int = 12
    annotated: float = 0.25
    density: float | None = None

    several_meshes: bool = True
    small_meshes: bool = False
    size_one_axes: bool = True
    device_ids: bool = True
    maximal: bool = False
    maximal_arguments: bool = False
    inlined: bool = False
    undeclared: bool = False
    mesh_groups: bool = False

    sub_axes: bool = True
    open_dims: bool = True
    priorities: bool = True
    replicated: bool = True
    unreduced: bool = False
    non_divisible: float = 0.15

    constants: bool = True
    constraints: bool = True
    groups: bool = True
    messy_groups: bool = False
    barriers: bool = True
    manual: bool = True
    named: bool = True
    control_flow: bool = True
    runs: bool = False
    calls: bool = True
    odd_functions: bool = False
    tokens: bool = True
    dynamic: bool = False
    delicate: bool = True
    custom_rules: bool = True
    chlo: bool = True
