"""StableHLO as such: types of results, verification, builders. Knows nothing of shardings.

    from sdy.stablehlo import infer_return_types, verify_module, InferenceError

    infer_return_types("stablehlo.transpose", [x], {"permutation": ir.DenseI64ArrayAttr.get([1, 0])})

An op is declared, and has its shape function and verifier, in the file of its family in `families/`; rules that
several ops share are in the files beside it. Ops of other dialects join by `register_op` or as classes with
`typed_op`, and are verified by the bindings themselves with the trait `InferredTypes`. Builders are in
`sdy.stablehlo.ops`.
"""

from sdy.stablehlo.dynamic_ops import InferredTypes, build, typed_op
from sdy.stablehlo.inference import infer_return_type_components, infer_return_types, is_compatible_return_types
from sdy.stablehlo.op_facts import Body, InferenceError, OpFacts
from sdy.stablehlo.registry import register_op, registered_ops
from sdy.stablehlo.reification import reify_return_type_shapes
from sdy.stablehlo.types.value_types import Plain, ShapedTypeComponents, Tensor
from sdy.stablehlo.verification import verify, verify_declaration, verify_module, verify_region

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
