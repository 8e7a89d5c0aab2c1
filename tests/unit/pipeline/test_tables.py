"""Schedules as tables: what generators give, what they hold and take, and which tables are refused."""

from __future__ import annotations

import pytest

from sdy.pipeline.generators import GENERATORS
from sdy.pipeline.list_scheduling import searched_table
from sdy.pipeline.tables import Kind, Table, Unit, parse_units


def _line(meshes: int, chunks: int = 1) -> dict[str, list[int]]:
    return {f"m{mesh}": [mesh + chunk * meshes for chunk in range(chunks)] for mesh in range(meshes)}


def _v(meshes: int) -> dict[str, list[int]]:
    return {f"m{mesh}": [mesh, 2 * meshes - 1 - mesh] for mesh in range(meshes)}


def _made(name: str, meshes: int, microbatches: int) -> Table:
    placement = _v(meshes) if name.endswith("_V") else _line(meshes, 2 if name == "INTERLEAVED_1F1B" else 1)
    table = GENERATORS[name](placement, microbatches)
    table.check()
    assert sum(map(len, table.orders.values())) in (
        2 * microbatches * sum(map(len, placement.values())),
        3 * microbatches * sum(map(len, placement.values())),
    )
    return table


@pytest.mark.parametrize(
    ("name", "steps", "held"),
    [
        ("TABLE_GPIPE", 33, [8, 8, 8, 8]),
        ("TABLE_1F1B", 33, [4, 3, 2, 1]),
        ("INTERLEAVED_1F1B", 57, [11, 9, 7, 5]),
        ("ZB_H1", 27, [4, 4, 4, 4]),
        ("ZB_H2", 27, [7, 7, 7, 7]),
        ("ZB_V", 51, [8, 8, 8, 8]),
        ("DUAL_PIPE_V", 51, [9, 9, 9, 9]),
    ],
)
def test_generators_give_known_steps_and_hold_known_values(name: str, steps: float, held: list[int]) -> None:
    """With 4 meshes and 8 microbatches; passes of two stages a mesh are half as long."""
    table = _made(name, 4, 8)
    assert table.steps() == steps
    assert list(table.held().values()) == held


@pytest.mark.parametrize("meshes", [2, 3, 5, 8])
@pytest.mark.parametrize("groups", [1, 2, 3])
def test_steps_of_uniform_stages_are_those_of_formulas(meshes: int, groups: int) -> None:
    count = groups * meshes
    seconds = {Kind.FORWARD: 1.0, Kind.BACKWARD: 2.25, Kind.INPUTS: 1.25, Kind.PARAMETERS: 1.0}

    def steps(name: str) -> float:
        return _made(name, meshes, count).steps(lambda unit: seconds[unit.kind])

    whole = 3.25
    assert steps("TABLE_GPIPE") == steps("TABLE_1F1B") == pytest.approx((count + meshes - 1) * whole, abs=1e-9)
    assert steps("INTERLEAVED_1F1B") == pytest.approx(2 * count * whole + (meshes - 1) * whole, abs=1e-9)
    assert steps("ZB_H1") == pytest.approx(count * whole + (meshes - 1) * 1.25, abs=1e-9)


@pytest.mark.parametrize("meshes", [2, 4, 8])
def test_more_microbatches_in_flight_leave_no_bubble_within_a_mesh(meshes: int) -> None:
    """The spans of meshes in ZB-H2, with a fill before and a drain behind that they do not wait in."""
    table = _made("ZB_H2", meshes, 3 * meshes)
    assert table.steps() == 9 * meshes + meshes - 1


def test_tables_are_read_and_printed() -> None:
    table = Table.of({"m0": "F0 F1 B0 B1", "m1": ["F0", "I0", "W0", Unit(Kind.FORWARD, 1), "A1", "W1"]})
    assert str(table) == "m0  F0 F1 B0 B1  (holds 2)\nm1  F0 A0 W0 F1 A1 W1  (holds 1)"
    assert Table.of({"m0": "0F0 1F0 1B0 0B0"}).steps() == 6
    with pytest.raises(ValueError, match="'G0' is not a unit of a schedule"):
        parse_units("G0")
    with pytest.raises(ValueError, match="F1 of mesh 'm0' needs a stage, as in 0F1: it has 0, 3"):
        Table.of({"m0": "F1"}, {"m0": [0, 3]})
    with pytest.raises(TypeError, match="a schedule consists of units or of their texts such as F3, not 3"):
        Table.of({"m0": ["F0", 3]})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ({"m0": "F0 F0 B0"}, "0F0 stands twice on mesh 'm0'"),
        ({"m0": "F0 F1 B0"}, "microbatch 1 in stage 0 on mesh 'm0' has no backward pass"),
        ({"m0": "F0 B0 B1"}, "microbatch 1 in stage 0 on mesh 'm0' has no forward pass"),
        ({"m0": "F0 A0"}, "is a B, or an A and a W"),
        (
            {"m0": "F0 B0 F1 B1", "m1": "F0 F1 B0 B1"},
            "the schedule deadlocks: 0B0 on m0 waits for 1B0 on m1, which is behind 1F1; "
            "1F1 on m1 waits for 0F1 on m0, which is behind 0B0",
        ),
    ],
)
def test_tables_that_cannot_run_are_refused(orders: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Table.of(orders).check()


@pytest.mark.parametrize(
    ("name", "placement", "message"),
    [
        ("ZB_V", _line(2, 2), "needs stages 0, 3 on mesh 'm0', which has 0, 2"),
        ("INTERLEAVED_1F1B", _v(2), "needs stages 0, 2 on mesh 'm0', which has 0, 3"),
        ("DUAL_PIPE_V", _v(3), "needs twice as many microbatches as meshes, 6, not 4"),
    ],
)
def test_stages_have_to_be_where_a_schedule_needs_them(
    name: str, placement: dict[str, list[int]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        GENERATORS[name](placement, 4)


def test_searched_tables_keep_within_memory() -> None:
    """Within 10 % of ZB-H1 under the memory of 1F1B's first mesh, and no longer with more."""
    for meshes in (4, 8):
        formula = 6 * meshes + meshes - 1
        tight = searched_table(_line(meshes), 2 * meshes, meshes)
        assert max(tight.held().values()) <= meshes
        assert tight.steps() <= 1.1 * formula
        assert searched_table(_line(meshes), 2 * meshes, 2 * meshes).steps() <= tight.steps()
    with pytest.raises(ValueError, match="no schedule holds at most 1 forward passes a mesh"):
        searched_table(_line(2, 2), 4, 1)
