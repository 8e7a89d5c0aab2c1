"""Lowering of JAX functions to modules with ops of `mpmd`, by rules that only hold inside of `mpmd.jit`.

The ops are made in JAX's bindings, which do not know the dialect: they are written in generic form, which ours read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import jax
from jax.extend.mlir import ir

from sdy.dialect.mpmd.values import UserOrigin
from sdy.jax.annotations.named_computations import lower_body
from sdy.jax.inner_functions import lower_inner_function
from sdy.jax.mpmd.units import CallUnit, NamedUnit, install_transposition, ops_of_values, unit_of
from sdy.jax_internals import LoweringParameters, effects, mlir, pjit

if TYPE_CHECKING:
    from jax.extend.core import Jaxpr

    from sdy.jax.compile_option import Options


_TOKEN = "!stablehlo.token"


class _Lowering:
    """The rules for one module, and the loops in it so far."""

    def __init__(self) -> None:
        self._loops: dict[int, tuple[int, int]] = {}  # the first call counter of each, and that of the next loop
        self._tokenless: set[str] = set()  # functions whose tokens were dropped

    def lower_jit(
        self, context: mlir.LoweringRuleContext, *operands: ir.Value, compiler_options_kvs: Options, **params: Any
    ) -> Sequence[Any]:
        """Lower a jitted function: a unit as such, any other by the other rules."""
        unit = unit_of(compiler_options_kvs)
        if isinstance(unit, NamedUnit):
            return _lower_computation(context, unit, params["jaxpr"], operands)
        block = ir.InsertionPoint.current.block
        before = len(block.operations)
        results = lower_inner_function(context, *operands, compiler_options_kvs=compiler_options_kvs, **params)
        if isinstance(unit, CallUnit):
            new = list(block.operations)[before:]
            made = next(op.operation for op in new if op.operation.name == "func.call")
            callee = ir.FlatSymbolRefAttr(made.attributes["callee"]).value
            if callee not in self._tokenless:
                self._tokenless.add(callee)
                _drop_tokens(context.module_context.symbol_table[callee].operation)
            return _replace_call(made, context, self._counter(unit), results)
        return results

    def _counter(self, unit: CallUnit) -> int | None:
        """Return the call counter of a unit: loops before its own in the program have smaller ones."""
        if unit.counter is None or unit.loop is None:
            return unit.counter
        if unit.loop not in self._loops:
            first = max((end for _, end in self._loops.values()), default=0)
            self._loops[unit.loop] = first, first + unit.iterations
        return self._loops[unit.loop][0] + unit.counter


def _lower_computation(
    context: mlir.LoweringRuleContext, unit: NamedUnit, jaxpr: Jaxpr, operands: Sequence[ir.Value]
) -> list[ir.Value]:
    """Lower to `mpmd.named_computation`; to nothing if there are no results.

    Its ordered effects have tokens of their own: the order of its mesh is theirs, and there is none across meshes.
    """
    context.set_tokens_out(context.tokens_in)
    if not context.avals_out:
        return []
    ordered = list(effects.ordered_effects.filter_in(jaxpr.effects))
    context.module_context.context.allow_unregistered_dialects = True
    # A block belongs to an op; this one is there until it is known what the block returns.
    holder = ir.Operation.create("builtin.module", regions=1)
    outside = [*context.dim_var_values, *operands]
    block = holder.regions[0].blocks.append(*(x.type for x in outside))
    with ir.InsertionPoint(block):
        sizes, arguments = (
            block.arguments[: len(context.dim_var_values)],
            block.arguments[len(context.dim_var_values) :],
        )
        tokens = {each: _token() for each in ordered}
        returned: list[Any] = lower_body(context, unit.name, jaxpr, sizes, tokens, arguments)[len(tokens) :]
        ir.Operation.create("mpmd.return", operands=returned)
    op = ir.Operation.create(
        "mpmd.named_computation",
        results=[value.type for value in returned],
        operands=outside,
        attributes={"origin": ir.Attribute.parse(f"#mpmd.user_origin{UserOrigin(unit.name, unit.transpose_count)}")},
        regions=1,
    )
    block.append_to(op.regions[0])
    holder.erase()
    pairs = zip(op.results, context.avals_out, strict=True)
    return [mlir.lower_with_sharding_in_types(context, result, aval) for result, aval in pairs]


def _replace_call(
    call: ir.Operation, context: mlir.LoweringRuleContext, counter: int | None, results: Sequence[Any]
) -> Sequence[Any]:
    """Replace a `func.call` by an `mpmd.call`; return `results` with those of the new op.

    It has no tokens: those before it are those after it.
    """
    context.module_context.context.allow_unregistered_dialects = True
    attributes: dict[str, ir.Attribute] = {"callee": call.attributes["callee"]}
    if counter is not None:
        attributes["call_counter"] = ir.IntegerAttr.get(ir.IntegerType.get_unsigned(32), counter)
    operands, values = (_without_tokens(each) for each in (call.operands, call.results))
    types = [value.type for value in values]
    with call.location, ir.InsertionPoint(call):
        made = ir.Operation.create("mpmd.call", results=types, operands=operands, attributes=attributes)
    replaced = dict(zip(values, made.results, strict=True))
    context.tokens_out = context.tokens_in
    results = jax.tree.map(lambda value: replaced.get(value, value), results)
    for old, new in replaced.items():
        old.replace_all_uses_with(new)
    call.erase()
    return results


def _token() -> ir.Value:
    return ir.Operation.create("stablehlo.create_token", results=[ir.Type.parse(_TOKEN)]).result


def _without_tokens(values: Iterable[ir.Value]) -> list[ir.Value]:
    return [value for value in values if str(value.type) != _TOKEN]


def _drop_tokens(function: ir.Operation) -> None:
    """Create a function's token arguments inside of it, and drop its token results."""
    block = function.regions[0].blocks[0]
    taken = [str(argument.type) == _TOKEN for argument in block.arguments]
    last = block.operations[len(block.operations) - 1].operation
    returned = _without_tokens(last.operands)
    with function.location, ir.InsertionPoint.at_block_begin(block):
        for argument in [argument for argument in block.arguments if str(argument.type) == _TOKEN]:
            argument.replace_all_uses_with(_token())
    with last.location, ir.InsertionPoint(last):
        ir.Operation.create("func.return", operands=returned)
    kept = [str(value.type) != _TOKEN for value in last.operands]
    last.erase()
    for number in reversed(range(len(taken))):
        if taken[number]:
            block.erase_argument(number)
    types = [argument.type for argument in block.arguments], [value.type for value in returned]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*types))
    for name, dropped in (("arg_attrs", [not each for each in taken]), ("res_attrs", kept)):
        if name in function.attributes:
            entries = zip(ir.ArrayAttr(function.attributes[name]), dropped, strict=True)
            function.attributes[name] = ir.ArrayAttr.get([entry for entry, stays in entries if stays])


def lowering_parameters() -> LoweringParameters:
    """Return the lowering parameters of JAX inside of `mpmd.jit`."""
    rules: Any = ((pjit.jit_p, _Lowering().lower_jit), *ops_of_values())
    return LoweringParameters(override_lowering_rules=rules)


install_transposition()
