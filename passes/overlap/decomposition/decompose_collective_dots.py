"""sdy-decompose-collective-dots: Split products with gathered or scattered operands into steps that overlap with sends.

    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0, ...}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0]
==> %0 = "stablehlo.async_start"(%a) ({ ... stablehlo.collective_permute ... })
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8xf32>, ...) -> tensor<2x4xf32>
    %2 = stablehlo.dynamic_update_slice ..., %1, ...
    %3 = "stablehlo.async_done"(%0)
    %4 = stablehlo.dot_general %3, %b, contracting_dims = [1] x [0] : (tensor<2x8xf32>, ...) -> tensor<2x4xf32>
    %5 = stablehlo.dynamic_update_slice %2, %4, ...

Works on local programs. Blocks of the gathered tensor move around a ring of devices; each is multiplied on arrival,
while the next one is sent. A product whose sum over devices is scattered is computed block by block in the same manner.
On request, so is one that an all_reduce sums, whose blocks are gathered afterwards. As many bytes are sent as before.
With a machine only products that its model predicts to become faster are cut; without one, all are.

Converts and transposes may stand between the collective and the product. Other users of the gathered tensor get it
joined from the blocks. Of several collectives of one product the one with the largest
gain is taken, or the one that sends most if there is no machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from enum import Enum

from sdy.dialect.ir_builders.communication import max_channel
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import byte_size
from sdy.mlir.walk import identity
from sdy.passes.costs.machine import read_machine
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.options import option
from sdy.passes.overlap.decomposition.block_products import DOTS
from sdy.passes.overlap.decomposition.decomposition import Decomposition, Estimate, Rings, Shape, estimate
from sdy.passes.overlap.decomposition.gather_decomposition import GATHER, gather_decomposition
from sdy.passes.overlap.decomposition.scatter_decomposition import ALL_REDUCE, REDUCE_SCATTER, scatter_decomposition
from sdy.passes.overlap.pairs import channels_from
from sdy.passes.overlap.placement.placing import PlacedIn, Placing, Trial, check_placed, numbered
from sdy.passes.registry import UNCHANGED, pass_


class RingDirection(Enum):
    """Directions of sending around a ring."""

    AUTO = "auto"
    ONE = "one"
    BOTH = "both"


class Form(Enum):
    """Form in which the steps are printed."""

    AUTO = "auto"
    UNROLLED = "unrolled"
    LOOP = "loop"


@dataclass(frozen=True)
class DecomposeCollectiveDotsOptions:
    """Options of sdy-decompose-collective-dots."""

    machine: str = option("", "decompose where that is faster on this machine, such as 'flops=2e14 bandwidth=5e10'")
    min_gain: float = option(0.05, "part of the time of collective and product that has to be saved on the machine")
    placed: PlacedIn = option(PlacedIn.NO, "cost of a collective: the wait that remains after placement in this mode")
    in_flight_bytes: int = option(0, "most bytes in flight in that placement")
    direction: RingDirection = option(
        RingDirection.AUTO, "send around the ring in one direction, in both, or in the faster way"
    )
    form: Form = option(Form.AUTO, "unroll the steps, make a loop, or make a loop only for many steps")
    unroll_limit: int = option(8, "the most devices in a ring without a loop, if form=auto")
    asynchronous: bool = option(True, "permutes as pairs of stablehlo.async_start and async_done")
    all_reduces: bool = option(False, "also cut products that an all_reduce sums")
    min_bytes: int = option(0, "smallest block, in bytes")

    def __post_init__(self) -> None:
        if not 0 <= self.min_gain < 1:
            raise ValueError(f"option 'min-gain' is at least 0 and less than 1, not {self.min_gain}")
        if self.unroll_limit < 0 or self.min_bytes < 0:
            raise ValueError("options 'unroll-limit' and 'min-bytes' are at least 0")
        check_placed(self.machine, self.placed)


@pass_("sdy-decompose-collective-dots", options=DecomposeCollectiveDotsOptions)
def decompose_collective_dots(module: ir.Operation, options: DecomposeCollectiveDotsOptions) -> object:
    if options.placed is PlacedIn.NO:
        return None if _Pass(module, options, {}).cut() else UNCHANGED
    placing = Placing(read_machine(options.machine), options.placed.value, options.in_flight_bytes)
    return None if _cut_if_faster(module, options, placing) else UNCHANGED


_TRIALS = 4


def _cut_if_faster(module: ir.Operation, options: DecomposeCollectiveDotsOptions, placing: Placing) -> bool:
    """Decompose the promising products; if the step does not get shorter, try the better half, and so on."""
    trial = Trial(module, placing)
    most: int | None = None
    for _ in range(_TRIALS):
        cut = _Pass(module, options, numbered(module, trial.before.waits)).cut(most)
        if not cut or trial.succeeds():
            return bool(cut)
        most = cut // 2
    return False


class _Pass:
    """Decomposes the products of one module; `_eligible` are those present at the start.

    `waits` are the seconds spent waiting for collectives, by `identity`, where they differ from the full duration.
    """

    def __init__(
        self, module: ir.Operation, options: DecomposeCollectiveDotsOptions, waits: Mapping[Hashable, float]
    ) -> None:
        self._options = options
        self._module = module
        self._mesh = local_mesh(module)
        self._machine = read_machine(options.machine).on(self._mesh) if options.machine else None
        self._eligible = {identity(op) for op in ops_named(module, *DOTS)}
        names = (GATHER, REDUCE_SCATTER, *((ALL_REDUCE,) if options.all_reduces else ()))
        self._collectives = ops_named(module, *names) if self._eligible else []
        self._waits = waits

    def cut(self, most: int | None = None) -> int:
        """Cuts the products of at most so many collectives, and returns of how many."""
        found = [(choice.worth, op) for op in self._collectives if (choice := self._choice(op)) is not None]
        found = sorted(found, key=lambda pair: -pair[0])[:most]
        if not found:
            return 0
        rings = Rings(channels_from(max_channel(self._module) + 1), asynchronous=self._options.asynchronous)
        for _, collective in found:
            choice = self._choice(collective)  # others may have taken some of its products
            if choice is not None:
                each = choice.decomposition
                self._eligible -= {identity(dot) for dot in each.dots}
                each.apply(rings.ring(each.groups, each.dots[0].block, collective.location), choice.shape)
        return len(found)

    def _choice(self, collective: ir.Operation) -> _Choice | None:
        """Return the best decomposition for a collective; None if there is none."""
        each = self._decomposition(collective)
        if each is None or byte_size(each.sent) < max(1, self._options.min_bytes):
            return None
        size = each.groups.size
        if self._machine is None:
            both = (
                size > 2
                if self._options.direction is RingDirection.AUTO
                else self._options.direction is RingDirection.BOTH
            )
            return _Choice(each, byte_size(each.sent) * (size - 1), self._shape(size, both=both))
        wait = self._waits.get(identity(collective))
        return self._faster(each, estimate(each, self._mesh, self._machine, wait))

    def _decomposition(self, collective: ir.Operation) -> Decomposition | None:
        decomposition = gather_decomposition if collective.name == GATHER else scatter_decomposition
        return decomposition(collective, self._eligible)

    def _faster(self, each: Decomposition, seconds: Estimate) -> _Choice | None:
        """The faster of the directions that are allowed, if it saves enough."""
        direction = self._options.direction
        both = direction is RingDirection.BOTH or (direction is RingDirection.AUTO and seconds.both < seconds.one)
        steps = seconds.both if both else seconds.one
        if steps > (1 - self._options.min_gain) * seconds.together:
            return None
        return _Choice(each, seconds.together - steps, self._shape(each.groups.size, both=both))

    def _shape(self, size: int, *, both: bool) -> Shape:
        options = self._options
        loop = size > options.unroll_limit if options.form is Form.AUTO else options.form is Form.LOOP
        # Sent both ways, two and two blocks make a turn of the loop; less than two such turns are none.
        return Shape(both, loop and (not both or size > _SMALLEST_LOOP))


_SMALLEST_LOOP = 4


@dataclass(frozen=True)
class _Choice:
    """Decomposition of products, and its gain: seconds on a machine, else the overlapped bytes."""

    decomposition: Decomposition
    worth: float
    shape: Shape
