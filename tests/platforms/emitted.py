"""The ops, and the targets of custom calls, that JAX emits; what is known of each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import jax
import jaxlib

import sdy
from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.rules import create_rule
from sdy.dialect.rules.extension_rules import extension_rule
from sdy.dialect.rules.registry import is_without_rule
from sdy.mlir import ir
from sdy.mlir.walk import post_order

WITHOUT_RULE: dict[str, str] = {
    **dict.fromkeys(
        "CreateBuffer Pin Unpin dce_sink shape_assertion".split(), "takes no arrays apart, or gives no results"
    ),
    **dict.fromkeys(
        "__cudnn$fusion __gpu$xla.gpu.triton mosaic_gpu_v2 tpu_custom_call thunky.inline_module fused".split(),
        "a kernel of the user's: only its author knows what may be sharded, and says so by `sdy.sharding_rule`",
    ),
    **dict.fromkeys(
        """
        cpu_csr_sparse_dense_ffi cusolver_csrlsvqr_ffi {}sparse_coo_fromdense_ffi {}sparse_coo_matmat_ffi
        {}sparse_coo_matvec_ffi {}sparse_coo_todense_ffi {}sparse_csr_fromdense_ffi {}sparse_csr_matmat_ffi
        {}sparse_csr_matvec_ffi {}sparse_csr_todense_ffi
        """.split(),
        "formats of sparse matrices have no parts: a row may have its elements anywhere",
    ),
    **dict.fromkeys(
        """
        stablehlo.dynamic_approx_top_k stablehlo.dynamic_reduce_window stablehlo.dynamic_rng_bit_generator
        stablehlo.dynamic_top_k
        """.split(),
        "in programs with dynamic shapes only, which are not partitioned",
    ),
    "{}_cholesky_update_ffi": "of one matrix, needed as a whole",
}
"""Targets of which nothing is known on purpose, and why. Braces stand for the name of a platform."""

WITH_RULE_OF_JAX = frozenset(
    """
    gees_ffi geev_ffi gehrd_ffi geqp3_ffi geqrf_ffi gesdd_ffi gesvd_ffi getrf_ffi gtsv_ffi potrf_ffi trsm_ffi
    {}_lu_pivots_to_permutation {}evd_ffi {}gqr_ffi {}mqr_ffi {}solver_potrf_ffi {}solver_syrk_ffi {}trd_ffi
    """.split()
)
"""Targets that JAX writes a rule on, in `sdy.sharding_rule`: the batch passes through."""

_CALLS = ("custom_call(", "ffi_call(", "ffi_lowering(", "call_target_name=")
_MAKERS = frozenset({"custom_call", "ffi_call", "ffi_lowering", "_ffi_lowering", "_linalg_ffi_lowering"})


def unknown(text: str) -> Iterator[str]:
    """The ops and targets in a program of which nothing is known, and nothing is said why."""
    module = sdy.parse(text)
    for op in post_order(module.operation):
        if not _is_known(op):
            is_call = op.name == "stablehlo.custom_call"
            yield f"@{op.attributes['call_target_name'].value}" if is_call else op.name


def _is_known(op: ir.Operation) -> bool:
    if (
        _is_empty(op)
        or is_without_rule(op.name)
        or is_data_flow_op(op.name)
        or is_terminator(op)
        or op.name == "builtin.module"
    ):
        return True
    return extension_rule(op) is not None or "sdy.sharding_rule" in op.attributes or create_rule(op) is not None


def _is_empty(op: ir.Operation) -> bool:
    """Whether an op makes arrays without elements, of which nobody has a part."""
    types = [result.type for result in op.results]
    return bool(types) and all(isinstance(type_, ir.RankedTensorType) and 0 in type_.shape for type_ in types)


def targets_in_sources() -> set[str]:
    """What stands in JAX's sources where the target of a custom call is expected; braces for what is computed."""
    found: set[str] = set()
    for package in (jax, jaxlib):
        for file in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            source = file.read_text()
            if any(call in source for call in _CALLS):
                found |= set(_targets(ast.parse(source)))
    return found


def _targets(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        named = [each.value for each in node.keywords if each.arg == "call_target_name"]
        for argument in (*(node.args[:2] if name in _MAKERS else ()), *named):
            yield from filter(None, [_text(argument)])


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "{}" for part in node.values)
    return ""
