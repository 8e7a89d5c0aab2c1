"""Control flow, tuples, constants, random numbers, computations that are defined elsewhere."""

from __future__ import annotations

from random import Random

from tests.generators.typed_ops.case import Case, cases
from tests.generators.typed_ops.drawing import FLOATS, SIGNED, element, i64, relaxed, shape, tensor, vector


def _values(rng: Random, count: int) -> list[tuple[list[int], str]]:
    return [(shape(rng), element(rng, "Any")) for _ in range(count)]


@cases("if case")
def branches(rng: Random, name: str) -> Case:
    values = _values(rng, rng.choice([0, 1, 2]))
    count = 2 if name.endswith("if") else rng.choice([1, 2, 3])
    bodies = tuple(((), tuple(relaxed(rng, *value) for value in values)) for _ in range(count))
    return Case(name, ("tensor<i1>" if name.endswith("if") else "tensor<i32>",), {}, bodies)


@cases("while")
def while_(rng: Random, name: str) -> Case:
    operands = tuple(relaxed(rng, *value) for value in _values(rng, rng.choice([0, 1, 2])))
    return Case(name, operands, {}, ((operands, ("tensor<i1>",)), (operands, operands)))


@cases("optimization_barrier")
def optimization_barrier(rng: Random, name: str) -> Case:
    return Case(name, tuple(relaxed(rng, *value) for value in _values(rng, rng.choice([0, 1, 2]))))


@cases("tuple")
def tuple_(rng: Random, name: str) -> Case:
    return Case(name, tuple(relaxed(rng, *value) for value in _values(rng, rng.choice([0, 1, 2]))))


@cases("get_tuple_element")
def get_tuple_element(rng: Random, name: str) -> Case:
    types = [relaxed(rng, *value) for value in _values(rng, rng.choice([1, 2]))]
    return Case(name, (f"tuple<{', '.join(types)}>",), {"index": f"{rng.randrange(len(types))} : i32"})


@cases("chlo.scan")
def scan(rng: Random, name: str) -> Case:
    """Slices of some tensors, carried values, outputs, all along one dimension of one size."""
    dims = shape(rng, 1)
    dim, rest = rng.randrange(len(dims)), [list(dims), list(dims)]
    del rest[0][dim]
    inputs, outputs = ([element(rng, "Any") for _ in range(count)] for count in rng.choice([(1, 1), (2, 1), (1, 0)]))
    inits = [tensor(shape(rng), element(rng, "Any")) for _ in range(rng.choice([0, 1, 2]))]
    attributes = {
        "dimension": i64(dim),
        "operandSegmentSizes": f"array<i32: {len(inputs)}, {len(inits)}>",
        "resultSegmentSizes": f"array<i32: {len(outputs)}, {len(inits)}>",
    }
    if rng.random() < 0.3:
        attributes |= {"is_reverse": "true", "scan_dim_size": i64(dims[dim])}
    slices, returned = ([tensor(rest[0], type_) for type_ in types] for types in (inputs, outputs))
    body = (*slices, *inits), (*returned, *inits)
    return Case(name, (*(relaxed(rng, dims, type_) for type_ in inputs), *inits), attributes, (body,))


# Constants and random numbers ----------------------------------------------------------------------------------------


@cases("constant chlo.constant")
def constant(rng: Random, name: str) -> Case:
    type_ = tensor(shape(rng), rng.choice([*SIGNED, "i1"]))
    if rng.random() < 0.5:
        return Case(name, (), {"value": f"dense<1> : {type_}" if "xi1>" not in type_ else f"dense<true> : {type_}"})
    return Case(name, (), {"value": f"dense<1.0> : {tensor(shape(rng), rng.choice(FLOATS[:5]))}"})


@cases("chlo.constant_like")
def constant_like(rng: Random, name: str) -> Case:
    return Case(name, (relaxed(rng, *_values(rng, 1)[0]),), {"value": rng.choice(["1.0 : f32", "1 : i32", "true"])})


@cases("iota")
def iota(rng: Random, name: str) -> Case:
    dims = shape(rng, 1)
    attributes = {"iota_dimension": i64(rng.randrange(len(dims)))}
    return Case(name, (), attributes, results=(tensor(dims, element(rng, "I|F|C")),))


@cases("rng")
def rng_(rng: Random, name: str) -> Case:
    kind = rng.choice(["UNIFORM", "NORMAL"])
    dims, type_ = shape(rng), element(rng, "F" if kind == "NORMAL" else "F|I|Pred")
    operands = tensor([], type_), tensor([], type_), tensor([len(dims)], "i64")
    known = {2: vector(dims, "i64")} if rng.random() < 0.5 else {}
    return Case(name, operands, {"rng_distribution": f"#stablehlo<rng_distribution {kind}>"}, known=known)


@cases("rng_bit_generator")
def rng_bit_generator(rng: Random, name: str) -> Case:
    state = tensor([2], "ui64")
    attributes = {"rng_algorithm": f"#stablehlo<rng_algorithm {rng.choice(['DEFAULT', 'THREE_FRY', 'PHILOX'])}>"}
    return Case(name, (state,), attributes, results=(state, tensor(shape(rng), "ui32")))


# Defined elsewhere ---------------------------------------------------------------------------------------------------


@cases("custom_call")
def custom_call(rng: Random, name: str) -> Case:
    dims = shape(rng, 0, 2)
    operand = tensor(dims, element(rng, "Any"))
    attributes = {"call_target_name": '"target"'}
    if rng.random() < 0.3:
        order = list(range(len(dims)))
        rng.shuffle(order)
        layouts = f"[dense<{order or ''}> : tensor<{len(order)}xindex>]"
        attributes |= {"operand_layouts": layouts, "result_layouts": layouts}
    if rng.random() < 0.3:
        attributes["output_operand_aliases"] = (
            "[#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
            "operand_tuple_indices = []>]"
        )
    if rng.random() < 0.3:
        attributes |= rng.choice(
            [{"backend_config": "{a = 1 : i32}", "api_version": "4 : i32"}, {"backend_config": '"text"'}]
        )
    return Case(name, (operand,), attributes, results=(operand,))


@cases("einsum")
def einsum(rng: Random, name: str) -> Case:
    a, b, c = shape(rng, 3, 3)
    config = {"einsum_config": '"ab,bc->ac"'}
    return Case(name, (tensor([a, b], "f32"), tensor([b, c], "f32")), config, results=(tensor([a, c], "f32"),))


@cases("unary_einsum")
def unary_einsum(rng: Random, name: str) -> Case:
    a, b = shape(rng, 2, 2)
    return Case(name, (tensor([a, b], "f32"),), {"einsum_config": '"ab->ba"'}, results=(tensor([b, a], "f32"),))


@cases("torch_index_select")
def torch_index_select(rng: Random, name: str) -> Case:
    a, b, c = shape(rng, 3, 3)
    attributes = {"dim": i64(1), "batch_dims": i64(0)}
    operands = tensor([a, b], "f32"), tensor([c], "i32")
    return Case(name, operands, attributes, results=(tensor([a, c], "f32"),))
