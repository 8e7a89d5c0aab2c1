"""No op and no custom call that JAX emits, on whatever platform, is one of which nothing is known."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.search import ops_named
from tests import depth
from tests.numerics.jax_functions import FUNCTIONS
from tests.platforms.emitted import WITH_RULE_OF_JAX, WITHOUT_RULE, targets_in_sources, unknown
from tests.platforms.lowered import PROGRAMS, all_names, case, is_written_elsewhere, program

SAMPLE = "jnp.cumsum lax.approx_max_k linalg.lu:batch linalg.svd:batch ragged_dot".split()


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
@pytest.mark.parametrize("name", list(all_names()) if depth.ALL else SAMPLE)
def test_all_ops_are_known(name: str, platform: str) -> None:
    found = case(name)
    if found is None:
        assert is_written_elsewhere(name), f"no arguments are known for {name}"
        return
    text = found.lowered("first", platform)
    if text is not None:
        assert list(unknown(text)) == []


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
@pytest.mark.parametrize("name", PROGRAMS if depth.ALL else ["moe"])
def test_all_ops_of_programs_are_known(name: str, platform: str) -> None:
    assert list(unknown(program(name, platform).as_text())) == []


def test_all_targets_in_the_sources_are_known() -> None:
    """A target that a newer JAX emits is to be given a rule, or a reason why it has none."""
    ours = set("AllocateBuffer ApproxTopK Eigh InspectSharding LayoutConstraint LuDecomposition Qr".split())
    ours |= {"ProductOfElementaryHouseholderReflectors", "annotate_device_placement"}
    ours |= {"{}_threefry2x32_ffi", "{}solver_syrk_ffi", "cpu_csr_sparse_dense_ffi"}
    read = {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"}
    """Those that are about shardings."""
    known = ours | read | WITH_RULE_OF_JAX | set(WITHOUT_RULE)
    assert targets_in_sources() - known == set()


BATCHES = [name for name in FUNCTIONS if name.startswith("linalg.") and name.endswith(":batch")]


@pytest.mark.parametrize("name", BATCHES if depth.ALL else ["linalg.lu:batch", "linalg.svd:batch"])
def test_rules_of_jax_let_the_batch_pass(name: str) -> None:
    found = case(name)
    assert found is not None
    text = found.lowered("first", "cuda")
    if text is None:
        return
    module = sdy.parse(text)
    for call in ops_named(module.operation, "stablehlo.custom_call"):
        assert "sdy.sharding_rule" in call.attributes, call.attributes["call_target_name"]
