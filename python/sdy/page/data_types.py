"""Types of the page's data; `schema.json` documents the meaning of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

from sdy.markup import Json


class AxisData(TypedDict):
    """An axis, or a sub-axis, with its colour."""

    name: str
    colour: int


class MeshAxisData(AxisData):
    """An axis of a mesh, with its size."""

    size: int


class MeshData(TypedDict):
    """A mesh, with its axes and device ids."""

    name: str
    axes: list[MeshAxisData]
    devices: int
    device_ids: list[int] | None
    drawing: str


# Programs --------------------------------------------------------------------------------------------


class OpColumns(TypedDict):
    """Columns on ops, by their numbers."""

    name: list[int]
    parent: list[int]
    line: list[int]
    source: list[int]
    location: list[int]
    operands: list[list[int]]


class ValueColumns(TypedDict):
    """Columns on values, by their numbers."""

    name: list[str]
    type: list[int]
    op: list[int]
    kind: list[int]
    called: list[str]


class NodeData(TypedDict):
    """A node of the tree of scopes; keys are short since there are many."""

    k: str
    l: str  # noqa: E741 (as the page has it)
    op: NotRequired[int]
    phase: NotRequired[str]
    full: NotRequired[str]
    c: NotRequired[list[NodeData]]


class BareProgram(TypedDict):
    """A program without its tree."""

    op_names: list[str]
    types: list[str]
    locations: list[str]
    sources: list[list[str | int]]
    ops: OpColumns
    calls: list[list[int]]
    values: ValueColumns
    text: str
    line_numbers: list[int] | None


class ProgramData(BareProgram):
    """A program with the tree of its scopes."""

    tree: list[NodeData]


# Plans -----------------------------------------------------------------------------------------------


class WrittenData(TypedDict):
    """A text as HTML."""

    html: str
    text: str


class LabelData(WrittenData):
    """A sharding as HTML, with its drawings."""

    drawing: list[str]


class PlanValues(TypedDict):
    """Columns on the values of a plan, by their numbers."""

    label: list[int]
    written: list[int]
    local_bytes: list[int]


class CollectiveData(TypedDict):
    """A collective: its purpose and its cost."""

    id: str
    kind: str
    axes: list[str] | None
    group_size: int
    operand_bytes: int
    bytes_sent: float
    times: int | None
    places: int
    is_conditional: bool
    is_in_loop: bool
    is_asynchronous: bool
    serves: str
    value: str
    location: str
    position: str
    op: int
    reshard: str | None
    cause: str
    seconds: float | None
    exposed: float | None


class FreeReshard(TypedDict):
    """A reshard that sends nothing."""

    serves: str
    value: str
    location: str
    reshard: str


class TotalData(TypedDict):
    """The sum of collectives of one kind over the same axes."""

    kind: str
    axes: str
    ops: int
    bytes_sent: float


class LaneData(TypedDict):
    """A lane of the timeline."""

    name: str
    axes: list[str]
    item: list[int]
    start: list[float]
    length: list[float]


class MemoryColumns(TypedDict):
    """Columns on memory over time."""

    time: list[float]
    bytes: list[int]


LiveColumns = TypedDict(
    "LiveColumns",
    {
        "name": list[str],
        "kind": list[str],
        "bytes": list[int],
        "op": list[int],
        "from": list[float],
        "to": list[float],
    },
)


class ScheduleData(TypedDict):
    """The schedule of a step on a machine."""

    machine: str
    machine_name: str
    step: float
    products: float
    traffic: float
    communication: float
    exposed: float
    starts: float
    is_exact: bool
    peak: int
    arguments: int
    where: str
    held: list[list[str | int]]
    limit: float | None
    bound: str
    lanes: list[LaneData]
    memory: MemoryColumns
    live: LiveColumns


class CameColumns(TypedDict):
    """Columns on axes of values and where they came from."""

    value: list[int]
    axis: list[int]
    dim: list[int]
    kind: list[int]
    origin: list[int]
    hops: list[int]
    last: list[int]
    before: list[int]


class StopColumns(TypedDict):
    """Columns on values that an axis did not reach, and why."""

    value: list[int]
    is_stop: list[Literal[0, 1]]
    reason: list[int]
    text: list[int]


class ReasonsData(TypedDict):
    """Reasons of shardings."""

    texts: list[str]
    came: CameColumns
    stops: StopColumns


class CureData(TypedDict):
    """A cure and its savings."""

    text: str
    bytes_saved: float
    ops_saved: int
    seconds_saved: float | None
    is_cheaper: bool


class CauseData(TypedDict):
    """The cause of a collective, with its cures."""

    factors: list[str]
    around: list[list[str | int]]
    is_tried: bool
    tried: int
    cures: list[CureData]


class TableData(TypedDict):
    """A table with a title."""

    title: str
    headings: list[str]
    rows: list[list[str]]


class FoundData(TypedDict):
    """The report of a plan that `sdy.auto` found."""

    tables: list[TableData]
    bounds: list[list[str | float]]
    memory: list[list[str | int]]
    where: str
    remarks: list[str]


class DeviceText(TypedDict):
    """The program of each device, and of each line the op of the program that it serves."""

    text: str
    op: list[int]


class PassesData(TypedDict):
    """The program after each pass that changes it: names of the passes, distinct lines, and texts as their numbers."""

    name: list[str]
    lines: list[str]
    text: list[list[int]]


class BarePlan(TypedDict):
    """A plan without the identity of its program."""

    name: str
    is_local: bool
    labels: list[LabelData]
    written: list[WrittenData]
    values: PlanValues
    collectives: list[CollectiveData]
    free_reshards: list[FreeReshard]
    totals: list[TotalData]
    ops: int
    bytes_sent: float
    is_exact: bool
    schedule: ScheduleData | None
    reasons: ReasonsData | None
    causes: list[CauseData]
    found: FoundData | None
    device: DeviceText | None
    passes: PassesData | None


class PlanData(BarePlan):
    """A plan of a program."""

    program: int
    text: str | None


class PageData(TypedDict):
    """Data that `sdy.page.data` returns."""

    version: int
    title: str
    axes: list[AxisData]
    meshes: list[MeshData]
    programs: list[ProgramData]
    plans: list[PlanData]
    notes: list[str]


FILE = Path(__file__).with_name("schema.json")


def schema() -> dict[str, Json]:
    """Return the JSON Schema (draft 7) of the data of `sdy.page.data` and ``sdy-report --json``."""
    return json.loads(FILE.read_text(encoding="utf-8"))
