"""The machine model: durations by hand, the texts that machines are written as, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import sdy
from sdy.dialect.values.mesh import Mesh
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.machine_texts import EXAMPLES, KNOWN

MACHINE = Machine(flops=2e14, bandwidth=5e10, latency=1e-6, overhead=2e-6)


@pytest.mark.parametrize(
    ("kind", "group", "size", "microseconds"),
    [
        ("all_gather", 8, 1024 * 8192 * 2, (7 * 16777216 / 1e11) * 1e6 + 7),
        ("reduce_scatter", 4, 1 << 20, (3 / 4 * 1048576 / 1e11) * 1e6 + 3),
        ("all_reduce", 4, 1 << 20, (2 * 3 / 4 * 1048576 / 1e11) * 1e6 + 6),
        ("all_to_all", 2, 1 << 20, (1 / 2 * 1048576 / 1e11) * 1e6 + 1),
        ("collective_permute", 2, 1 << 20, (1048576 / 5e10) * 1e6 + 1),
        ("collective_broadcast", 4, 1 << 20, (1048576 / 1e11) * 1e6 + 3),
        ("all_reduce", 1, 1 << 20, 0),
    ],
)
def test_collectives(kind: str, group: int, size: int, microseconds: float) -> None:
    assert MACHINE.collective_seconds(kind, group, size) * 1e6 == pytest.approx(microseconds)


def test_a_permute_uses_one_direction_whatever_there_are() -> None:
    one = Machine(flops=1, bandwidth=5e10, directions=1)
    two = Machine(flops=1, bandwidth=5e10, directions=2)
    assert one.collective_seconds("collective_permute", 2, 999) == two.collective_seconds("collective_permute", 2, 999)
    assert one.collective_seconds("all_gather", 2, 1e9) == pytest.approx(2e-2, rel=1e-3)
    assert two.collective_seconds("all_gather", 2, 1e9) == pytest.approx(1e-2, rel=1e-3)


def test_products_are_bound_by_operations_or_memory() -> None:
    machine = Machine(flops=1e12, bandwidth=1, memory_bandwidth=1e9, overhead=1e-3)
    assert machine.product_seconds(1e12, 1e6) == pytest.approx(1.001)
    assert machine.product_seconds(1e6, 1e9) == pytest.approx(1.001)
    assert machine.memory_seconds(2e9) == pytest.approx(2.001)
    assert MACHINE.memory_seconds(2e9) == 2e-6


def test_element_types_and_axes_may_differ() -> None:
    machine = Machine(
        2e14, 5e10, element_flops={"f32": 1e14}, axis_bandwidth={"node": 1e10}, axis_latency={"node": 1e-5, "x": 1e-7}
    )
    assert machine.product_seconds(1e14, 0, "f32") == 1.0
    assert machine.product_seconds(1e14, 0, "bf16") == 0.5
    assert machine.link(["x"]) == (5e10, 1e-7)
    assert machine.link(["x", "node"]) == (1e10, 1e-5)
    assert machine.link() == machine.link(["y"]) == (5e10, 1e-6)


def test_blocks_of_devices_have_links_of_their_own() -> None:
    machine = Machine(
        1, 1e10, 1e-5, block_bandwidth={"4": 4e11, "16": 1e11}, block_latency={"4": 1e-6}, axis_bandwidth={"given": 7}
    )
    mesh = Mesh.of(pod=2, node=4, given=2, chip=2)  # 32 devices: nodes of four, pods of sixteen
    there = machine.on(mesh)
    assert there.link(["chip"]) == (4e11, 1e-6)
    assert there.link(["given"]) == (7, 1e-6)
    assert there.link(["node"]) == there.link(["node", "chip"]) == (1e11, 1e-5)
    assert there.link(["pod"]) == there.link(["chip", "pod"]) == (1e10, 1e-5)
    across = Mesh.of(range(8), x=2, y=4), Mesh.of([0, 4, 1, 5, 2, 6, 3, 7], x=4, y=2)
    assert [machine.on(each).link(["y"])[0] for each in across] == [4e11, 1e11]
    assert MACHINE.on(mesh) is MACHINE


def test_products_reach_a_part_of_what_the_device_could() -> None:
    machine = Machine(1e12, 1, efficiency=0.5, element_flops={"f32": 5e11})
    assert machine.product_seconds(1e12, 0) == 2.0
    assert machine.product_seconds(1e12, 0, "f32") == 4.0


@pytest.mark.parametrize("name", KNOWN)
def test_accelerators_have_all_figures(name: str) -> None:
    machine = Machine.parse(name)
    assert 1e9 < machine.memory < 1e12 and 1e9 < machine.memory_bandwidth < 1e13
    assert 1e-7 < machine.latency < 1e-4
    # A device reads from its memory faster than it sends, and sends within a host faster than beyond.
    within = machine.on(Mesh.of(x=8)).link(["x"])
    assert machine.memory_bandwidth > 2 * within[0] > 0 and within[0] >= machine.bandwidth


@pytest.mark.parametrize(
    "machine",
    [
        MACHINE,
        Machine(1.5e14, 12345678.9, memory_bandwidth=1e12, tile=128, directions=1, channels="one"),
        Machine(1, 1, element_flops={"f32": 2, "bf16": 4.5}, axis_bandwidth={"a": 3}, axis_latency={"a": 0.25}),
        Machine(1, 1, memory=8e10, efficiency=0.7, block_bandwidth={"8": 4, "64": 2}, block_latency={"8": 0}),
        *map(Machine.parse, (*EXAMPLES, *KNOWN)),
    ],
)
def test_texts_and_json_round_trip(machine: Machine) -> None:
    assert Machine.parse(str(machine)) == machine
    assert Machine.from_json(machine.to_json()) == machine
    assert hash(Machine.from_json(machine.to_json())) == hash(machine)


def test_text_of_a_machine() -> None:
    assert str(Machine.parse("flops=2e14, bandwidth=5e10 flops.f32=1e14 latency=1e-06 bandwidth.data=1e9")) == (
        "flops=2e14 bandwidth=5e10 flops.f32=1e14 bandwidth.data=1e09"
    )


def test_files_and_examples_can_be_changed(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"flops": 1e14, "bandwidth": 1e10, "memory_bandwidth": "inf", "axis_latency": {"x": 1e-5}}')
    assert Machine.parse(str(file)) == Machine(1e14, 1e10, axis_latency={"x": 1e-5})
    assert Machine.parse(f"{file} latency.y=1e-4 tile=8") == Machine(
        1e14, 1e10, tile=8, axis_latency={"x": 1e-5, "y": 1e-4}
    )
    assert sdy.Machine.parse("slow-links flops=1e15").flops == 1e15
    assert sdy.Machine.parse("slow-links flops=1e15").bandwidth == EXAMPLES["slow-links"]["bandwidth"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a machine is at least 'flops=NUMBER bandwidth=NUMBER'"),
        ("flops=1", "a machine needs 'bandwidth'"),
        ("flops=1 bandwith=1", "no machine has 'bandwith=1', did you mean 'bandwidth'?"),
        ("flops=1 bandwidth=fast", "'fast' in 'bandwidth=fast' is not a number"),
        ("flops=1 bandwidth=1 tile=1.5", "'1.5' in 'tile=1.5' is not a whole number"),
        ("flops=1 bandwidth=1 overhead.x=1", "no machine has 'overhead.x=1'"),
        ("flops=1 bandwidth=1 axis_bandwidth=1", "no machine has 'axis_bandwidth=1'"),
        ("flops=1 bandwidth=1 twice", "no machine has 'twice'"),
        ("slow-link", "no machine 'slow-link', did you mean 'slow-links'?"),
        ("flops=0 bandwidth=1", "a machine's flops is a positive number, not 0.0"),
        ("flops=1 bandwidth=nan", "a machine's bandwidth is a positive number, not nan"),
        ("flops=1 bandwidth=1 latency=-1", "a machine's latency is a number of at least 0, not -1.0"),
        ("flops=1 bandwidth=1 latency=inf", "a machine's latency is a number of at least 0, not inf"),
        ("flops=1 bandwidth=1 directions=0", "a machine's directions is a whole number of at least 1, not 0"),
        ("flops=1 bandwidth=1 channels=two", "a machine's channels are one of axes, one, not 'two'"),
        ("flops=1 bandwidth=1 memory=0", "a machine's memory is a positive number, not 0.0"),
        ("flops=1 bandwidth=1 efficiency=1.5", "a machine's efficiency is a number above 0 and up to 1, not 1.5"),
        ("flops=1 bandwidth=1 block_bandwidth=2", "no machine has 'block_bandwidth=2'"),
        ("flops=1 bandwidth=1 block_latency.1=2", "is given for blocks of 2 devices or more, not of '1'"),
        ("flops=1 bandwidth=1 block_bandwidth.x=2", "is given for blocks of 2 devices or more, not of 'x'"),
        ("flops=1 bandwidth=1 block_bandwidth.8=-2", "block_bandwidth['8'] is a positive number, not -2.0"),
        ("h10", "no machine 'h10', did you mean 'h100'?"),
        ("flops=1 bandwidth=1 bandwidth.x=0", "a machine's axis_bandwidth['x'] is a positive number, not 0.0"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        Machine.parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "a machine in JSON: "),
        ("[1]", "a machine in JSON is an object"),
        ("[" * 100_000, "a machine in JSON: "),
        (f'{{"flops": 1{"0" * 400}, "bandwidth": 1}}', "a machine's flops is a positive number, not 1000"),
        (f'{{"flops": 1{"0" * 5000}, "bandwidth": 1}}', "a machine in JSON: "),
        ('{"flops": NaN, "bandwidth": 1}', "a machine's flops is a positive number, not nan"),
        ('{"flops": 1, "bandwidth": 1, "axis_latency": {"a b": 1}}', "a name that cannot be written: 'a b'"),
        ('{"flops": 1, "bandwidth": 1, "element_flops": {"": 1}}', "a name that cannot be written: ''"),
        ('{"flops": 1, "bandwith": 2}', "no machine has 'bandwith', did you mean 'bandwidth'?"),
        ('{"flops": 1, "bandwidth": "fast"}', "a machine's bandwidth is a positive number, not 'fast'"),
        ('{"flops": 1, "bandwidth": 1, "axis_latency": 3}', "axis_latency is an object of numbers, not 3"),
        ('{"flops": 1, "bandwidth": 1, "axis_latency": {"x": "y"}}', "axis_latency['x'] is a number of at least 0"),
        ('{"flops": true, "bandwidth": 1}', "a machine's flops is a positive number, not True"),
    ],
)
def test_json_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        Machine.from_json(text)
    assert message in str(error.value)


def test_without_a_limit_memory_takes_no_time() -> None:
    assert MACHINE.memory_bandwidth == math.inf
    assert MACHINE.product_seconds(0, 1e30) == 2e-6


def test_blocks_are_alike_on_meshes_with_and_without_numbers_of_devices() -> None:
    machine = Machine(1, 1e10, block_bandwidth={"2": 4, "3": 3, "4": 2, "8": 1})
    for sizes in ((2, 4), (4, 2), (3, 4), (1, 8), (2, 3, 2), (2, 1, 8), (6,)):
        mesh = Mesh.of(**{f"a{number}": size for number, size in enumerate(sizes)})
        listed = Mesh(mesh.axes, tuple(range(mesh.size)))
        assert machine.on(mesh) == machine.on(listed)


def test_meshes_of_any_size_have_links() -> None:
    machine = Machine(1, 1e10, block_bandwidth={"8": 4e10})
    assert dict(machine.on(Mesh.of(x=2**40, y=2**40, z=8)).axis_bandwidth) == {"z": 4e10}
