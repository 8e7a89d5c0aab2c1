"""The shardings of the values of a program after propagation, or as written where nothing is propagated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sdy.dialect.program_values import Program, ProgramValue, ValueKind
from sdy.dialect.shardings.attribute_shardings import arg_sharding, result_sharding
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding, symbol
from sdy.markup.layout import Layout, axis_text
from sdy.mlir import ir
from sdy.mlir.tensor_types import bits, is_tensor
from sdy.page.data_types import CameColumns, ReasonsData, StopColumns
from sdy.page.program_data import Interned, SourceLines
from sdy.report.explanation import AxisOrigin, Explainer, Explanation, Hop, Stop

_OF_FUNCTIONS = "mhlo.memory_kind"
_OF_CALLS, _PLACEMENT = "mhlo.frontend_attributes", "_xla_buffer_placement"
_DEVICE = "device"


def memory_kind(program: Program, value: ProgramValue) -> str:
    """Return the memory kind that JAX gives to arguments, results and moves; None for a device's own memory."""
    kind = _said(program.ops[value.op], value)
    return "" if kind == _DEVICE else kind


def _said(op: ir.Operation, value: ProgramValue) -> str:
    if value.kind is ValueKind.RESULT:
        return _entry(op.attributes, _OF_CALLS, _PLACEMENT) if op.name == "stablehlo.custom_call" else ""
    name = "arg_attrs" if value.kind is ValueKind.ARGUMENT else "res_attrs"
    if op.name != "func.func" or name not in op.attributes:
        return ""
    return _text(op.attributes[name][value.index], _OF_FUNCTIONS)


def _entry(attributes: ir.OpAttributeMap, name: str, key: str) -> str:
    return _text(attributes[name], key) if name in attributes else ""


def _text(entries: ir.Attribute, key: str) -> str:
    if not isinstance(entries, ir.DictAttr) or key not in entries:
        return ""
    found = entries[key]
    return found.value if isinstance(found, ir.StringAttr) else ""


class Layouts:
    """Layouts of the values of one program on its meshes; `mesh` is for values without a sharding."""

    def __init__(self, program: Program, explainer: Explainer | None, mesh: Mesh | None, *, is_local: bool) -> None:
        self._program, self._explainer, self._is_local = program, explainer, is_local
        self._meshes = MeshTable(program.module)
        self._mesh = mesh
        self._types: dict[str, tuple[tuple[int, ...], str, int] | None] = {}
        self._kept: dict[tuple[str, TensorSharding | None, str], tuple[Layout, int] | None] = {}

    def of(self, value: ProgramValue) -> tuple[Layout, int] | None:
        """Return the layout of a value and its bytes per device, -1 if unknown; None if it is not a tensor.

        Values of a local program count as replicated.
        """
        sharding = None if self._is_local else self._sharding(value)
        key = value.type, sharding, memory_kind(self._program, value)
        if key not in self._kept:
            self._kept[key] = self._layout(*key)
        return self._kept[key]

    def _sharding(self, value: ProgramValue) -> TensorSharding | None:
        return written(self._program, value) if self._explainer is None else self._explainer.sharding(value)

    def _layout(self, type_: str, sharding: TensorSharding | None, memory: str) -> tuple[Layout, int] | None:
        found = self._type(type_)
        if found is None:
            return None
        shape, element, width = found
        mesh = self._mesh if sharding is None else self._mesh_of(sharding)
        remarks = tuple(filter(None, (self._other_mesh(sharding, mesh), memory)))
        layout = Layout(shape, element, sharding, None if self._is_local else mesh, remarks)
        size = width
        for each in layout.local_shape:
            size = -1 if each < 0 or size < 0 else size * each
        return layout, size if size < 0 else -(-size // 8)

    def _mesh_of(self, sharding: TensorSharding) -> Mesh | None:
        return self._meshes.of(sharding) if self._explainer is None else self._explainer.mesh(sharding)

    def _other_mesh(self, sharding: TensorSharding | None, mesh: Mesh | None) -> str:
        """Return the name of a sharding's mesh if the program runs on another one: ``@stage``, ``@one: device 3``."""
        if sharding is None or mesh is None or mesh == self._mesh or mesh.is_empty:
            return ""
        name = str(mesh) if isinstance(sharding.mesh_or_ref, Mesh) else symbol(sharding.mesh_or_ref)
        return f"{name}: device {mesh.device_ids[0]}" if mesh.is_maximal else name

    def _type(self, text: str) -> tuple[tuple[int, ...], str, int] | None:
        """Shape, element type and its bits."""
        if text not in self._types:
            type_ = ir.Type.parse(text, self._program.module.context) if text.startswith("tensor<") else None
            if type_ is None or not is_tensor(type_):
                self._types[text] = None
            else:
                element = type_.element_type
                self._types[text] = tuple(type_.shape), str(element), _bits(element)
        return self._types[text]


def _bits(element: ir.Type) -> int:
    try:
        return bits(element)
    except (TypeError, ValueError):
        return -1


def written(program: Program, value: ProgramValue) -> TensorSharding | None:
    """The sharding that is written at a value."""
    op = program.ops[value.op]
    if value.kind is ValueKind.RESULT:
        return get_sharding(op.results[value.index])
    if op.name != "func.func":
        return None
    get = arg_sharding if value.kind is ValueKind.ARGUMENT else result_sharding
    return get(op, value.index)


MOST_STOPS = 8
"""Maximum number of entries for one value, in each direction."""


class Reasons:
    """Collects explanations of values, by number."""

    def __init__(self, program: Program, sources: SourceLines) -> None:
        self._sources = sources
        self._texts: Interned[str] = Interned()
        self.came: CameColumns = {
            "value": [],
            "axis": [],
            "dim": [],
            "kind": [],
            "origin": [],
            "hops": [],
            "last": [],
            "before": [],
        }
        self.stops: StopColumns = {"value": [], "is_stop": [], "reason": [], "text": []}

    def add(self, value: int, explanation: Explanation) -> None:
        """Add the explanation of a value, by its number."""
        for origin in explanation.axes:
            self._came(value, origin)
        self._stopped(value, 1, explanation.stops[:MOST_STOPS])
        self._stopped(value, 0, explanation.missed[:MOST_STOPS])

    def data(self) -> ReasonsData:
        """Return the reasons as data of the page."""
        return {
            "texts": [self._sources.shortened(text) for text in self._texts.things],
            "came": self.came,
            "stops": self.stops,
        }

    def _came(self, value: int, origin: AxisOrigin) -> None:
        hops, before = _last(origin)
        came = self.came
        came["value"].append(value)
        came["axis"].append(self._texts[axis_text(origin.axis)])
        came["dim"].append(origin.dim)
        came["kind"].append(self._texts[origin.kind.value])
        came["origin"].append(-1 if origin.origin is None else self._texts[str(origin.origin)])
        came["hops"].append(len(origin.hops))
        came["last"].append(self._texts["; ".join(map(str, hops))] if hops else -1)
        came["before"].append(before)

    def _stopped(self, value: int, is_stop: Literal[0, 1], stops: Iterable[Stop]) -> None:
        for stop in stops:
            self.stops["value"].append(value)
            self.stops["is_stop"].append(is_stop)
            self.stops["reason"].append(self._texts[stop.reason.value])
            self.stops["text"].append(self._texts[str(stop)])


def _last(origin: AxisOrigin) -> tuple[list[Hop], int]:
    """Return the hops from the last value of the program on the way, and its number; -1 without one."""
    found: list[Hop] = []
    for hop in reversed(origin.hops):
        if found and hop.number >= 0:
            return found[::-1], hop.number
        found.append(hop)
    return found[::-1], origin.number if found else -1
