"""The ops, and the targets of custom calls, that JAX emits; what is known of each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import jax
import jaxlib

import sdy
from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.ops.rules import create_rule, extension_rule, is_without_rule
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
        cusolver_csrlsvqr_ffi {}sparse_coo_fromdense_ffi {}sparse_coo_matmat_ffi {}sparse_coo_matvec_ffi
        {}sparse_coo_todense_ffi {}sparse_csr_fromdense_ffi {}sparse_csr_matmat_ffi {}sparse_csr_matvec_ffi
        {}sparse_csr_todense_ffi
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
    **dict.fromkeys(
        """
        __cudnn$fmhaScaleBiasSoftmax __cudnn$fmhaScaleBiasSoftmaxBackward __cudnn$fmhaScaleBiasSoftmaxDropout
        __cudnn$fmhaScaleBiasSoftmaxDropoutBackward __cudnn$fmhaSoftmax __cudnn$fmhaSoftmaxBackward
        __cudnn$fmhaSoftmaxBackwardF8 __cudnn$fmhaSoftmaxDropout __cudnn$fmhaSoftmaxDropoutBackward
        __cudnn$fmhaSoftmaxF8 __op$block_scaled_dot
        """.split(),
        "JAX emits it for the part of a device, where the function that partitions the call is asked",
    ),
    "CustomSPMDPartitioning": "a function of JAX or the user, which is asked, partitions it",
    **dict.fromkeys(("{}dnn_rnn_ffi", "{}dnn_rnn_bwd_ffi"), "its work space has a size that cuDNN says for all of it"),
    "ragged_all_to_all": "a collective of the user's: in manual computations, which are not partitioned",
    "tf.call_tf_function": "a function of TensorFlow",
    "{}_cholesky_update_ffi": "of one matrix, needed as a whole",
}
"""Targets of which nothing is known on purpose, and why. Braces stand for the name of a platform."""

WITH_RULE_OF_JAX = frozenset(
    """
    gees_ffi geev_ffi gehrd_ffi geqp3_ffi geqrf_ffi gesdd_ffi gesvd_ffi getrf_ffi gtsv_ffi potrf_ffi trsm_ffi
    tridiagonal_solve_perturbed_ffi {}_lu_pivots_to_permutation {}_tridiagonal_solve_perturbed {}evd_ffi {}gqr_ffi
    {}hybrid_eig_comp {}hybrid_eig_real {}hybrid_geqp3 {}mqr_ffi {}solver_geev_ffi {}solver_geqrf_ffi
    {}solver_gesdd_ffi {}solver_gesvd_ffi {}solver_gesvdj_ffi {}solver_gesvdp_ffi {}solver_getrf_ffi {}solver_orgqr_ffi
    {}solver_ormqr_ffi {}solver_potrf_ffi {}solver_syevd_ffi {}solver_sytrd_ffi {}sparse_gtsv2_ffi {}trd_ffi
    """.split()
)
"""Targets that JAX writes a rule on, in `sdy.sharding_rule`: the batch passes through."""

_MAKERS = frozenset(
    "CustomCallOp custom_call ffi_call ffi_lowering _ffi_lowering _linalg_ffi_lowering _wrap_with_spmd_op".split()
)
"""Functions whose first arguments name a target."""

_OF_LIBRARIES = re.compile(r"__[a-z]+\$\S+")
"""Targets of kernels in libraries, wherever they stand: JAX keeps those of cuDNN in a table."""

_CALLS = re.compile(rf"\b({'|'.join(_MAKERS)})\b|target_name=|[\"']__[a-z]+\$")
_GENERATED = ("mlir/dialects", "export_back_compat_test")


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
            if not any(each in file.as_posix() for each in _GENERATED) and _CALLS.search(source):
                found |= set(_targets(ast.parse(source)))
    return found


def _targets(tree: ast.Module) -> Iterator[str]:
    given = _assigned(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _OF_LIBRARIES.fullmatch(node.value):
            yield node.value
        if not isinstance(node, ast.Call):
            continue
        called, arguments = node.func, node.args
        if _name(called) == "partial":
            called, *arguments = arguments
        named = [each.value for each in node.keywords if each.arg in ("call_target_name", "target_name")]
        for argument in (*(arguments[:2] if _name(called) in _MAKERS else ()), *named):
            yield from filter(None, _texts(argument, given))


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _assigned(tree: ast.Module) -> dict[str, list[str]]:
    """The texts that each variable called a name of something is assigned in a file."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id.lower().endswith("_name"):
                    found.setdefault(target.id, []).extend(_texts(node.value, {}))
    return found


def _texts(node: ast.expr, given: Mapping[str, list[str]]) -> list[str]:
    """What the expression may be: a text, a name that is assigned any, an attribute of MLIR, a name in LAPACK."""
    if isinstance(node, ast.Name):
        return given.get(node.id, [])
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("StringAttr.get", "prepare_lapack_call")):
        return _texts(node.args[0], given)
    return [_text(node)]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "{}" for part in node.values)
    return ""
