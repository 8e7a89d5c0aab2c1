"""Raises the error of a callback on one device only after all devices have its result.

    %0 = "stablehlo.if"(%here) ({ custom_call @xla_ffi_python_cpu_callback(%x) {index = 0} }, { zeros })
    %1 = "stablehlo.all_reduce"(%0)
==> %0:2 = "stablehlo.if"(%here) ({ custom_call @xla_ffi_python_cpu_callback(%x, %none) {index = 1} }, { zeros, %none })
    %1 = "stablehlo.all_reduce"(%0#0)
    %failed = compare NE, %0#1, %none
    "stablehlo.if"(%failed) ({ custom_call @xla_ffi_python_cpu_callback(%0#1, %part_of_1) {index = 2} }, {})

The number of the failure travels as data, from one callback of a device to the next and to the one that raises
(`sdy.running.deferred_failures`), which is called for a failure only. It also gets an element of each collective's
result, so that it comes last. Callbacks in loops, and those that every device makes, stay: they fail where they are
called.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

import sdy
from sdy.dialect.ops.custom_calls import callbacks, is_made_on_parts
from sdy.mlir import ir
from sdy.mlir.functions import body, main_function
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import is_tensor
from sdy.partitioned_module import PartitionedModule
from sdy.running.boundary import dtype_of
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.ops import Builder

NO_FAILURE = 0

Passed: TypeAlias = "np.ndarray | np.generic | None"
"""Values that XLA passes to callbacks and takes from them: arrays, and None for tokens."""

Callback: TypeAlias = Callable[..., Sequence[Passed]]


class Failures:
    """Pending exceptions of the callbacks of one program, by number."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._raised: dict[int, Exception] = {}

    def add(self, error: Exception) -> int:
        """The number of a failure."""
        with self._lock:
            number = NO_FAILURE + 1 + next(self._numbers) % (2**31 - 1)  # an i32
            self._raised[number] = error
            return number

    def raise_(self, number: Passed, *_: Passed) -> tuple[()]:
        """Raise the failure of that number, unless it was reported; called by the last callback of a program."""
        with self._lock:
            error = self._raised.pop(_number(number), None)
        if error is not None:
            raise error
        return ()


def keeping_failures(callback: Callback, zeros: Sequence[np.ndarray | None], failures: Failures) -> Callback:
    """Return `callback` with one more argument and one more result: the number of the failure before it, and after it.

    After a failure it is not called, and returns `zeros`; None stands for a token, the first argument.
    """

    def kept(*args: Passed) -> tuple[Passed, ...]:
        *given, before = args
        number = _number(before)
        if number == NO_FAILURE:
            try:
                return (*callback(*given), np.int32(NO_FAILURE))
            except Exception as error:  # noqa: BLE001 (whatever it is, it is raised at the end)
                number = failures.add(error)
        return (*(given[0] if zero is None else zero for zero in zeros), np.int32(number))

    return kept


def _number(given: Passed) -> int:
    """The number of a failure as it travels."""
    assert given is not None, "a token has no number"
    return int(given)


_COLLECTIVES = (
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.reduce_scatter",
)
_INDEX = "index"
_CONFIG = "mhlo.backend_config"


def with_deferred_failures(
    partitioned: PartitionedModule, python_callbacks: Sequence[Callback]
) -> tuple[PartitionedModule, Sequence[Callback]]:
    """Return the changed program, and its callbacks; `python_callbacks` are those of `partitioned`."""
    if not python_callbacks or "python_" not in partitioned.text:
        return partitioned, python_callbacks
    module = sdy.parse(partitioned.text, context=partitioned.context)
    with module.context, ir.Location.unknown():
        changed = defer_failures(module.operation, python_callbacks)
    if changed is None:
        return partitioned, python_callbacks
    return replace(partitioned, text=module.operation.get_asm(enable_debug_info=True)), changed


def defer_failures(module: ir.Operation, python_callbacks: Sequence[Callback]) -> list[Callback] | None:
    """Change a device-local module as above. Return its callbacks; None if it needs no change.

    `python_callbacks` are those that the module refers to by index.
    """
    main = main_function(module)
    calls = [call for call in callbacks(main) if _is_made_by_one_device(call, main)]
    if not any(is_tensor(value.type) and _is_used(value) for call in calls for value in _branch(call).results):
        return None
    failures = Failures()
    kept = list(python_callbacks)
    # A function that is called twice, inside of a loop and outside, has its callback twice under one number.
    numbers: dict[int, int] = {}
    for call in calls:
        if _index(call) not in numbers:
            numbers[_index(call)] = len(kept)
            kept.append(keeping_failures(python_callbacks[_index(call)], _zeros(call), failures))
    block = body(main)
    raising = _with_index(calls[0], len(kept)) | {"has_side_effect": ir.BoolAttr.get(True)}
    b = Builder(ir.InsertionPoint.at_block_begin(block), main.location)
    none = b.constant(NO_FAILURE, ir.RankedTensorType.get([], ir.IntegerType.get_signless(32)))
    last: dict[int | None, ir.Value] = {}
    for call in calls:
        device = _device(call)
        last[device] = _with_failure(call, numbers[_index(call)], last.get(device, none))
    b = Builder.before(terminator(block))
    awaited = _awaited(b, main)
    for failure in last.values():
        _raise(b, b.compare(failure, none, "NE"), [failure, *awaited], raising)
    return [*kept, failures.raise_]


# Which callbacks -------------------------------------------------------------------------------------


def _is_made_by_one_device(call: ir.Operation, main: ir.Operation) -> bool:
    """Return whether a call is alone in a branch of one device, at the top of @main."""
    branch = _branch(call)
    return (
        not is_made_on_parts(call)
        and branch.name == "stablehlo.if"
        and branch.parent == main
        and branch.regions[0].blocks[0].operations[0] == call
        and _device(call) is not None
    )


def _branch(call: ir.Operation) -> ir.Operation:
    return call.parent.operation


def _device(call: ir.Operation) -> int | None:
    """Return the device that takes the branch around `call`, if the branch compares a device id."""
    compared = views.Compare.defining(_branch(call).operands[0])
    if compared is None or views.PartitionId.defining(compared.lhs) is None:
        return None
    return splat_integer(compared.rhs)


def _is_used(value: ir.Value) -> bool:
    return any(True for _ in value.uses)


def _index(call: ir.Operation) -> int:
    return ir.IntegerAttr(ir.DictAttr(call.attributes[_CONFIG])[_INDEX]).value


def _zeros(call: ir.Operation) -> list[np.ndarray | None]:
    """Return zeros for the results of a call that failed."""
    return [
        np.zeros(result.type.shape, dtype_of(str(result.type.element_type))) if is_tensor(result.type) else None
        for result in call.results
    ]


# Numbers of failures ---------------------------------------------------------------------------------


def _with_failure(call: ir.Operation, index: int, before: ir.Value) -> ir.Value:
    """Give a call, of the callback with that index, and the branch around it the number of the failure before it.

    Returns the number after it.
    """
    old = _branch(call)
    b = Builder.before(old)
    new = b.create("stablehlo.if", list(old.operands), [*(one.type for one in old.results), before.type], regions=2)
    for source, target in zip(old.regions, new.regions, strict=True):
        source.blocks[0].append_to(target)
    made, skipped = (region.blocks[0] for region in new.regions)
    number = _replaced(call, index, before).results[-1]
    _return_too(made, number)
    _return_too(skipped, before)
    for value, replacement in zip(old.results, new.results, strict=False):
        value.replace_all_uses_with(replacement)
    old.erase()
    return new.results[-1]


def _replaced(call: ir.Operation, index: int, before: ir.Value) -> ir.Operation:
    """Replace `call` by a call with one more operand and one more result."""
    attributes = _with_index(call, index)
    for layouts in ("operand_layouts", "result_layouts"):
        if layouts in attributes:
            attributes[layouts] = ir.ArrayAttr.get([*ir.ArrayAttr(attributes[layouts]), _layout_of_scalar()])
    types = [*(one.type for one in call.results), before.type]
    new = Builder.before(call).create(call.name, [*call.operands, before], types, attributes)
    for value, replacement in zip(call.results, new.results, strict=False):
        value.replace_all_uses_with(replacement)
    call.erase()
    return new


def _with_index(call: ir.Operation, index: int) -> dict[str, ir.Attribute]:
    """Return the attributes of a call, with the callback of that index."""
    config: dict[str, ir.Attribute] = {item.name: item.attr for item in ir.DictAttr(call.attributes[_CONFIG])}
    config[_INDEX] = ir.IntegerAttr.get(config[_INDEX].type, index)
    attributes: dict[str, ir.Attribute] = dict(call.attributes.items())
    attributes[_CONFIG] = ir.DictAttr.get(config)
    return attributes


def _return_too(block: ir.Block, value: ir.Value) -> None:
    old = terminator(block)
    Builder.before(old.operation).return_([*old.operands, value])
    old.erase()


def _layout_of_scalar() -> ir.Attribute:
    return ir.Attribute.parse("dense<> : tensor<0xindex>")


# The callback that raises ----------------------------------------------------------------------------


def _raise(b: Builder, failed: ir.Value, operands: list[ir.Value], attributes: dict[str, ir.Attribute]) -> None:
    """Call the callback that raises, on the device where one has failed."""
    layouts = {
        "operand_layouts": ir.ArrayAttr.get([_layout_of_scalar()] * len(operands)),
        "result_layouts": ir.ArrayAttr.get([]),
    }
    branch = b.create("stablehlo.if", [failed], [], regions=2)
    taken, other = (region.blocks.append() for region in branch.regions)
    at_end = Builder.at_end(taken, b.location)
    at_end.create("stablehlo.custom_call", operands, [], attributes | layouts)
    at_end.return_([])
    Builder.at_end(other, b.location).return_([])


def _awaited(b: Builder, main: ir.Operation) -> list[ir.Value]:
    """Return a number that depends on every collective of @main, if one has a suitable result."""
    ends = dict.fromkeys(_at_the_top(op, main) for op in ops_named(main, *_COLLECTIVES))
    elements = [_element(b, value) for op in ends for value in list(op.results)[:1] if _has_elements(value)]
    return [functools.reduce(b.add, elements)] if elements else []


def _at_the_top(op: ir.Operation, main: ir.Operation) -> ir.Operation:
    """Return the op of @main that is `op` or contains it."""
    while op.parent != main:
        op = op.parent.operation
    return op


def _has_elements(value: ir.Value) -> bool:
    return is_tensor(value.type) and 0 not in value.type.shape


def _element(b: Builder, value: ir.Value) -> ir.Value:
    """The first element of a tensor as an `f32`."""
    rank = len(value.type.shape)
    first = b.reshape(b.slice(value, [0] * rank, [1] * rank), []) if rank else value
    if isinstance(first.type.element_type, ir.ComplexType):
        first = b.real(first)
    return b.convert(first, ir.F32Type.get())
