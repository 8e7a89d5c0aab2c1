"""Shardings of values and of results of functions, read and written one by one.

module = sdy.parse(text)
main = sdy.funcs(module)[0]
x = main.regions[0].blocks[0].arguments[0]
sdy.set_sharding(x, sdy.TensorSharding.from_axes("mesh", [["x"], []]))
sdy.set_result_sharding(main, 0, sdy.get_sharding(x))
"""

from __future__ import annotations

from sdy.dialect.context import exclusively
from sdy.dialect.shardings import attribute_shardings, value_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir


def get_sharding(value: ir.Value) -> TensorSharding | None:
    """Returns the sharding of a value, None if it has none."""
    with value.context, exclusively(value.context):
        return value_shardings.get_sharding(value)


def set_sharding(value: ir.Value, sharding: TensorSharding) -> None:
    """Gives a value a sharding; ignored for a value that cannot have one.

    An op keeps the shardings of all its results in one list. Where that is new, the other results are open on the mesh
    of `sharding`.

    Args:
      value: an argument of a function or region, or a result of an op. Results of functions are no values: see
        `set_result_sharding`.
      sharding: what it gets, in place of what it has.
    """
    with value.context, exclusively(value.context):
        value_shardings.set_sharding(value, sharding)


def get_result_sharding(func: ir.Operation | ir.OpView, number: int) -> TensorSharding | None:
    """Returns the sharding of a result of a function, None if it has none.

    Args:
      func: a `func.func` (see `funcs`).
      number: which result, from 0.

    Raises:
      ValueError: `func` is no function, or has no such result.
    """
    op = _with_result(func, number)
    with op.context, exclusively(op.context):
        return attribute_shardings.result_sharding(op, number)


def set_result_sharding(func: ir.Operation | ir.OpView, number: int, sharding: TensorSharding | None) -> None:
    """Gives a result of a function a sharding, or takes it away.

    Args:
      func: a `func.func` (see `funcs`).
      number: which result, from 0.
      sharding: what it gets, in place of what it has; None takes that away.

    Raises:
      ValueError: `func` is no function, or has no such result.
    """
    op = _with_result(func, number)
    with op.context, exclusively(op.context):
        attribute_shardings.set_result_sharding(op, number, sharding)


def _with_result(func: ir.Operation | ir.OpView, number: int) -> ir.Operation:
    op = func.operation
    if op.name != "func.func":
        raise ValueError(f"'{op.name}' is no function; results of other ops are values: use set_sharding")
    count = attribute_shardings.num_results(op)
    if not 0 <= number < count:
        raise ValueError(f"the function has {count} results, and none of the number {number}")
    return op
