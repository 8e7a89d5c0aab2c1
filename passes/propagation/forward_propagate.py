"""sdy-forward-propagate: what follows from the arguments alone, operation by operation towards the results.

    %0 = stablehlo.dot_general %x, %w, ...                                  // x is [{"data", ?}, {?}]
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"data"}]>
==> %0 = stablehlo.dot_general %x, %w, ...  {... [{"data", ?}, {?}]}
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"data"}]>

Shardings travel from operands to results and, as wherever propagation goes forward, to the other operands; never from
results to operands. They pass constraints as if there were none, so that what is wanted later, of a gradient say, does
not shard what comes first. User priorities are not looked at. The reference has no such
pass; `sdy-propagation-pipeline{forward-first}` runs it in front of the usual propagation.
"""

from __future__ import annotations

from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.propagation.engine.session import PropagationOptions, Session
from sdy.passes.propagation.strategies.direction import Direction
from sdy.passes.propagation.strategies.strategy import PropagationStrategy
from sdy.passes.registry import pass_


@pass_("sdy-forward-propagate", options=PropagationOptions)
def forward_propagate(module: ir.Operation, options: PropagationOptions) -> None:
    session = Session(module, options, only=Direction.FORWARD)
    constraints = _constraints(session)
    for _, slot, sharding in constraints:
        opened = TensorSharding.open(sharding.mesh_or_ref, sharding.rank)
        session.driver.set(slot, session.table.number(opened))
    session.propagate(PropagationStrategy.BASIC)
    for op, slot, sharding in constraints:
        if session.driver.is_alive(op):
            session.driver.set(slot, session.table.number(sharding))
    session.finish()


def _constraints(session: Session) -> list[tuple[int, int, TensorSharding]]:
    """The constraints, the slots of their results, and their shardings."""
    names, results = session.snapshot.names, session.snapshot.results
    found = [(op, results[op][0]) for op, name in enumerate(names) if name == "sdy.sharding_constraint"]
    return [(op, slot, sharding) for op, slot in found if (sharding := session.store.sharding(slot)) is not None]
