# The public names of the package; `lazy_dataclass` reads them from here.

from sdy.stablehlo.dynamic_ops import InferredTypes as InferredTypes
from sdy.stablehlo.dynamic_ops import build as build
from sdy.stablehlo.dynamic_ops import typed_op as typed_op
from sdy.stablehlo.inference import infer_return_type_components as infer_return_type_components
from sdy.stablehlo.inference import infer_return_types as infer_return_types
from sdy.stablehlo.inference import is_compatible_return_types as is_compatible_return_types
from sdy.stablehlo.op_facts import Body as Body
from sdy.stablehlo.op_facts import InferenceError as InferenceError
from sdy.stablehlo.op_facts import OpFacts as OpFacts
from sdy.stablehlo.registry import register_op as register_op
from sdy.stablehlo.registry import registered_ops as registered_ops
from sdy.stablehlo.reification import reify_return_type_shapes as reify_return_type_shapes
from sdy.stablehlo.types.value_types import Plain as Plain
from sdy.stablehlo.types.value_types import ShapedTypeComponents as ShapedTypeComponents
from sdy.stablehlo.types.value_types import Tensor as Tensor
from sdy.stablehlo.verification import verify as verify
from sdy.stablehlo.verification import verify_declaration as verify_declaration
from sdy.stablehlo.verification import verify_module as verify_module
from sdy.stablehlo.verification import verify_region as verify_region
