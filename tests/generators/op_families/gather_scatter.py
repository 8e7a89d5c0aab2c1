"""Gather and scatter."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, shuffled, subset
from tests.generators.op_instances import OpInstance, Shape, array, generator, tensor


class _Indexed:
    """The dimensions of a gather or scatter: of the input, of the indices, and of the slices."""

    def __init__(self, rng: Random) -> None:
        self.input = [extent or 1 for extent in shape(rng, 1, 4)]
        rank = len(self.input)
        dims = rng.sample(range(rank), rank)
        num_batching = rng.randint(0, min(2, rank)) if rng.random() < 0.5 else 0
        num_dropped = rng.randint(0, rank - num_batching)
        self.input_batching = sorted(dims[:num_batching])
        self.dropped = sorted(dims[num_batching : num_batching + num_dropped])
        self.window = sorted(dims[num_batching + num_dropped :])
        self.slice_sizes = [
            rng.choice([extent, 1, rng.randint(1, extent)]) if dim in self.window else 1
            for dim, extent in enumerate(self.input)
        ]
        batch = self._draw_indices(rng)
        self._draw_slices(rng, batch)

    def _draw_indices(self, rng: Random) -> Shape:
        """Draws the dimensions of the indices; returns the sizes of those that are not the index vector."""
        batching = [self.input[dim] for dim in self.input_batching]
        batch, places = shuffled(rng, [*batching, *(extent or 1 for extent in shape(rng, 0, 2))])
        indexed = [dim for dim in range(len(self.input)) if dim not in self.input_batching]
        self.index_map = rng.sample(indexed, rng.randint(0, len(indexed)))
        self.indices = list(batch)
        has_vector_dim = len(self.index_map) != 1 or rng.random() < 0.5
        self.index_vector_dim = rng.randint(0, len(batch)) if has_vector_dim else len(batch)
        if has_vector_dim:
            self.indices.insert(self.index_vector_dim, len(self.index_map))
        self.indices_batching = [
            place + (has_vector_dim and place >= self.index_vector_dim) for place in places[: len(batching)]
        ]
        return batch

    def _draw_slices(self, rng: Random, batch: Shape) -> None:
        """Draws the dimensions of the slices: those of the window in order, among those of the batch in order."""
        rank = len(batch) + len(self.window)
        self.window_dims = subset(rng, rank, len(self.window))
        window_sizes, batch_sizes = iter([self.slice_sizes[dim] for dim in self.window]), iter(batch)
        self.slices = [next(window_sizes if dim in self.window_dims else batch_sizes) for dim in range(rank)]


@generator("stablehlo.gather")
def gather(rng: Random, kind: str) -> OpInstance:
    dims = _Indexed(rng)
    numbers = {
        "offset_dims": dims.window_dims,
        "collapsed_slice_dims": dims.dropped,
        "operand_batching_dims": dims.input_batching,
        "start_indices_batching_dims": dims.indices_batching,
        "start_index_map": dims.index_map,
        "index_vector_dim": dims.index_vector_dim,
    }
    attributes = (
        f"dimension_numbers = #stablehlo.gather<{_numbers(numbers)}>, slice_sizes = {array(dims.slice_sizes)}, "
        "indices_are_sorted = false"
    )
    return OpInstance(kind, [tensor(dims.input), tensor(dims.indices, "i32")], [tensor(dims.slices)], attributes)


def _numbers(numbers: dict[str, list[int] | int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in numbers.items() if value != [])


@generator("stablehlo.scatter")
def scatter(rng: Random, kind: str) -> OpInstance:
    dims = _Indexed(rng)
    numbers = {
        "update_window_dims": dims.window_dims,
        "inserted_window_dims": dims.dropped,
        "input_batching_dims": dims.input_batching,
        "scatter_indices_batching_dims": dims.indices_batching,
        "scatter_dims_to_operand_dims": dims.index_map,
        "index_vector_dim": dims.index_vector_dim,
    }
    count = rng.choice([1, 1, 2])
    element_type = rng.choice(["f32", "i32", "i1"])
    inputs = [tensor(dims.input, element_type)] * count
    updates = [tensor(dims.slices, element_type)] * count
    return OpInstance(
        kind,
        [*inputs, tensor(dims.indices, "i32"), *updates],
        inputs,
        f"scatter_dimension_numbers = #stablehlo.scatter<{_numbers(numbers)}>",
        _scatter_body(rng, count, element_type),
    )


def _scatter_body(rng: Random, count: int, element_type: str) -> str:
    ops = (
        ["add", "multiply", "maximum", "minimum", "subtract"] if element_type == "f32" else ["add", "and", "or", "xor"]
    )
    ops = [rng.choice(ops)] * count if rng.random() < 0.8 else [rng.choice(ops) for _ in range(count)]
    scalar = tensor([], element_type)
    lines = [f"{{^bb0({', '.join(f'%x{number}: {scalar}' for number in range(2 * count))}):"]
    returned = []
    for number, op in enumerate(ops):
        operands = [f"%x{number}", f"%x{number + count}"]
        if rng.random() < 0.3:
            operands.reverse()
        if rng.random() < 0.1:
            operands[0] = "%x0"
        if rng.random() < 0.1:
            returned.append(f"%x{number + count}")
            continue
        lines.append(f"  %z{number} = stablehlo.{op} {', '.join(operands)} : {scalar}")
        returned.append(f"%z{number}")
    lines.append(f'  "stablehlo.return"({", ".join(returned)}) : ({", ".join([scalar] * count)}) -> ()\n}}')
    return "\n".join(lines)
