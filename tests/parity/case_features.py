"""What the random programs contain on which passes are compared."""

from __future__ import annotations

from dataclasses import replace

from tests.generators.features import Features
from tests.generators.programs import ALL, REGISTERED

ANY = Features()
FREE = replace(ANY, maximal=True, maximal_arguments=True, unreduced=True)
"""Whatever the verifier accepts: for passes that do not look at what ops mean."""

INLINED = replace(FREE, inlined=True, undeclared=True, dynamic=True, mesh_groups=True)
MESSY_GROUPS = replace(FREE, messy_groups=True, focus=frozenset(["sharding_group"]))
CALLS = replace(ANY, focus=frozenset(["call"]), named=False)
"""The reference gives a user's named computations a second edge when it inlines calls, and refuses the module."""

FREE_CALLS = replace(FREE, focus=frozenset(["call"]))
ODD_CALLS = replace(FREE_CALLS, odd_functions=True, dynamic=True)
CONSTANTS = replace(FREE, focus=frozenset(["constant", "iota", "broadcast_in_dim", "add", "named_computation"]))
CONSTANT_CALLS = replace(ODD_CALLS, focus=frozenset(["call", "constant", "iota", "add", "sharding_group"]))
CONSTRAINTS = replace(FREE, focus=frozenset(["sharding_constraint", "sharding_group", "manual_computation", "while"]))
PLAIN_CONSTRAINTS = replace(CONSTRAINTS, manual=False, maximal=False)
"""The reference's debug options crash on constraints made for manual computations, and on values on single devices."""

EDGES = replace(
    ANY, focus=frozenset(["while", "case", "manual_computation", "named_computation", "optimization_barrier"])
)
COMPUTATIONS = replace(FREE, focus=frozenset(["named_computation", "manual_computation", "reshard"]))
TANGLED = replace(ANY, tangled=True)
"""A tenth of these programs comes out differently when ops are visited in another order, a third with other levels."""

RULES = replace(ANY, ops=ALL | REGISTERED, focus=REGISTERED, non_divisible=0.5)
"""Every op that has a rule."""

NO_NAMED = replace(ANY, named=False)
PIPELINE = replace(CALLS, inlined=True, maximal=True)

NO_LOCAL_FORM = frozenset(["map", "rng", "chlo", "chlo_top_k"])
"""What the reference's partitioner refuses where it is sharded: no rule says how operands and results fit together."""

EXPORTED = replace(
    ANY,
    named=False,
    groups=False,
    barriers=False,
    several_meshes=False,
    small_meshes=True,
    priorities=False,
    density=0.7,
)
"""Programs whose values have many different shardings, on one mesh."""

DENSE = replace(EXPORTED, annotated=0.7)
LOCAL = replace(DENSE, ops=ALL - NO_LOCAL_FORM, delicate=False)
SCATTERED = replace(LOCAL, several_meshes=True, inlined=True, unreduced=True)
"""On several meshes, some without a name, and with partial values."""

MOVES = replace(
    LOCAL,
    focus=frozenset(["slice", "pad", "concatenate", "reverse", "reshape", "dynamic_update_slice", "dynamic_slice"]),
)
RESHARDS = replace(
    DENSE,
    annotated=0.9,
    non_divisible=0.6,
    small_meshes=False,
    several_meshes=True,
    inlined=True,
    maximal=True,
    unreduced=True,
    dynamic=True,
    barriers=True,
    focus=frozenset(["reshard", "sharding_constraint"]),
)
"""Reshards between any two shardings, as no propagation leaves them."""

UNEVEN = replace(
    LOCAL, calls=False, control_flow=False, manual=False, focus=frozenset(["reduce", "dot_general", "slice"])
)


def without(features: Features, *ops: str) -> Features:
    """Programs without some kinds of ops."""
    return replace(features, ops=(features.ops or ALL) - set(ops), focus=features.focus - set(ops))
