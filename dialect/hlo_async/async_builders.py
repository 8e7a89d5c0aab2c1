"""Bundles as lists of types, and functions that build the ops of the dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard, Unpack

from sdy.dialect.hlo_async.declarations import DONE, MAIN_THREAD, RETURN, START, UPDATE, BundleType
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import At

_DEFAULT_CONTEXT = "tensor<i32>"
"""Default context of an operation in XLA."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The types of the operands, of the results and of the context of an asynchronous operation (spec: async, 10.1)."""

    operands: tuple[ir.Type, ...]
    results: tuple[ir.Type, ...]
    contexts: tuple[ir.Type, ...] = ()

    def type(self, context: ir.Context | None = None) -> ir.DynamicType:
        """The bundle as a type of the dialect, which the context (the current one by default) has to have."""
        lists = [
            ir.ArrayAttr.get([ir.TypeAttr.get(each) for each in types], context)
            for types in (self.operands, self.results, self.contexts)
        ]
        return ir.DynamicType.get(BundleType.type_name, lists, context=context)


def is_bundle(type_: ir.Type) -> TypeGuard[ir.DynamicType]:
    """Return whether a type is a bundle."""
    return isinstance(type_, ir.DynamicType) and str(type_).startswith(f"!{BundleType.type_name}<")


def bundle_of(type_: ir.Type) -> Bundle:
    """Return the types of a bundle.

    Raises:
      ValueError: an element of its lists is not a type.
    """
    return Bundle(*(_types(each) for each in ir.DynamicType(type_).params))


def _types(array: ir.Attribute) -> tuple[ir.Type, ...]:
    found = list(ir.ArrayAttr(array))
    for each in found:
        if not isinstance(each, ir.TypeAttr):
            raise ValueError(f"{each} is not a type")
    return tuple(each.value for each in found)


def default_contexts(context: ir.Context | None = None) -> Sequence[ir.Type]:
    """Return the default context type of an operation in HLO: an integer."""
    return (ir.Type.parse(_DEFAULT_CONTEXT, context),)


def start(
    operands: Sequence[ir.Value],
    result_types: Sequence[ir.Type],
    contexts: Sequence[ir.Type] = (),
    thread: str = MAIN_THREAD,
    computation: str | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """An `hlo_async.start` with an empty block, which has an argument for each operand; returns the op.

    Args:
      operands: operands of the operation.
      result_types: types of its results.
      contexts: types of its context.
      thread: the thread of execution.
      computation: name of the wrapped computation in HLO.
    """
    types = [each.type for each in operands]
    bundle = Bundle(tuple(types), tuple(result_types), tuple(contexts)).type()
    attributes = {"thread": ir.StringAttr.get(thread)}
    if computation is not None:
        attributes["computation"] = ir.StringAttr.get(computation)
    op = ir.Operation.create(START, results=[bundle], operands=list(operands), attributes=attributes, regions=1, **at)
    op.regions[0].blocks.append(*types, arg_locs=[each.location for each in operands])
    return op


def update(bundle: ir.Value, **at: Unpack[At]) -> ir.OpResult:
    """Builds an `hlo_async.update` of a bundle; returns the new bundle.

    Raises `TypeError` if it takes something else.
    """
    _check(bundle)
    return ir.Operation.create(UPDATE, results=[bundle.type], operands=[bundle], **at).results[0]


def done(bundle: ir.Value, **at: Unpack[At]) -> ir.Operation:
    """Builds an `hlo_async.done` of a bundle; returns the op, which has the results of the operation.

    Raises `TypeError` if it takes something else.
    """
    _check(bundle)
    results = list(bundle_of(bundle.type).results)
    return ir.Operation.create(DONE, results=results, operands=[bundle], **at)


def return_(values: Sequence[ir.Value], **at: Unpack[At]) -> ir.Operation:
    """Ends the body of a start; returns the op."""
    return ir.Operation.create(RETURN, operands=list(values), **at)


def _check(bundle: object) -> None:
    if not isinstance(bundle, ir.Value) or not is_bundle(bundle.type):
        raise TypeError(f"expected a value of a bundle's type, not {bundle!r}")
