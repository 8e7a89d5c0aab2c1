"""Facts about distributed functions and their fragments (spec: mpmd, 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from sdy.dialect.definition.attributes import is_sdy, number_of, string_of, value_of
from sdy.dialect.mpmd.values import MeshTensor, Topology, UserOrigin
from sdy.lazy_dataclass import dataclass
from sdy.mlir import functions, ir
from sdy.mlir.functions import body, has_body, is_private
from sdy.mlir.rewriting import after_value, first_user, terminator

ARG_ATTRS = "arg_attrs"
RES_ATTRS = "res_attrs"
MEMORY_KIND = "mhlo.memory_kind"

Entries = list[dict[str, ir.Attribute]]


def entries_of(op: ir.Operation, kind: str) -> Entries:
    """The attributes of each operand or result of a fragment or function; empty ones if none are kept.

    Args:
      op: a fragment or function.
      kind: `ARG_ATTRS` or `RES_ATTRS`.
    """
    if op.name == "func.func" or kind in op.attributes:
        return functions.entries_of(op, kind)
    return [{} for _ in (op.operands if kind == ARG_ATTRS else op.results)]


def put_entries(op: ir.Operation, kind: str, entries: Sequence[Mapping[str, ir.Attribute]]) -> None:
    """Keep the attributes of each operand or result."""
    op.attributes[kind] = ir.ArrayAttr.get([ir.DictAttr.get(dict(entry)) for entry in entries])


def is_host_entry(entry: Mapping[str, ir.Attribute]) -> bool:
    """Return whether the attributes of an operand or result place it in the memory of the host."""
    kind = entry.get(MEMORY_KIND)
    return isinstance(kind, ir.StringAttr) and kind.value == "pinned_host"


FRAGMENT = "mpmd.fragment"
TRANSFER = "mpmd.transfer"

CALL_COUNTER = "call_counter"
INFERRED_BY = "mpmd.inferred_by"
REMAT = "remat"
SPLIT_DROP = "split_drop_transferred"
SPLIT_KEEP = "split_keep_transferred"
STAGE = "stage_id"
TOPOLOGY = "topology"

PINNED_HOST = "pinned_host"
HOST_SUFFIX = "/cpu"


def topology_of(func: ir.Operation) -> Topology | None:
    """The topology of a function, None if it has none."""
    attr = func.attributes.get(TOPOLOGY)
    return value_of(attr) if attr is not None and is_sdy(attr, Topology) else None


def is_mpmd_function(func: ir.Operation) -> bool:
    """Return whether a function has a body and a topology."""
    return has_body(func) and TOPOLOGY in func.attributes


def is_distributed(func: ir.Operation) -> bool:
    """Return whether a function has a body, and a topology or mesh shape."""
    return has_body(func) and (TOPOLOGY in func.attributes or "mesh_shape" in func.attributes)


def is_entry_point(func: ir.Operation) -> bool:
    """Return whether a function is distributed and public."""
    return is_distributed(func) and not is_private(func)


def is_on_host(mesh_name: str) -> bool:
    """Return whether a mesh of that name consists of hosts."""
    return mesh_name.endswith(HOST_SUFFIX)


def in_host_memory(value: ir.Value) -> bool:
    """Return whether the type of a mesh tensor places it in the memory of the host."""
    type_ = mesh_tensor_of(value)
    return type_ is not None and type_.memory_kind == PINNED_HOST


def mesh_tensor_of(value: ir.Value) -> MeshTensor | None:
    """The type of a value as a mesh tensor; None for any other type."""
    if not isinstance(value.type, ir.DynamicType):
        return None
    found = value_of(value.type)
    return found if isinstance(found, MeshTensor) else None


def on_mesh(value: ir.Value) -> MeshTensor:
    """The type of a value that is on a mesh."""
    found = mesh_tensor_of(value)
    assert found is not None, value
    return found


def ops_in(func: ir.Operation, *names: str) -> list[ir.Operation]:
    """The ops of these names directly in the body of a function, in order; all ops if none is given.

    A declaration has none.
    """
    ops = [view.operation for view in body(func).operations] if has_body(func) else []
    return [op for op in ops if op.name in names] if names else ops


def fragments_in(func: ir.Operation) -> list[ir.Operation]:
    """The fragments directly in the body of a function, in order."""
    return ops_in(func, FRAGMENT)


def is_fragment(op: ir.Operation | None) -> bool:
    return op is not None and op.name == FRAGMENT


def block_of(fragment: ir.Operation) -> ir.Block:
    """The block of a fragment."""
    return fragment.regions[0].blocks[0]


def returned(fragment: ir.Operation) -> list[ir.Value]:
    """The values that the block of a fragment returns."""
    return list(terminator(block_of(fragment)).operands)


def mesh_name_of(fragment: ir.Operation) -> str:
    return string_of(fragment.attributes["mesh_name"])


def origins_of(fragment: ir.Operation) -> tuple[UserOrigin, ...]:
    """The named computations that a fragment is made of."""
    return tuple(value_of(each) for each in ir.ArrayAttr(fragment.attributes["origin"]))


def is_user_fragment(fragment: ir.Operation) -> bool:
    """Return whether a fragment holds a computation that a user named."""
    return len(ir.ArrayAttr(fragment.attributes["origin"])) > 0


def is_inferred_fragment(op: ir.Operation) -> bool:
    """Return whether an op is a fragment without a named computation."""
    return op.name == FRAGMENT and not is_user_fragment(op)


def transpose_count(fragment: ir.Operation) -> int | None:
    """The transpose count of all origins; None without origins or if they differ."""
    return common_transpose_count(origins_of(fragment))


def common_transpose_count(origins: Iterable[UserOrigin | FragmentOrigin]) -> int | None:
    counts = {origin.transpose_count for origin in origins}
    return counts.pop() if len(counts) == 1 else None


def _number(op: ir.Operation, name: str) -> int | None:
    attr = op.attributes.get(name)
    return None if attr is None else number_of(attr)


def call_counter(op: ir.Operation) -> int | None:
    """The number of the microbatch, None if there is none."""
    return _number(op, CALL_COUNTER)


def stage_of(fragment: ir.Operation) -> int | None:
    """The stage of the pipeline, None if there is none."""
    return _number(fragment, STAGE)


class SplitFragmentType(Enum):
    """Half of a split backward fragment; the values are the texts of options and rules."""

    KEEP_TRANSFERRED = "kKeepTransferred"
    DROP_TRANSFERRED = "kDropTransferred"


def split_type(fragment: ir.Operation) -> SplitFragmentType | None:
    """The half of a split backward fragment, None for a fragment that is not split."""
    if SPLIT_KEEP in fragment.attributes:
        return SplitFragmentType.KEEP_TRANSFERRED
    return SplitFragmentType.DROP_TRANSFERRED if SPLIT_DROP in fragment.attributes else None


def is_scheduling_unit(op: ir.Operation) -> bool:
    """Return whether an op is a forward or backward user fragment of one microbatch."""
    is_candidate = op.name == FRAGMENT and is_user_fragment(op) and CALL_COUNTER in op.attributes
    return is_candidate and transpose_count(op) in (0, 1)


@dataclass(frozen=True, slots=True)
class FragmentOrigin:
    """Name of a computation, and how often it was transposed."""

    computation_name: str
    transpose_count: int = 0

    def __str__(self) -> str:
        return f'"{self.computation_name}"' + (f"({self.transpose_count})" if self.transpose_count else "")


@dataclass(frozen=True, slots=True)
class FragmentInfo:
    """Identity of a fragment in rules (spec: mpmd, 3); all fields count."""

    origins: tuple[FragmentOrigin, ...]
    stage_id: int | None = None
    call_counter: int | None = None
    split_type: SplitFragmentType | None = None
    mesh_name: str = ""

    @property
    def transpose_count(self) -> int | None:
        """Return the transpose count of all origins; None without origins or if they differ."""
        return common_transpose_count(self.origins)

    @property
    def is_forward(self) -> bool:
        """Return whether none of its computations was transposed."""
        return self.transpose_count == 0

    @property
    def is_backward(self) -> bool:
        """Return whether each of its computations was transposed once."""
        return self.transpose_count == 1

    @property
    def drops_transferred(self) -> bool:
        """Return whether it is the half of a split backward fragment with the gradients of parameters."""
        return self.split_type is SplitFragmentType.DROP_TRANSFERRED

    def __str__(self) -> str:
        parts = [f"origins=[{','.join(map(str, self.origins))}]"]
        parts += [f"stage={self.stage_id}"] if self.stage_id is not None else []
        parts += [f"call_counter={self.call_counter}"] if self.call_counter is not None else []
        parts += [f"split_type={self.split_type.value}"] if self.split_type is not None else []
        return f'FragmentInfo({",".join(parts)},mesh_name="{self.mesh_name}")'


def info_of(fragment: ir.Operation) -> FragmentInfo:
    """The identity of a fragment."""
    return FragmentInfo(
        tuple(FragmentOrigin(origin.name, origin.transpose_count) for origin in origins_of(fragment)),
        stage_of(fragment),
        call_counter(fragment),
        split_type(fragment),
        mesh_name_of(fragment),
    )


def move_to_first_user(op: ir.Operation) -> bool:
    """Move an op right in front of the first op of its block that uses it; return whether there is one."""
    first = first_user(op)
    if first is not None:
        op.move_before(first)
    return first is not None


def move_behind_operand(transfer: ir.Operation) -> None:
    """Move a transfer right behind the op of its operand, or to the start of the function."""
    place = after_value(transfer.operands[0]).ref_operation
    if place is not None and place.operation != transfer:
        transfer.move_before(place.operation)


def next_on_mesh(fragment: ir.Operation) -> ir.Operation | None:
    """Return the next fragment of the function on the same mesh."""
    following = fragments_in(fragment.parent.operation)
    mesh = mesh_name_of(fragment)
    return next((op for op in following[following.index(fragment) + 1 :] if mesh_name_of(op) == mesh), None)
