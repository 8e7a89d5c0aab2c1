"""Ops of dialects that are defined in Python or by IRDL: the bindings verify their types by our functions.

    def tile(op: OpFacts) -> list[ShapedTypeComponents]: ...

    register_op("mine.tile", infer=tile)
    InferredTypes.attach("mine.tile", context)  # or as a trait of the op's class, traits=[InferredTypes]
    module = ir.Module.parse(text, context)     # refuses ops whose types do not follow, each at its place

Upstream has no type-inference interface for ops of such a dialect, but traits that verify it. These run before the op's
declaration is checked, so a shape function has to check its own assumptions; the readers of `OpFacts` do (spec:
type-inference, 4.2 to 4.4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, Unpack

from sdy.mlir import ir, load_chlo, stablehlo
from sdy.mlir.rewriting import At
from sdy.stablehlo import registry
from sdy.stablehlo.inference import infer_return_types
from sdy.stablehlo.op_facts import InferenceError
from sdy.stablehlo.verification import verify, verify_region

OpClass = TypeVar("OpClass", bound=type)


class InferredTypes:
    """A trait: the op is verified by its registered functions, and its result types are inferred."""

    class _Verified(ir.DynamicOpTrait):
        @staticmethod
        def verify_invariants(op: ir.Operation) -> bool:
            return _holds(op, verify)

        @staticmethod
        def verify_region_invariants(op: ir.Operation) -> bool:
            return _holds(op, verify_region)

    @staticmethod
    def attach(op_name: str, context: ir.Context | None = None) -> None:
        """Attach the trait to an op of a dialect that is loaded in the context; a second time does nothing.

        Args:
          op_name: full name of the op.
          context: the current one if missing.

        Raises:
          ValueError: the op is not registered with functions, is not known in the context, or is one of a dialect that
            is compiled in, which has verifiers of its own; or there is no context.
        """
        context = context or ir.Context.current
        if registry.find(op_name) is None:
            raise ValueError(f"'{op_name}' has no shape function or verifier: register_op comes first")
        if _is_compiled_in(op_name):
            raise ValueError(f"'{op_name}' is compiled in, and can get no trait")
        if context is None:
            raise ValueError(f"'{op_name}' gets a trait in a context, and there is no current one")
        if not context.is_registered_operation(op_name):
            raise ValueError(f"'{op_name}' is an op of no dialect that is loaded in the context")
        InferredTypes._Verified.attach(op_name, context=context)


def typed_op(op_class: OpClass) -> OpClass:
    """Declare that a class of `ext` holds the functions of its op, as static methods that take an `OpFacts`.

    `infer` gives the types of the results; `verify_types`, if present, checks conditions on the declared results or the
    regions; `is_compatible`, if present, replaces H2.

        @typed_op
        class TileOp(Mine.Operation, name="tile", traits=[InferredTypes, ext.Pure]):
            operand: ext.Operand[ir.RankedTensorType]
            factor: ir.IntegerAttr
            result: ext.Result[ir.RankedTensorType]

            @staticmethod
            def infer(op): ...

    Raises:
      TypeError: the class is not an op's, or has neither function.
    """
    name = getattr(op_class, "OPERATION_NAME", None)
    infer, verifier = getattr(op_class, "infer", None), getattr(op_class, "verify_types", None)
    if name is None or (infer is None and verifier is None):
        raise TypeError(f"{op_class.__name__} must be the class of an op, with a method infer or verify_types")
    registry.register_op(name, infer=infer, verify=verifier, is_compatible=getattr(op_class, "is_compatible", None))
    return op_class


def build(
    name: str,
    operands: Sequence[ir.Value],
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    regions: int = 0,
    **at: Unpack[At],
) -> ir.OpView:
    """Make an op of any dialect with inferred result types; regions are empty (P3.2).

    Args:
      name: full name.
      operands: values of the bindings.
      attributes: attributes of the bindings by name.
      regions: number of regions.
      loc, ip: location and insertion point, by default the current ones.

    Returns:
      The view of the op.

    Raises:
      InferenceError: the types do not follow; nothing is made.
    """
    types = infer_return_types(name, operands, attributes or {}, location=at.get("loc") or ir.Location.current)
    return ir.Operation.create(
        name, results=types, operands=list(operands), attributes=dict(attributes or {}), regions=regions, **at
    ).opview


def _holds(op: ir.Operation, check: Callable[[ir.Operation], None]) -> bool:
    """Return whether a check passes; emit its error at the op if it fails."""
    try:
        check(op)
    except InferenceError as error:
        op.operation.location.emit_error(str(error))
        return False
    return True


def _is_compiled_in(op_name: str) -> bool:
    """Return whether the op is compiled into the bindings.

    Attaching a Python trait to such an op would abort the process.
    """
    context = ir.Context()
    stablehlo.register_dialect(context)
    load_chlo(context)
    try:
        context.dialects[op_name.partition(".")[0]]
    except (KeyError, IndexError, ValueError):
        return False
    return context.is_registered_operation(op_name)
