"""Wraps one op in its own module, for running passes on it, and the filter of such ops (spec: partitioner, 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition.attributes import SHARDING, attr_of
from sdy.dialect.ir_builders.with_sharding import pad_high, set_sharding, slice_high
from sdy.dialect.op_properties import is_constant
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import (
    ARGUMENTS,
    RESULTS,
    ModuleSymbols,
    body,
    callee_name,
    calls_in,
    funcs,
    new_function,
    put_entries,
    set_callee,
    symbol_name,
    top_level,
)
from sdy.mlir.tensor_types import is_tensor, with_shape
from sdy.mlir.walk import pre_order
from sdy.stablehlo import views
from sdy.stablehlo.idioms.dense import resized_text
from sdy.stablehlo.ops import Builder

_NAME = "instruction"


@dataclass(frozen=True)
class Live:
    """An operand or result of the op, its sharding by mesh name, and its padded shape."""

    value: ir.Value
    sharding: TensorSharding
    padded_shape: tuple[int, ...]

    @property
    def is_padded(self) -> bool:
        return is_tensor(self.value.type) and list(self.value.type.shape) != list(self.padded_shape)

    @property
    def padded_type(self) -> ir.Type:
        return with_shape(self.value.type, self.padded_shape) if self.is_padded else self.value.type


class InstructionModule:
    """A module with a private function that does the ops from `first` to `last` on padded values.

    The new module has the meshes of the op's module, and the functions that the op calls.
    """

    def __init__(
        self,
        around: ir.Operation,
        first: ir.Operation,
        last: ir.Operation,
        ins: Sequence[Live],
        outs: Sequence[Live],
    ) -> None:
        self.module = ir.Module.create(loc=first.location)
        self._ins, self._outs = ins, outs
        with ir.InsertionPoint(self.module.body):
            for op in top_level(around):
                if op.name == "sdy.mesh":
                    op.clone()
            for called in _called(around, first):
                called.clone()
            self._func = self._declare(first.location)
        self._fill(first, last)

    # Before the passes ---------------------------------------------------------------------------

    def _declare(self, location: ir.Location) -> ir.Operation:
        inputs, results = ([live.padded_type for live in lives] for lives in (self._ins, self._outs))
        func = new_function(_NAME, inputs, results, is_private=True, loc=location)
        for kind, lives in ((ARGUMENTS, self._ins), (RESULTS, self._outs)):
            put_entries(func, kind, [{SHARDING: attr_of(live.sharding)} for live in lives])
        func.regions[0].blocks.append(*inputs, arg_locs=[location] * len(inputs))
        return func

    def _fill(self, first: ir.Operation, last: ir.Operation) -> None:
        block = body(self._func)
        b = Builder.at_end(block, first.location)
        keeps_padding = first.name == "sdy.reshard"
        values: list[ir.Value] = list(block.arguments)
        count = len(first.operands)
        # Captured values first, as the reference does.
        for index in (*range(count, len(values)), *range(count)):
            live = self._ins[index]
            if live.is_padded and not keeps_padding:
                values[index] = slice_high(b, values[index], live.value.type.shape, live.sharding)
            if (join := views.Concatenate.match(first)) is not None:
                values[index] = _whole_along(b, join.dimension, live, values[index])
        results = self._body_of(b, first, last, values)
        returned = []
        for live, result in zip(self._outs, results, strict=True):
            value = result
            if live.is_padded and value.type != live.padded_type:
                value = pad_high(b, result, live.padded_shape, live.sharding)
            returned.append(value)
        b.create("func.return", returned, ())

    def _body_of(
        self, b: Builder, first: ir.Operation, last: ir.Operation, values: Sequence[ir.Value]
    ) -> list[ir.Value]:
        """Return the results of the ops on `values`: first the operands, then captured values."""
        if first.name == "sdy.reshard":
            return [sdy_ops.reshard(values[0], self._outs[0].sharding, loc=b.location, ip=b.ip)]
        if is_constant(first) and self._outs[0].is_padded:
            return [_extended(b, first, self._outs[0])]
        if first.name == "stablehlo.concatenate":
            return [_concatenated(b, first, self._outs[0], values)]
        count = len(first.operands)
        captured = {live.value: value for live, value in zip(self._ins[count:], values[count:], strict=True)}
        clone = _cloned(b, first, values[:count], captured)
        if last != first:
            clone = _cloned(b, last, list(clone.results), {})
        return list(clone.results)

    # After the passes ----------------------------------------------------------------------------

    def local_argument_types(self) -> list[ir.Type]:
        return [argument.type for argument in body(self._func).arguments]

    def move_body(self, block: ir.Block, around: ir.Operation) -> None:
        """Moves the function's ops to the end of `block`, and called functions to the module `around`."""
        self._move_called(around)
        source = body(self._func)
        for argument, target in zip(source.arguments, block.arguments, strict=True):
            argument.replace_all_uses_with(target)
        *ops, terminator = [view.operation for view in source.operations]
        for op in ops:
            block.append(op)
        sdy_ops.return_(list(terminator.operands), loc=terminator.location, ip=ir.InsertionPoint(block))
        terminator.erase()

    def _move_called(self, around: ir.Operation) -> None:
        called = [func for func in funcs(self.module.operation) if func != self._func]
        if not called:
            return
        calls: dict[str, list[ir.Operation]] = {symbol_name(func): [] for func in called}
        for call in calls_in(self.module.operation):
            calls[callee_name(call)].append(call)
        symbols = ModuleSymbols(around)
        for func in called:
            old = symbol_name(func)
            func.detach_from_parent()
            new = symbols.insert(func)
            for call in calls[old]:
                set_callee(call, new)


def _called(module: ir.Operation, op: ir.Operation) -> list[ir.Operation]:
    """Return the functions that `op` calls, directly and indirectly, depth first from the last call."""
    by_name = {symbol_name(func): func for func in funcs(module)}
    found: dict[str, None] = {}
    todo = [op]
    while todo:
        caller = todo.pop()
        for call in [caller] if caller.name == "func.call" else calls_in(caller):
            name = callee_name(call)
            if name not in found:
                found[name] = None
                todo.append(by_name[name])
    return [by_name[name] for name in found]


def _cloned(
    b: Builder, op: ir.Operation, operands: Sequence[ir.Value], captured: Mapping[ir.Value, ir.Value]
) -> ir.Operation:
    """Return a copy of `op` with other operands and other captured values."""
    clone = op.clone(ip=b.ip)
    for number, operand in enumerate(operands):
        clone.operands[number] = operand
    for nested in pre_order(clone):
        if nested != clone:
            for number, operand in enumerate(nested.operands):
                if operand in captured:
                    nested.operands[number] = captured[operand]
    return clone


def _extended(b: Builder, op: ir.Operation, live: Live) -> ir.Value:
    type_ = live.padded_type
    text = f'"{op.name}"() {{value = {resized_text(op, ir.RankedTensorType(type_))}}} : () -> {type_}'
    new = ir.Operation.parse(text).operation
    new.location = b.location
    b.ip.insert(new)
    set_sharding(new.results[0], live.sharding)
    return new.results[0]


def _whole_along(b: Builder, dim: int, live: Live, value: ir.Value) -> ir.Value:
    """Return `value`, a form of `live`, not sharded along `dim`."""
    if not live.sharding.dims[dim].axes:
        return value
    return sdy_ops.reshard(value, live.sharding.replicated_along([dim]), loc=b.location, ip=b.ip)


def _concatenated(b: Builder, op: ir.Operation, out: Live, operands: Sequence[ir.Value]) -> ir.Value:
    """A concatenation of operands that are whole along the concatenated dimension."""
    dim, result = views.Concatenate(op).dimension, _cloned(b, op, operands, {}).results[0]
    if not out.sharding.dims[dim].axes:
        return result
    set_sharding(result, out.sharding.replicated_along([dim]))
    return sdy_ops.reshard(result, out.sharding, loc=b.location, ip=b.ip)


@dataclass(frozen=True)
class InstructionFilter:
    """Filter of ops: `low` and `high` are numbers of candidates, `names` parts of op names (any may match)."""

    func: str | None = None
    low: int | None = None
    high: int | None = None
    names: tuple[str, ...] = ()

    @staticmethod
    def parse(text: str) -> InstructionFilter:
        """Reads ``selectLow=1,selectHigh=4,func=main,dot``, possibly in quotes.

        Raises:
          ValueError: an invalid number.
        """
        func: str | None = None
        bounds: dict[str, int] = {}
        names: list[str] = []
        for token in filter(None, (part.strip() for part in text.strip().strip("\"'").split(","))):
            key, separator, value = token.partition("=")
            if separator and key in ("func", "function"):
                func = value
            elif separator and key in ("selectLow", "selectHigh"):
                bounds[key] = int(value)
            else:
                names.append(token)
        return InstructionFilter(func, bounds.get("selectLow"), bounds.get("selectHigh"), tuple(names))

    def accepts(self, name: str, number: int) -> bool:
        """Return whether the op called `name`, the candidate of that number, is taken."""
        if self.low is not None and number < self.low:
            return False
        if self.high is not None and number > self.high:
            return False
        return not self.names or any(part in name for part in self.names)
