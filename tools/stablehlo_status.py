"""The page on what is known of each op of StableHLO and CHLO, read off the registries."""

from __future__ import annotations

import importlib
import importlib.util
import textwrap
from typing import Any

from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.op_properties import is_elementwise_name
from sdy.dialect.ops.model import model_with
from sdy.dialect.ops.rules import extended_ops, has_built_in_rule, has_target, is_without_rule
from sdy.passes.partitioning.local.convert_global_to_local import choice_of
from sdy.passes.partitioning.normalize.op_patterns import FOREIGN_CONSTANTS
from sdy.stablehlo import registered_ops, registry
from sdy.stablehlo.declarations import declaration_of

HEAD = (
    "op",
    "specification",
    "verification",
    "type inference",
    "builder",
    "sharding rule",
    "padding",
    "local lowering",
)

LEGEND = """
| value | meaning |
| --- | --- |
| yes | there, and in step with the specification |
| yes* | there, in step with XLA or CHLO, as the specification has no section; in the last three columns see below |
| revisit | there, but not in step |
| no | not there |
| infeasible | there can be none |

- Specification: `no` for CHLO, which has none, and for ops that XLA alone defines.
- Type inference: `infeasible` where the type does not follow from operands, attributes and regions. `(shape)`: the
  shape follows, the element type does not. Where operands say sizes, as far as they are constants.
- Builder: a function of `sdy.stablehlo.ops`, for CHLO's ops of `sdy.stablehlo.ops.chlo`.
- Sharding rule: `yes*` for data-flow edges instead of a rule, rules by the target of a call, or rules that the
  partitioner adds (`sdy-normalize-ops`). `infeasible` where nothing is propagated from operands to
  results.
- Padding: `yes` has its own, `yes*` grows with its tensors where its dimensions pass through, `no` is computed without.
- Local lowering: `yes` has its own, `yes*` is kept as its rule, its elements or its edges allow, `no` is computed as a
  whole on every device.

Why not:

{reasons}
"""

REASONS = {
    "a": "as in the reference, which propagates nothing through it; an attribute `sdy.sharding_rule`, or a rule that "
    "users register, says otherwise",
    "b": "no rule says which of its dimensions correspond, so none of them is cut or padded",
    "c": "tokens, tuples, futures and numbers of devices have no dimensions to be cut or padded",
    "d": "what its values mean is known to a host or to the target of a call, not to us",
    "e": "what it ends has the rule",
}
"""Why a column says `no`, by the letter behind it."""

WITHOUT_SECTION = frozenset(
    f"stablehlo.{name}"
    for name in (
        "broadcast create_token cross-replica-sum dot einsum unary_einsum real_dynamic_slice return set_dimension_size "
        "torch_index_select"
    ).split()
)
"""Ops of StableHLO on which its specification is silent."""

OPEN_ELEMENTS = frozenset(
    "stablehlo.convert stablehlo.convolution stablehlo.dot stablehlo.dot_general stablehlo.dynamic_conv "
    "stablehlo.dynamic_iota stablehlo.uniform_quantize chlo.ragged_dot".split()
)
"""Ops of which the shape follows, but not the element type."""


_WITHOUT_DIMENSIONS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "after_all async_done async_start create_token get_tuple_element outfeed partition_id recv replica_id send "
        "tuple"
    ).split()
)


def legend() -> str:
    """What values and letters in the table mean."""
    lines = (f"- ({letter}) {reason}." for letter, reason in REASONS.items())
    return LEGEND.format(reasons="\n".join(textwrap.fill(line, 118, subsequent_indent="  ") for line in lines))


def rows() -> list[tuple[str, ...]]:
    """One row per op: its name, then the values of the columns."""
    return [status(name) for name in sorted(registered_ops()) if name.startswith(("stablehlo.", "chlo."))]


def status(name: str) -> tuple[str, ...]:
    """The row of the op with that full name."""
    has_text = name.startswith("stablehlo.") and name not in WITHOUT_SECTION
    yes = "yes" if has_text else "yes*"
    return (
        f"`{name}`",
        "yes" if has_text else "no",
        _verification(name, yes),
        _inference(name, yes),
        _builder(name),
        _rule(name),
        _padding(name),
        _lowering(name),
    )


def _verification(name: str, yes: str) -> str:
    return "no" if declaration_of(name) is None else yes


def _inference(name: str, yes: str) -> str:
    known = registry.find(name)
    if known is None or known.infer is None:
        return "infeasible"
    return f"{yes} (shape)" if name in OPEN_ELEMENTS else yes


def _builder(name: str) -> str:
    if importlib.util.find_spec("sdy.stablehlo.ops") is None:
        return "no"
    ops: Any = importlib.import_module("sdy.stablehlo.ops")
    family = ops.chlo if name.startswith("chlo.") else ops
    function = name.partition(".")[2].replace("-", "_")
    return "yes" if any(callable(getattr(family, each, None)) for each in (function, f"{function}_")) else "no"


def _rule(name: str) -> str:
    if has_built_in_rule(name):
        return "yes"
    if is_data_flow_op(name) or has_target(name):
        return "yes*"
    if name in extended_ops():
        return "yes*"
    if is_without_rule(name):
        return "infeasible"
    return "no (e)" if name == "stablehlo.return" else "no (a)"


def _padding(name: str) -> str:
    if model_with("pad", name) is not None:
        return "yes"
    grows = (
        is_data_flow_op(name)
        or model_with("grows", name)
        or model_with("grows_alike", name)
        or model_with("is_elementwise", name)
        or is_elementwise_name(name)
        or has_built_in_rule(name)
        or name in extended_ops()
    )
    return "yes*" if grows else _not_by_parts(name)


def _lowering(name: str) -> str:
    if choice_of(name) is not None:
        return "yes"
    follows = is_data_flow_op(name) or is_elementwise_name(name) or has_built_in_rule(name)
    return "yes*" if follows or name in extended_ops() else _not_by_parts(name)


def _not_by_parts(name: str) -> str:
    """Why an op is not made with padded or cut tensors."""
    if name in FOREIGN_CONSTANTS:
        return "yes*"
    if name in _WITHOUT_DIMENSIONS:
        return "no (c)"
    if name in ("stablehlo.custom_call", "stablehlo.infeed"):
        return "no (d)"
    assert _rule(name) == "no (a)", name
    return "no (b)"
