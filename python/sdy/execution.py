"""Running a partitioned module on JAX's devices: any backend, any number of processes, `jax.Array` in and out.

The device-local program becomes the body of a `jax.shard_map` over all axes of the mesh, so XLA's partitioner changes
nothing (spec: jax-execution, 4). Only public parts of JAX are used here.

    >>> run = sdy.execution.compile(sdy.partition(text))
    >>> outputs = run(*inputs)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

try:
    import jax
except ModuleNotFoundError as error:
    raise ImportError("sdy.execution needs JAX: pip install 'sdy[jax]'") from error

import jax.core
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import func
from jax.interpreters import mlir

from sdy.hidden_frames import hide
from sdy.partitioned_module import PartitionedModule
from sdy.running.boundary import TOKEN, Boundary, arrays, dtype_of
from sdy.running.placement import Devices, Placement
from sdy.running.wrapping import embed

if TYPE_CHECKING:
    import numpy as np

Function = Callable[..., tuple[jax.Array, ...]]


def compile(  # noqa: A001  (the name that users look for)
    partitioned: PartitionedModule,
    devices: Devices = None,
    *,
    donate_argnums: int | Sequence[int] = (),
    callbacks: Sequence[Callable] = (),
) -> Function:
    """A compiled function of the global arguments of `@main` that returns a tuple of its global results.

    Tokens are neither arguments nor results: each call makes its own.

    Arguments are resharded as by `jax.jit` with `in_shardings`; calls are asynchronous. The memory of the arguments in
    `donate_argnums` may be taken over by results.

    Unreduced arguments and results are passed as the values that their parts sum up to.

    `callbacks` are those of the program that JAX lowered, which refers to them by number.

    Raises `ValueError` if there are too few devices; so does the function for arrays that the program does not take.
    """
    placement = Placement.of(partitioned, devices)
    return jax.jit(
        splice(partitioned, devices, callbacks),
        in_shardings=tuple(placement.named(one.sharding) for one in arrays(partitioned.arguments)),
        out_shardings=tuple(placement.named(one.sharding) for one in arrays(partitioned.results)),
        donate_argnums=donate_argnums,
        keep_unused=True,
    )


def splice(partitioned: PartitionedModule, devices: Devices = None, callbacks: Sequence[Callable] = ()) -> Function:
    """The partitioned program as a function of global arrays for use inside larger JAX programs.

    Works under `jax.jit`, `jax.lax.scan` and `jax.export`. It has no derivative; `jax.custom_vjp` can define one.
    """
    placement = Placement.of(partitioned, devices)
    arguments, results = arrays(partitioned.arguments), arrays(partitioned.results)
    types = _types([(one.local_shape, one.element) for one in results])

    def local_program(*shards: jax.Array) -> tuple[jax.Array, ...]:
        given = iter(shards)
        operands = [
            _no_elements(one) if one.is_empty else placement.partial(next(given), one.sharding) for one in arguments
        ]
        values = _program.bind(*operands, text=partitioned.text, types=types, callbacks=tuple(callbacks))
        return tuple(placement.combined(*pair) for pair in zip(values, [one.sharding for one in results], strict=True))

    mapped = jax.shard_map(
        local_program,
        mesh=placement.mesh,
        in_specs=tuple(placement.spec(one.sharding) for one in arguments if not one.is_empty),
        out_specs=tuple(placement.spec(one.sharding) for one in results),
        check_vma=False,
    )

    def program(*inputs: jax.Array) -> tuple[jax.Array, ...]:
        _check(inputs, arguments)
        pairs = zip(inputs, arguments, strict=True)
        return mapped(*(array for array, boundary in pairs if not boundary.is_empty))

    program.__name__ = partitioned.name
    return program


def _check(inputs: Sequence[jax.Array], arguments: Sequence[Boundary]) -> None:
    """Raises `ValueError` for arguments that the program does not take."""
    if len(inputs) != len(arguments):
        raise ValueError(f"the program takes {len(arguments)} arrays, not {len(inputs)}")
    for number, (array, argument) in enumerate(zip(inputs, arguments, strict=True)):
        wanted = dtype_of(argument.element)
        if array.shape != argument.shape or array.dtype != wanted:
            advice = ""
            if wanted != array.dtype and jax.dtypes.canonicalize_dtype(wanted) == array.dtype:
                advice = "; JAX makes arrays of 64 bits only after jax.config.update('jax_enable_x64', True)"
            raise ValueError(
                f"argument {number} of the program is {wanted}{list(argument.shape)}, "
                f"not {array.dtype}{list(array.shape)}{advice}"
            )


def _no_elements(boundary: Boundary) -> jax.Array:
    return jnp.zeros(boundary.local_shape, dtype_of(boundary.element))


def compile_unpartitioned(text: str, results: Sequence[Boundary]) -> Function:
    """Compile the `@main` of a module without sdy unchanged, on one device.

    `results` are those of the program in its global form.
    """
    return run_text(text, [(one.shape, dtype_of(one.element)) for one in arrays(results)])


def run_text(text: str, types: Sequence[tuple[tuple[int, ...], np.dtype]]) -> Function:
    """Return a function that runs the `@main` of a module without sdy; `types` are those of its results."""
    return jax.jit(lambda *inputs: tuple(_program.bind(*inputs, text=text, types=tuple(types))))


# The primitive: a call of the @main of a text ---------------------------------------------------------

_Types: TypeAlias = "tuple[tuple[tuple[int, ...], np.dtype], ...]"

_program = Primitive("sdy_program")
_program.multiple_results = True


def _types(results: Sequence[tuple[tuple[int, ...], str]]) -> _Types:
    return tuple((shape, dtype_of(element)) for shape, element in results)


@_program.def_abstract_eval
def _abstract_eval(
    *arguments: jax.core.AbstractValue, text: str, types: _Types, callbacks: tuple[Callable, ...] = ()
) -> list[jax.core.ShapedArray]:
    return [jax.core.ShapedArray(shape, dtype) for shape, dtype in types]


def _lower(
    context: mlir.LoweringRuleContext,
    *arguments: ir.Value,
    text: str,
    types: _Types,
    callbacks: tuple[Callable, ...] = (),
) -> list[ir.Value]:
    if "@lapack_" in text:
        _load_lapack()
    module = context.module_context.module
    name = embed(text, module)
    function = ir.SymbolTable(module.operation)[name]
    if callbacks:
        _number_callbacks(function, context, callbacks)
    type_ = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    given = iter(arguments)
    operands = [_token(one) if str(one) == TOKEN else next(given) for one in type_.inputs]
    call = func.CallOp(type_.results, ir.FlatSymbolRefAttr.get(name, module.context), operands)
    return [result for result in call.results if str(result.type) != TOKEN]


def _number_callbacks(function: ir.OpView, context: mlir.LoweringRuleContext, callbacks: tuple[Callable, ...]) -> None:
    """Register the callbacks of a function with JAX, and renumber the function's calls accordingly."""
    known: list[Callable] = context.module_context.host_callbacks

    def renumber(op: ir.Operation) -> ir.WalkResult:
        if op.name == "stablehlo.custom_call" and "callback" in ir.StringAttr(op.attributes["call_target_name"]).value:
            for name in (
                "backend_config",
                "mhlo.backend_config",
            ):  # JAX writes the second, partitioned programs the first
                config = op.attributes.get(name)
                if isinstance(config, ir.DictAttr) and "index" in config:
                    known.append(callbacks[ir.IntegerAttr(config["index"]).value])
                    index = ir.IntegerAttr.get(config["index"].type, len(known) - 1)
                    entries = {each.name: each.attr for each in config}
                    op.attributes[name] = ir.DictAttr.get({**entries, "index": index})
        return ir.WalkResult.ADVANCE

    function.operation.walk(renumber)


def _token(type_: ir.Type) -> ir.Value:
    """Make a token without dependencies, in JAX's own bindings, which `sdy.stablehlo.ops` does not build for."""
    return ir.Operation.create("stablehlo.after_all", results=[type_]).result


@cache
def _load_lapack() -> None:
    """Load LAPACK for XLA; a call before JAX does so ends the process."""
    jax.jit(jnp.linalg.qr).trace(jax.ShapeDtypeStruct((1, 1), jnp.float32)).lower(lowering_platforms=("cpu",))


mlir.register_lowering(_program, _lower)
hide()
