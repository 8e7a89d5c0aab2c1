"""Layout of a value: its global type together with its sharding on a mesh."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import count

from sdy.dialect.data_flow import DataFlowOp, interface, is_data_flow_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS, get_sharding
from sdy.dialect.values.axes import AxisList, merged, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, funcs, has_body, symbol_name
from sdy.mlir.per_context import PerContext
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import bits, is_tensor, with_shape
from sdy.stablehlo.idioms.loops import COMMUTATIVE

_TRANSPARENT = frozenset({"sdy.propagation_barrier", "sdy.data_flow_edge", "sdy.func_data_flow_edge"})
"""Ops that, unless they say otherwise, hand on their operand as it is."""


@dataclass(frozen=True)
class FunctionLayouts:
    """Layouts of a function's arguments and results."""

    func: ir.Operation
    arguments: tuple[Layout, ...]
    results: tuple[Layout, ...]


class _Parts:
    """Facts derived from shape, sharding and mesh; see `Layout`."""

    def __init__(self, number: int, shape: tuple[int, ...], sharding: TensorSharding | None, mesh: Mesh | None) -> None:
        self.number = number
        self.shape = shape
        self.sharding = sharding
        self.mesh = mesh

    @cached_property
    def dim_axes(self) -> tuple[AxisList, ...]:
        if self.sharding is None or not self.sharding.dims:
            return ((),) * len(self.shape)
        return self.sharding.dim_axes

    @cached_property
    def shards(self) -> tuple[int, ...]:
        if self.mesh is None or self.sharding is None or not self.sharding.dims:
            return (1,) * len(self.shape)
        return _shards(self.sharding, self.mesh)

    @cached_property
    def sharded_dims(self) -> tuple[int, ...]:
        return tuple(dim for dim, count in enumerate(self.shards) if count > 1)

    @cached_property
    def divides(self) -> bool:
        return all(size < 0 or size % count == 0 for size, count in zip(self.shape, self.shards, strict=True))

    @cached_property
    def local_shape(self) -> tuple[int, ...]:
        return tuple(n if n < 0 else -(-n // count) for n, count in zip(self.shape, self.shards, strict=True))

    @cached_property
    def padded_shape(self) -> tuple[int, ...]:
        pairs = zip(self.local_shape, self.shards, strict=True)
        return tuple(n if n < 0 else n * count for n, count in pairs)

    @cached_property
    def placement(self) -> tuple[object, ...]:
        if self.mesh is None:
            return ()
        if not self.sharded_dims:
            return (self.mesh,) if self.mesh.is_maximal else ()
        assert self.sharding is not None
        return _placement(self.sharding, self.mesh)


@lru_cache(maxsize=8192)
def _shards(sharding: TensorSharding, mesh: Mesh) -> tuple[int, ...]:
    return tuple([product(axes, mesh.axis_sizes) for axes in sharding.dim_axes])


@lru_cache(maxsize=8192)
def _placement(sharding: TensorSharding, mesh: Mesh) -> tuple[object, ...]:
    sizes = mesh.axis_sizes
    return mesh, tuple(merged((a for a in axes if a.size(sizes) > 1), sizes) for axes in sharding.dim_axes)


_parts: PerContext[dict[tuple[int, TensorSharding | None, Mesh | None], _Parts]] = PerContext(dict)
"""By the address of the type, the sharding and its mesh."""

_numbers = count()
"""Counter of parts; parts that are made again get another number."""


class Layout:
    """A global type, and how the devices of a mesh share it.

    `sharding` None means that every device has all of the value. `mesh` is the mesh that the sharding names.
    """

    def __init__(self, type_: ir.Type, sharding: TensorSharding | None, mesh: Mesh | None) -> None:
        self.type: ir.AnyType = type_
        self.sharding = sharding
        self.mesh = mesh
        parts, key = _parts.of(type_.context), (address(type_), sharding, mesh)
        known = parts.get(key)
        if known is None:
            shape = tuple(type_.shape) if is_tensor(type_) else ()
            known = parts[key] = _Parts(next(_numbers), shape, sharding, mesh)
        self._parts = known

    @property
    def number(self) -> int:
        """Number that equal layouts share in all modules of a context."""
        return self._parts.number

    @property
    def shape(self) -> tuple[int, ...]:
        """Global shape; () for anything that is not a ranked tensor."""
        return self._parts.shape

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def mesh_ref(self) -> MeshRef:
        """The mesh as the sharding names it. There must be a sharding."""
        assert self.sharding is not None
        return self.sharding.mesh_or_ref

    @property
    def dim_axes(self) -> tuple[AxisList, ...]:
        """The axes of each dimension of the value."""
        return self._parts.dim_axes

    @property
    def shards(self) -> tuple[int, ...]:
        """Number of shards of each dimension."""
        return self._parts.shards

    @property
    def is_replicated(self) -> bool:
        """Return whether no dimension has axes; unreduced axes do not matter."""
        return self.sharding is None or self.sharding.is_fully_replicated

    @property
    def unreduced(self) -> AxisList:
        return () if self.sharding is None else self.sharding.unreduced

    def is_sharded(self, dim: int) -> bool:
        return self.shards[dim] > 1

    @property
    def sharded_dims(self) -> tuple[int, ...]:
        return self._parts.sharded_dims

    @property
    def divides(self) -> bool:
        """Return whether every static dimension is a multiple of its number of shards."""
        return self._parts.divides

    @property
    def local_shape(self) -> tuple[int, ...]:
        """Shape of one device's part, rounded up; dynamic dimensions stay."""
        return self._parts.local_shape

    @cached_property
    def local_type(self) -> ir.AnyType:
        return self.type if self.local_shape == self.shape else with_shape(self.type, self.local_shape)

    @cached_property
    def local_bytes(self) -> float:
        """Bytes of one device's part, rounded up where parts are uneven."""
        return math.prod(self.local_shape) * bits(self.type.element_type) / 8

    @property
    def padded_shape(self) -> tuple[int, ...]:
        """Global shape with every static dimension rounded up to a multiple of its number of shards."""
        return self._parts.padded_shape

    @property
    def placement(self) -> tuple[object, ...]:
        """Return a key that is equal for two layouts of one type exactly if every device has the same part under both.

        Unreduced axes are left out; axes of size 1 and the spelling of sub-axes do not matter. A value on a single
        device has its own key.
        """
        return self._parts.placement

    def with_sharding(self, sharding: TensorSharding | None) -> Layout:
        """Return the layout of the value under another sharding on the same mesh."""
        return Layout(self.type, sharding, self.mesh)


class Layouts:
    """Makes layouts, one object per (type, sharding), so that their properties are computed once."""

    def __init__(self, meshes: MeshTable) -> None:
        self._meshes = meshes
        self._found: dict[tuple[ir.Type, TensorSharding | None], Layout] = {}
        self._mesh_of: dict[TensorSharding | None, Mesh | None] = {None: None}

    def of(self, type_: ir.Type, sharding: TensorSharding | None) -> Layout:
        """Return the layout of a type with a sharding."""
        key = (type_, sharding)
        layout = self._found.get(key)
        if layout is None:
            layout = Layout(type_, sharding, self.mesh(sharding))
            if sharding is not None and len(sharding.dims) not in (0, layout.rank):
                problem = f"has the sharding {sharding} on a value of type {type_}, which is not a tensor of that rank"
                raise DiagnosticError(ir.Location.current, problem)
            self._found[key] = layout
        return layout

    def of_value(self, value: ir.Value) -> Layout:
        """The layout of a value with the sharding that it has in the program."""
        return self.of(value.type, get_sharding(value))

    def mesh(self, sharding: TensorSharding | None) -> Mesh | None:
        """The mesh of a sharding; None without one."""
        if sharding is not None and sharding not in self._mesh_of:
            self._mesh_of[sharding] = mesh_with_axes(self._meshes, sharding, ir.Location.current)
        return self._mesh_of[sharding]


def mesh_with_axes(meshes: MeshTable, sharding: TensorSharding, at: ir.Operation | ir.Location | None) -> Mesh | None:
    """The mesh that a sharding names, None if there is none.

    Raises:
      DiagnosticError: at `at`, if the mesh lacks an axis. That is seen here, since passes may run without verification.
    """
    mesh = meshes.of(sharding)
    if mesh is not None:
        missing = next((axis.name for axis in sharding.axis_refs() if axis.name not in mesh.axis_sizes), None)
        if missing is not None:
            raise DiagnosticError(at, f'has a sharding {sharding} by axis "{missing}", which its mesh does not have')
    return mesh


def _combines_numbers(block: ir.Block) -> bool:
    """Return whether a block is the body of a reduction that only combines two numbers, as all devices do alike."""
    ops = iter(block.operations)
    first, second = next(ops, None), next(ops, None)
    if first is None or second is None or second.operation.name != "stablehlo.return":
        return False
    if first.operation.name not in COMMUTATIVE or not len(block.arguments):
        return False
    type_ = block.arguments[0].type
    return is_tensor(type_) and not type_.rank and first.operation.results[0].type == type_


OpVisitor = Callable[
    [ir.Operation, str, Sequence[ir.Value], tuple[Layout, ...], tuple[Layout, ...], DataFlowOp | None], None
]
"""Takes an op with its name and results, the layouts of its operands, those of its results, and its data-flow edges.

An op without edges has None. To read a property of an op costs as much as most of what is done with it.
"""

ArgumentVisitor = Callable[[ir.Operation, ir.Value, Layout], None]
"""Takes an op, an argument of a block in it, and the layout of that."""


def _refuse_nested_functions(module: ir.Operation) -> None:
    for func in ops_named(module, "func.func"):
        if func.parent.operation != module:
            raise DiagnosticError(
                func, "is inside of another op; only functions of the outermost module are partitioned"
            )


class ProgramLayouts:
    """Reads a module. Its types must not change while `read` runs."""

    def __init__(self, module: ir.Operation) -> None:
        self.meshes = MeshTable(module)
        self.layouts = Layouts(self.meshes)
        self._layouts: dict[int, Layout] = {}
        """By the address of the value."""
        self._results_known: dict[tuple[int, int], tuple[Layout, ...]] = {}
        """By the hashes of the list of shardings and of the type of an only result, which are their addresses."""
        self._special: dict[str, bool] = {}
        _refuse_nested_functions(module)
        self.functions = {symbol_name(func): self._function(func) for func in funcs(module)}

    def _function(self, func: ir.Operation) -> FunctionLayouts:
        if len(func.regions[0].blocks) > 1:
            raise DiagnosticError(func, "has branches between blocks; loops and conditions have to be ops with regions")
        function_type = func.attributes["function_type"].value
        arguments = tuple(map(self.layouts.of, function_type.inputs, arg_shardings(func)))
        results = tuple(map(self.layouts.of, function_type.results, result_shardings(func)))
        return FunctionLayouts(func, arguments, results)

    def of(self, value: ir.Value) -> Layout:
        """Return the original layout of a value of the program; `read` must have run."""
        return self._layouts[address(value)]

    def _lay_out(self, values: Iterable[ir.Value], layouts: Iterable[Layout]) -> None:
        for value, layout in zip(values, layouts, strict=True):
            self._layouts[address(value)] = layout

    def read(self, on_op: OpVisitor, on_argument: ArgumentVisitor) -> None:
        """Calls `on_op` with all ops in program order, except that nested ops come before the op around them.

        Bodies of reductions that combine two numbers by one op are left out.

        `on_argument` gets the arguments of each block, but not those of functions, before the ops of the block.
        """
        for function in self.functions.values():
            if has_body(function.func):
                block = body(function.func)
                self._lay_out(block.arguments, function.arguments)
                self._block(block, on_op, on_argument)

    def own_layouts(self, op: ir.Operation) -> tuple[Layout, ...]:
        """The layouts written on `op`: of its results and of the block arguments that own its edges."""
        flow = interface(op)
        results = self._results(op, op.name, flow, op.results)
        if flow is None:
            return results
        types = [owner.type for owner in flow.block_arg_owners()]
        return (*results, *self._laid_out(op, types, flow.block_arg_shardings()))

    def _block(self, block: ir.Block, on_op: OpVisitor, on_argument: ArgumentVisitor) -> None:
        layouts, special, known = self._layouts, self._special, self._results_known
        for view in block.operations:
            op = view.operation
            name = op.name
            given, values, flow = op.operands, op.results, None
            # An iterator takes longer.
            operands = tuple([layouts[address(given[place])] for place in range(len(given))])
            if name not in special:
                special[name] = self._is_special(name)
            count = 2 if special[name] else len(values)
            if not count:
                results = ()
            elif count == 1:
                value = values[0]
                key = (address(op.attributes.get(SHARDING)), address(value.type))
                results = known.get(key)
                if results is None:
                    results = known[key] = self._results(op, name, None, values)
                layouts[address(value)] = results[0]
            else:
                flow = interface(op)
                results = self._results(op, name, flow, values)
                if name in _TRANSPARENT and results[0].sharding is None:
                    results = operands
                self._lay_out(values, results)
            if len(op.regions):
                self._regions(op, flow, on_op, on_argument)
            on_op(op, name, values, operands, results, flow)

    def _is_special(self, name: str) -> bool:
        """Return whether ops of that name say elsewhere than in `sdy.sharding` how their results are sharded."""
        return name in INHERENT_SHARDINGS or is_data_flow_op(name) or name in _TRANSPARENT

    def _results(
        self, op: ir.Operation, name: str, flow: DataFlowOp | None, values: Sequence[ir.Value]
    ) -> tuple[Layout, ...]:
        if not len(values):
            return ()
        types = [value.type for value in values]
        if flow is not None:
            return self._laid_out(op, types, flow.result_shardings())
        value = attributes.get(op, INHERENT_SHARDINGS.get(name) or SHARDING)
        given = value.shardings if isinstance(value, ShardingPerValue) else [value] * len(types)
        return self._laid_out(op, types, given)

    def _laid_out(
        self, op: ir.Operation, types: Sequence[ir.Type], shardings: Sequence[TensorSharding | None] | None
    ) -> tuple[Layout, ...]:
        """The layouts of values of these types; without shardings all devices have the whole of each."""
        listed = [None] * len(types) if shardings is None else shardings
        with op.location:
            return tuple(map(self.layouts.of, types, listed))

    def _regions(
        self, op: ir.Operation, flow: DataFlowOp | None, on_op: OpVisitor, on_argument: ArgumentVisitor
    ) -> None:
        """Return the layouts of block arguments from the op's edges.

        An argument without an edge is whole on every device.
        """
        if flow is not None:
            owners = flow.block_arg_owners()
            stored = flow.block_arg_shardings() or [None] * len(owners)
            for owner, sharding in zip(owners, stored, strict=True):
                self._layouts[address(owner)] = self.layouts.of(owner.type, sharding)
            for owner in (*flow.result_owners(), *owners):
                for target in flow.other_targets(owner):
                    self._layouts[address(target)] = self.layouts.of(target.type, self.of(owner).sharding)
        for region in op.regions:
            for block in region.blocks:
                if flow is None and _combines_numbers(block):
                    continue
                for argument in block.arguments:
                    layout = self._layouts.get(address(argument))
                    if layout is None:
                        layout = self._layouts[address(argument)] = self.layouts.of(argument.type, None)
                    on_argument(op, argument, layout)
                self._block(block, on_op, on_argument)
