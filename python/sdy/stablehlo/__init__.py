"""StableHLO alone: result types, verification, builders, independent of shardings.

    from sdy.stablehlo import infer_return_types, verify_module, InferenceError

    infer_return_types("stablehlo.transpose", [x], {"permutation": ir.DenseI64ArrayAttr.get([1, 0])})

An op's declaration, shape function and verifier are in the file of its family in `families/`; rules shared by ops are
in the files beside it. Ops of other dialects join by `register_op` or as classes with `typed_op`; with the trait
`InferredTypes` the bindings verify them. Builders are in `sdy.stablehlo.ops`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdy.stablehlo.dynamic_ops import InferredTypes, build, typed_op
    from sdy.stablehlo.inference import infer_return_type_components, infer_return_types, is_compatible_return_types
    from sdy.stablehlo.op_facts import Body, InferenceError, OpFacts
    from sdy.stablehlo.registry import register_op, registered_ops
    from sdy.stablehlo.reification import reify_return_type_shapes
    from sdy.stablehlo.types.value_types import Plain, ShapedTypeComponents, Tensor
    from sdy.stablehlo.verification import verify, verify_declaration, verify_module, verify_region

_WHERE = {
    "Body": "sdy.stablehlo.op_facts",
    "InferenceError": "sdy.stablehlo.op_facts",
    "InferredTypes": "sdy.stablehlo.dynamic_ops",
    "OpFacts": "sdy.stablehlo.op_facts",
    "Plain": "sdy.stablehlo.types.value_types",
    "ShapedTypeComponents": "sdy.stablehlo.types.value_types",
    "Tensor": "sdy.stablehlo.types.value_types",
    "build": "sdy.stablehlo.dynamic_ops",
    "infer_return_type_components": "sdy.stablehlo.inference",
    "infer_return_types": "sdy.stablehlo.inference",
    "is_compatible_return_types": "sdy.stablehlo.inference",
    "register_op": "sdy.stablehlo.registry",
    "registered_ops": "sdy.stablehlo.registry",
    "reify_return_type_shapes": "sdy.stablehlo.reification",
    "typed_op": "sdy.stablehlo.dynamic_ops",
    "verify": "sdy.stablehlo.verification",
    "verify_declaration": "sdy.stablehlo.verification",
    "verify_module": "sdy.stablehlo.verification",
    "verify_region": "sdy.stablehlo.verification",
}
"""Modules of the public names: each is loaded when it is asked for, reification and dynamic ops by few programs."""


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(_WHERE[name]), name)
    return found


__all__ = [
    "Body",
    "InferenceError",
    "InferredTypes",
    "OpFacts",
    "Plain",
    "ShapedTypeComponents",
    "Tensor",
    "build",
    "infer_return_type_components",
    "infer_return_types",
    "is_compatible_return_types",
    "register_op",
    "registered_ops",
    "reify_return_type_shapes",
    "typed_op",
    "verify",
    "verify_declaration",
    "verify_module",
    "verify_region",
]
