"""Linear algebra, transforms, random numbers, custom calls, tokens."""

from __future__ import annotations

from tests.generators.block import TOKEN, Block, Type
from tests.generators.ops.kinds import (
    floating,
    i64s,
    kind,
    static_tensor,
    with_rank,
)


@kind("fft")
def fft(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element == "f32"))
    if x is not None and 0 not in x.type.static:
        rank = b.rng.randint(1, min(2, x.type.rank))
        *lead, last = x.type.static
        result = Type((*lead, last // 2 + 1), "complex<f32>")
        attributes = ["fft_type = #stablehlo<fft_type RFFT>", f"fft_length = {i64s(x.type.static[-rank:])}"]
        b.op("stablehlo.fft", [x], [result], attributes)


@kind("cholesky")
def cholesky(b: Block) -> None:
    size = b.rng.choice([2, 4, 8])
    x = b.tensor((*b.rng.choice([(), (2,), (8,)]), size, size))
    b.op("stablehlo.cholesky", [x], [x.type], ["lower = true"])


@kind("triangular_solve")
def triangular_solve(b: Block) -> None:
    size, columns, lead = b.rng.choice([2, 4, 8]), b.rng.choice([2, 4, 6]), b.rng.choice([(), (4,)])
    left = b.rng.choice(["true", "false"])
    x = b.tensor((*lead, *((size, columns) if left == "true" else (columns, size))))
    transposed = b.rng.choice(["NO_TRANSPOSE", "TRANSPOSE"])
    attributes = [
        f"left_side = {left}",
        "lower = true",
        "unit_diagonal = false",
        f"transpose_a = #stablehlo<transpose {transposed}>",
    ]
    b.op("stablehlo.triangular_solve", [b.tensor((*lead, size, size)), x], [x.type], attributes)


@kind("rng_bit_generator")
def rng_bit_generator(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        state = b.tensor((2,), "ui64")
        attributes = ["rng_algorithm = #stablehlo<rng_algorithm DEFAULT>"]
        b.ops("stablehlo.rng_bit_generator", [state], [state.type, x.type.of("ui32")], attributes)


@kind("rng")
def rng_(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element == "f32"))
    if x is not None:
        shape = b.op(
            "stablehlo.constant",
            [],
            [Type((x.type.rank,), "i64")],
            [f"value = dense<[{', '.join(map(str, x.type.static))}]> : tensor<{x.type.rank}xi64>"],
            annotate=False,
        )
        operands = [b.tensor(()), b.tensor(()), shape]
        b.op("stablehlo.rng", operands, [x.type], ["rng_distribution = #stablehlo<rng_distribution UNIFORM>"])


@kind("optimization_barrier")
def optimization_barrier(b: Block) -> None:
    values = [value for value in (b.pick() for _ in range(b.rng.randint(1, 3))) if value is not None]
    if values:
        b.ops("stablehlo.optimization_barrier", values, [value.type for value in values])


@kind("custom_call")
def custom_call(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        targets = ["annotate_device_placement", "MoveToHost", "mhlo.erf"]
        target = b.rng.choice([*targets, "sdy_testonly", "foo"] if b.features.delicate else targets)
        rule = [] if target != "foo" else _identity_rule(b, x.type)
        if target != "foo" or rule:
            b.op("stablehlo.custom_call", [x], [x.type], [f'call_target_name = "{target}"', *rule])


def _identity_rule(b: Block, type_: Type) -> list[str]:
    """A user's rule for a call of an unknown target: pass through, with some factors of another kind."""
    if not b.features.custom_rules:
        return []
    factors = "ijklmn"[: type_.rank]
    dims = ", ".join(factors)
    text = f"([{dims}])->([{dims}])"
    if factors:
        text += f" {{{', '.join(f'{f}={size}' for f, size in zip(factors, type_.static, strict=True))}}}"
    if factors and b.rng.random() < 0.4:
        text += f" {b.rng.choice(['need_replication', 'permutation', 'blocked_propagation'])}={{{factors[0]}}}"
    return [f"sdy.sharding_rule = #sdy.op_sharding_rule<{text}, custom>"]


@kind("custom_call_topk")
def custom_call_topk(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is not None:
        *lead, last = x.type.static
        result = Type((*lead, b.rng.randint(1, max(last, 1))), x.type.element)
        b.op("stablehlo.custom_call", [x], [result, result.of("i32")], ['call_target_name = "mhlo.topk"'])


@kind("token")
def token(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is None or not b.features.tokens:
        return
    if b.features.runs:  # there is nobody to call back
        first = b.ops("stablehlo.optimization_barrier", [x, b.token()], [x.type, TOKEN])
    else:
        attributes = ['call_target_name = "xla_ffi_python_cpu_callback"', "has_side_effect = true"]
        first = b.ops("stablehlo.custom_call", [x, b.token()], [x.type, TOKEN], attributes)
    if b.rng.random() < 0.5:
        b.op("stablehlo.after_all", [first[1], b.token()], [TOKEN])
