"""StableHLO as such: types of results, verification, builders. Knows nothing of shardings.

    from sdy.stablehlo import infer_return_types, verify_module, InferenceError

    infer_return_types("stablehlo.transpose", [x], {"permutation": ir.DenseI64ArrayAttr.get([1, 0])})

An op is declared, and has its shape function and verifier, in the file of its family in `families/`; rules that
several ops share are in the files beside it. Ops of other dialects join by `register_op`. Builders are in
`sdy.stablehlo.ops`.
"""

from sdy.stablehlo.components import ShapedTypeComponents
from sdy.stablehlo.inference import infer_return_type_components, infer_return_types, is_compatible_return_types
from sdy.stablehlo.inference_error import InferenceError
from sdy.stablehlo.op_facts import Body, OpFacts
from sdy.stablehlo.registry import register_op, registered_ops
from sdy.stablehlo.reification import reify_return_type_shapes
from sdy.stablehlo.value_types import Plain, Tensor
from sdy.stablehlo.verification import verify, verify_declaration, verify_module, verify_region

__all__ = [
    "Body",
    "InferenceError",
    "OpFacts",
    "Plain",
    "ShapedTypeComponents",
    "Tensor",
    "infer_return_type_components",
    "infer_return_types",
    "is_compatible_return_types",
    "register_op",
    "registered_ops",
    "reify_return_type_shapes",
    "verify",
    "verify_declaration",
    "verify_module",
    "verify_region",
]
