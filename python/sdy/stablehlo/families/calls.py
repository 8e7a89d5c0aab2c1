"""Types of calls and of control flow."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import read_alias, read_array, read_integer, read_layouts
from sdy.stablehlo.body_rules import find_symbol, returns_predicate
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import Body, OpFacts
from sdy.stablehlo.registry import infers, verifies, without_functions
from sdy.stablehlo.traits import equal_types_pairwise
from sdy.stablehlo.types.value_types import Plain, Tensor, ValueType, compatible_lists, joined, read_types

_CALLED = "Any+|unranked|buffer|token|tuple|future"

declare(
    "custom_call",
    f"inputs*:{_CALLED}",
    f"results*:{_CALLED}",
    "call_target_name:string has_side_effect?:bool backend_config?:string|dict api_version?:i32 "
    "called_computations?:symbols operand_layouts?:layouts result_layouts?:layouts output_operand_aliases?:aliases "
    "result_tilings?:array",
)
_COMPOSITE = "Any|QA|token|tuple"
declare(
    "composite",
    f"inputs*:{_COMPOSITE}",
    f"results*:{_COMPOSITE}",
    "name:string decomposition:symbol=i4 composite_attributes?:dict=i3 version?:i32=i5",
    regions=(0, 2**31),
)


# custom_call ---------------------------------------------------------------------------------------------------------


@verifies("custom_call")
def verify_custom_call(op: OpFacts) -> None:
    """Check layouts, aliases and configuration; the target defines the types."""
    _check_layouts(op)
    aliased = _check_aliases(op)
    _check_backend_config(op)
    _check_buffers(op, aliased)


def _check_layouts(op: OpFacts) -> None:
    operands, results = (op.optional(name, read_layouts, "layouts") for name in ("operand_layouts", "result_layouts"))
    if (operands is None) != (results is None):
        raise op.error("layouts", "needs layouts for operands and results, or for none")
    if operands is None or results is None:
        return
    _check_layout_list(op, operands, op.operands, "operand")
    _check_layout_list(op, results, _tuple_parts(op.results), "result")


def _tuple_parts(types: Sequence[ValueType]) -> Sequence[ValueType]:
    """Return the types in a single tuple, which has one layout per type."""
    single = types[0] if len(types) == 1 else None
    return single.parts if isinstance(single, Plain) and single.kind == "tuple" else types


def _check_layout_list(
    op: OpFacts, layouts: Sequence[ir.DenseIntElementsAttr], types: Sequence[ValueType], what: str
) -> None:
    if len(layouts) != len(types):
        raise op.error("layouts", f"needs {len(types)} layouts of {what}s, not {len(layouts)}")
    for layout, type_ in zip(layouts, types, strict=True):
        order = np.array(layout).ravel().tolist() if len(layout) else []
        if isinstance(type_, Plain) and type_.kind == "tuple":
            raise op.error("layouts", f"{type_} can have no layout")
        rank = type_.rank if isinstance(type_, Tensor) else _buffer_rank(type_)
        if rank is not None and sorted(order) != list(range(rank)):
            raise op.error("layouts", f"{order} is not an order of the dimensions of {type_}")


def _buffer_rank(type_: Plain) -> int | None:
    """Return the number of dimensions that a layout orders; None if any number is allowed."""
    if type_.kind == "unranked":
        return None
    return type_.type.rank if type_.kind == "buffer" and isinstance(type_.type, ir.MemRefType) else 0


def _check_aliases(op: OpFacts) -> list[ValueType]:
    """Check that aliased parts of results and operands have one type; return the parts of the results."""
    parts: list[ValueType] = []
    for attribute in op.optional("output_operand_aliases", read_array, "an array", []):
        alias = read_alias(attribute)
        if alias is None:
            raise op.error("aliases", f"{attribute} is not an alias")
        if not 0 <= alias.operand_index < len(op.operands):
            raise op.error("aliases", f"operand_index {alias.operand_index} is out of range")
        source = _part(op, op.operands[alias.operand_index], alias.operand_tuple_indices)
        target = _part(op, _whole_result(op), alias.output_tuple_indices)
        if source != target:
            raise op.error("aliases", f"{source} cannot be the same as {target}")
        parts.append(target)
    return parts


def _whole_result(op: OpFacts) -> ValueType:
    return op.results[0] if len(op.results) == 1 else Plain("tuple", tuple(op.results))


def _part(op: OpFacts, type_: ValueType, indices: Sequence[int]) -> ValueType:
    for index in indices:
        if not isinstance(type_, Plain) or type_.kind != "tuple" or not 0 <= index < len(type_.parts):
            raise op.error("aliases", f"{type_} has no part {index}")
        type_ = type_.parts[index]
    return type_


def _check_backend_config(op: OpFacts) -> None:
    """Check for a dictionary in the typed interface (version 4), a string otherwise."""
    config = op.attributes.get("backend_config")
    version = op.attributes.get("api_version")
    if config is None:
        return
    is_typed = version is not None and read_integer(version, 32) == 4
    is_empty = isinstance(config, ir.StringAttr) and not config.value
    if isinstance(config, ir.DictAttr) != is_typed and not (is_typed and is_empty):
        raise op.error("i4", "backend_config must be a dictionary with api version 4, else a string")


def _check_buffers(op: OpFacts, aliased: Sequence[ValueType]) -> None:
    target = op.text("call_target_name")
    kinds = [_kind(type_) for type_ in op.operands], [_kind(type_) for type_ in op.results]
    if target in _BUFFER_TARGETS:
        if kinds != _BUFFER_TARGETS[target]:
            raise op.error("buffers", f"'{target}' takes {kinds[0]} and gives {kinds[1]}")
        return
    buffers = [type_ for type_ in _flat(op.results) if _kind(type_) == "buffer"]
    if len([type_ for type_ in aliased if _kind(type_) == "buffer"]) < len(buffers):
        raise op.error("buffers", "a buffer that is a result must be an operand's")


_BUFFER_TARGETS = {"CreateBuffer": ([], ["buffer"]), "Pin": (["tensor"], ["buffer"]), "Unpin": (["buffer"], ["tensor"])}


def _kind(type_: ValueType) -> str:
    return "tensor" if isinstance(type_, Tensor) else type_.kind


def _flat(types: Sequence[ValueType]) -> list[ValueType]:
    found: list[ValueType] = []
    for type_ in types:
        if isinstance(type_, Plain) and type_.kind == "tuple":
            found += _flat(type_.parts)
        else:
            found.append(type_)
    return found


# composite -----------------------------------------------------------------------------------------------------------

_COMPOSITE_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*(\.[a-zA-Z0-9_$]+)+")


@infers("composite", "c4", partial=True)
def infer_composite(op: OpFacts) -> list[ValueType]:
    """Return the results of the decomposition, which has to be in the op's program."""
    signature = _signature(op)
    if signature is None:
        raise op.error("c2", "needs a decomposition that can be looked up")
    if read_types(signature.inputs) != list(op.operands):
        raise op.error("c3", "operands and arguments of the decomposition differ")
    return read_types(signature.results)


@verifies("composite")
def verify_composite(op: OpFacts) -> None:
    if not _COMPOSITE_NAME.fullmatch(op.text("name")):
        raise op.error("c1", f"name '{op.text('name')}' must be of the form 'namespace.op'")
    if not _same_types(infer_composite(op), op.results):
        raise op.error("c4", "results of the op and of the decomposition differ")


def _same_types(first: Sequence[ValueType], second: Sequence[ValueType]) -> bool:
    return list(first) == list(second)


def _signature(op: OpFacts) -> ir.FunctionType | None:
    """Return the function type of the decomposition; None if it cannot be found."""
    function = find_symbol(op, op.attributes.get("decomposition"))
    return function.attributes["function_type"].value if function is not None and function.name == "func.func" else None


declare("if", "pred:Pred", "results*:Any|QA|token", regions=2)
declare("case", "index:i32", "results*:Any|QA|token", regions=(0, 2**31))
declare("while", "operand*:Any|QA|token|buffer", "results*:Any|QA|token|buffer", regions=2)
declare("optimization_barrier", "operand*:Any|token", "results*:Any|token", traits=[equal_types_pairwise("c1")])
declare("return", "results*:any", "")

without_functions("return")


# if, case ------------------------------------------------------------------------------------------------------------


@infers("if", "c3")
def infer_if(op: OpFacts) -> list[ValueType]:
    """Infer the results from both branches, which must not be empty."""
    if op.tensor(0).dims:
        raise op.error("i1", f"pred must be a scalar, not {op.tensor(0)}")
    labels = ("i2", "c1", "c2")
    return _joined_branches(op, [op.body(0), op.body(1)], labels)


@infers("case", "c4")
def infer_case(op: OpFacts) -> list[ValueType]:
    """Infer the results from all branches; there is at least one, and none is empty."""
    if op.tensor(0).dims:
        raise op.error("i1", f"index must be a scalar, not {op.tensor(0)}")
    if not op.regions:
        raise op.error("c1", "needs a branch")
    bodies = [op.body(number) for number in range(len(op.regions))]
    return _joined_branches(op, bodies, ("i2", "c2", "c3"))


def _joined_branches(op: OpFacts, bodies: Sequence[Body], labels: tuple[str, str, str]) -> list[ValueType]:
    empty, arguments, results = labels
    for number, body in enumerate(bodies):
        if body.is_empty:
            raise op.error(empty, f"branch {number} must not be empty")
        if body.arguments:
            raise op.error(arguments, f"branch {number} must not take arguments")
    for number, body in enumerate(bodies[1:], 1):
        if not compatible_lists(bodies[0].results, body.results):
            raise op.error(results, f"branches 0 and {number} return different types")
    return [joined(types) for types in zip(*(body.results for body in bodies), strict=True)]


# while ---------------------------------------------------------------------------------------------------------------


@infers("while", "c3")
def infer_while(op: OpFacts) -> list[ValueType]:
    """The types of the operands; the regions are not looked at."""
    return list(op.operands)


@verifies("while")
def verify_while(op: OpFacts) -> None:
    condition, body = op.body(0), op.body(1)
    for label, region, what in (("c1", condition, "condition"), ("c2", body, "body")):
        if region.is_empty or not compatible_lists(op.operands, region.arguments):
            raise op.error(label, f"the {what} must take the types of the operands")
    if not compatible_lists(op.operands, body.results):
        raise op.error("c2", "the body must return the types of the operands")
    if not returns_predicate(condition):
        raise op.error("c1", "the condition must return one boolean scalar")


# optimization_barrier ------------------------------------------------------------------------------------------------


@infers("optimization_barrier", "c1")
def infer_optimization_barrier(op: OpFacts) -> list[ValueType]:
    """Return the types of the operands, which the declaration ties to the results."""
    return list(op.operands)
