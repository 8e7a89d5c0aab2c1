"""What reports say of a program is what is compiled: the same counts and bytes, whoever is asked, as in its HLO."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from jaxlib._jax import mlir

import sdy.jax
from sdy import hlo
from sdy.jax.stages import Lowered
from sdy.page.plans import Parts
from sdy.partitioned_module import PartitionedModule
from sdy.report.communication_report import CommunicationReport
from tests import depth
from tests.data.programs import load

MACHINE = "flops=2e14 bandwidth=5e10 latency=1e-6 overhead=2e-6"

HUGE = ("transformer_24", "transformer_24_functions", "transformer_96", "transformer_96_functions")
"""Those with 2 layers have the same layers."""

PROGRAMS = sorted(load().keys() - set(HUGE)) if depth.ALL else ["mlp_fsdp", "shard_map_partial"]

WIDENED = ("transformer_fsdp_bf16",)
"""On CPUs XLA computes sums of numbers of 16 bits with 32, and sends those."""

COMPILED = sorted(load().keys() - {*HUGE, *WIDENED}) if depth.ALL else ["mlp_fsdp", "while_cond"]

_FAST = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
"""Options that make XLA compile faster; collectives are the same."""

Sent = Mapping[tuple[str, int], tuple[int, float]]
"""Tensors and bytes that a device sends in one run, by kind and size of groups."""


def lowered(name: str, overlap: sdy.Overlap | None = None) -> Lowered:
    return Lowered.of(load()[name](), sdy.jax.Partitioner(overlap=overlap))


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_ways_to_ask_say_what_is_compiled(name: str, caplog: pytest.LogCaptureFixture) -> None:
    check(lowered(name), caplog)


@pytest.mark.parametrize("name", PROGRAMS if depth.ALL else ["while_cond"])
def test_all_ways_to_ask_say_what_is_compiled_with_overlap(name: str, caplog: pytest.LogCaptureFixture) -> None:
    check(lowered(name, sdy.Overlap(MACHINE)), caplog)


def test_what_is_traced_is_told_as_it_is_compiled() -> None:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    shardings = NamedSharding(mesh, P(None, "model")), NamedSharding(mesh, P("model"))
    jitted = sdy.jax.jit(jnp.matmul, in_shardings=shardings, overlap=sdy.Overlap())
    traced = jitted.trace(*[jax.ShapeDtypeStruct((64, 64), "float32")] * 2)
    found = sdy.communication(traced)
    assert found == traced.lower().communication() != sdy.communication(traced, options=sdy.PartitionOptions())
    assert sdy.page.data(traced)["plans"][0]["ops"] == found.ops


def check(one: Lowered, caplog: pytest.LogCaptureFixture) -> None:
    partitioned, report = one.partitioned, one.communication(machine=MACHINE)
    assert in_one_round(report) == handed_to_xla(partitioned)
    assert report.timeline is not None
    assert seconds(report.timeline) == seconds(one.timeline(MACHINE)) == seconds(sdy.timeline(partitioned, MACHINE))
    want = report.ops, pytest.approx(report.bytes_sent)
    for way in (one, partitioned):
        assert named(sdy.communication(way)) == named(report)
        compared = sdy.compare(way, {"it": {}})["it"]
        estimated = sdy.auto.estimate(way, MACHINE)
        page = sdy.page.data(way, parts=Parts(reasons=False))["plans"][0]
        assert [each["id"] for each in page["collectives"]] == [each.id for each in report.transfers]
        assert (compared.collectives, compared.bytes_sent) == want
        assert (sum(each.ops for each in estimated.collectives), estimated.bytes_sent) == want
        assert (page["ops"], page["bytes_sent"]) == want
    assert logged(one, caplog).endswith(str(one.communication()))


def logged(one: Lowered, caplog: pytest.LogCaptureFixture) -> str:
    """What is logged of the program when it is compiled."""
    partitioner = replace(one._partitioner, report=sdy.jax.ReportOptions(log_communication=True))
    caplog.clear()
    module: Any = one.compiler_ir("stablehlo")
    with caplog.at_level(logging.WARNING, "sdy"):
        partitioner.wrapped(one.partitioned, module)
    (said,) = [record.getMessage() for record in caplog.records if " sends, from each device" in record.getMessage()]
    return said


def in_one_round(report: CommunicationReport) -> Sent:
    """What is told, with each loop counted as one round, as HLO does not say before XLA optimizes it."""
    found: dict[tuple[str, int], tuple[int, float]] = {}
    for one in report.transfers:
        if one.group_size > 1:
            ops, sent = found.get((one.kind, one.group_size), (0, 0.0))
            found[one.kind, one.group_size] = (ops + 1, sent + one.moved_bytes)
    return dict(sorted(found.items()))


def handed_to_xla(partitioned: PartitionedModule) -> Sent:
    """What the program of each device sends, as HLO; groups of a single device send nothing."""
    text = mlir.mlir_module_to_xla_computation(partitioned.text, use_tuple_args=False, return_tuple=False)
    found = hlo.summary(hlo.collectives(text.as_hlo_text(), partitioned.num_devices))
    return {key: (tensors, sent) for key, (_, tensors, _, sent) in sorted(found.items()) if key[1] > 1}


@pytest.mark.parametrize("name", COMPILED)
def test_what_is_told_is_what_xla_has_compiled(name: str) -> None:
    """Bytes are: XLA may join and split collectives."""
    report = lowered(name).communication()
    with sdy.jax.partitioned():
        text = load()[name]().compile(compiler_options=_FAST).as_text() or ""
    found = [one for one in hlo.collectives(text, 8) if one.group_size > 1]
    sent = sum(one.times * one.moved_bytes for one in found)
    assert sent == pytest.approx(report.bytes_sent)


def seconds(one: Any) -> tuple[float, ...]:
    return tuple(float(f"{each:.9g}") for each in (one.total, one.compute, one.communication, one.exposed))


def named(report: CommunicationReport) -> list[tuple[str, str, str, str]]:
    return [(one.id, one.kind, one.serves, one.value) for one in report.transfers]
