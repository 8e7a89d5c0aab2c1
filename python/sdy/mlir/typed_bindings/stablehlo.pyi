# The attributes and types of StableHLO.

from collections.abc import Sequence

from .ir_attributes import AnyAttribute, ArrayAttr, Attribute, DenseIntElementsAttr
from .ir_context import Context
from .ir_types import AnyType, Type

def register_dialect(context: Context, load: bool = True) -> None: ...

# Classes of names: at run time each of them is one for itself.
class Enumerator(Attribute):
    @property
    def value(self) -> str: ...

class ComparisonDirectionAttr(Enumerator):
    @classmethod
    def get(cls, value: str, context: Context | None = None) -> ComparisonDirectionAttr: ...

class ComparisonTypeAttr(Enumerator):
    @classmethod
    def get(cls, value: str, context: Context | None = None) -> ComparisonTypeAttr: ...

class FftTypeAttr(Enumerator):
    @classmethod
    def get(cls, value: str, context: Context | None = None) -> FftTypeAttr: ...

class PrecisionAttr(Enumerator):
    @classmethod
    def get(cls, value: str, context: Context | None = None) -> PrecisionAttr: ...

class RngAlgorithmAttr(Enumerator):
    @classmethod
    def get(cls, value: str, context: Context | None = None) -> RngAlgorithmAttr: ...

class RngDistributionAttr(Enumerator):
    @classmethod
    def get(cls, value: str, context: Context | None = None) -> RngDistributionAttr: ...

class TransposeAttr(Enumerator):
    @classmethod
    def get(cls, value: str, context: Context | None = None) -> TransposeAttr: ...

class ChannelHandle(Attribute):
    @classmethod
    def get(cls, handle: int, type: int, context: Context | None = None) -> ChannelHandle: ...
    @property
    def handle(self) -> int: ...
    @property
    def channel_type(self) -> int: ...

class DotDimensionNumbers(Attribute):
    @classmethod
    def get(
        cls,
        lhs_batching_dimensions: Sequence[int],
        rhs_batching_dimensions: Sequence[int],
        lhs_contracting_dimensions: Sequence[int],
        rhs_contracting_dimensions: Sequence[int],
        context: Context | None = None,
    ) -> DotDimensionNumbers: ...
    @property
    def lhs_batching_dimensions(self) -> list[int]: ...
    @property
    def rhs_batching_dimensions(self) -> list[int]: ...
    @property
    def lhs_contracting_dimensions(self) -> list[int]: ...
    @property
    def rhs_contracting_dimensions(self) -> list[int]: ...

class DotAlgorithm(Attribute):
    @classmethod
    def get(
        cls,
        lhs_precision_type: Type,
        rhs_precision_type: Type,
        accumulation_type: Type,
        lhs_component_count: int,
        rhs_component_count: int,
        num_primitive_operations: int,
        allow_imprecise_accumulation: bool,
        ctx: Context | None = None,
    ) -> DotAlgorithm: ...
    @property
    def lhs_precision_type(self) -> AnyType: ...
    @property
    def rhs_precision_type(self) -> AnyType: ...
    @property
    def accumulation_type(self) -> AnyType: ...
    @property
    def lhs_component_count(self) -> int: ...
    @property
    def rhs_component_count(self) -> int: ...
    @property
    def num_primitive_operations(self) -> int: ...
    @property
    def allow_imprecise_accumulation(self) -> bool: ...

class ConvDimensionNumbers(Attribute):
    @classmethod
    def get(
        cls,
        input_batch_dimension: int,
        input_feature_dimension: int,
        input_spatial_dimensions: Sequence[int],
        kernel_input_feature_dimension: int,
        kernel_output_feature_dimension: int,
        kernel_spatial_dimensions: Sequence[int],
        output_batch_dimension: int,
        output_feature_dimension: int,
        output_spatial_dimensions: Sequence[int],
        ctx: Context | None = None,
    ) -> ConvDimensionNumbers: ...
    @property
    def input_batch_dimension(self) -> int: ...
    @property
    def input_feature_dimension(self) -> int: ...
    @property
    def input_spatial_dimensions(self) -> list[int]: ...
    @property
    def kernel_input_feature_dimension(self) -> int: ...
    @property
    def kernel_output_feature_dimension(self) -> int: ...
    @property
    def kernel_spatial_dimensions(self) -> list[int]: ...
    @property
    def output_batch_dimension(self) -> int: ...
    @property
    def output_feature_dimension(self) -> int: ...
    @property
    def output_spatial_dimensions(self) -> list[int]: ...

class GatherDimensionNumbers(Attribute):
    @classmethod
    def get(
        cls,
        offset_dims: Sequence[int],
        collapsed_slice_dims: Sequence[int],
        operand_batching_dims: Sequence[int],
        start_indices_batching_dims: Sequence[int],
        start_index_map: Sequence[int],
        index_vector_dim: int,
        context: Context | None = None,
    ) -> GatherDimensionNumbers: ...
    @property
    def offset_dims(self) -> list[int]: ...
    @property
    def collapsed_slice_dims(self) -> list[int]: ...
    @property
    def operand_batching_dims(self) -> list[int]: ...
    @property
    def start_indices_batching_dims(self) -> list[int]: ...
    @property
    def start_index_map(self) -> list[int]: ...
    @property
    def index_vector_dim(self) -> int: ...

class ScatterDimensionNumbers(Attribute):
    @classmethod
    def get(
        cls,
        update_window_dims: Sequence[int],
        inserted_window_dims: Sequence[int],
        input_batching_dims: Sequence[int],
        scatter_indices_batching_dims: Sequence[int],
        scattered_dims_to_operand_dims: Sequence[int],
        index_vector_dim: int,
        context: Context | None = None,
    ) -> ScatterDimensionNumbers: ...
    @property
    def update_window_dims(self) -> list[int]: ...
    @property
    def inserted_window_dims(self) -> list[int]: ...
    @property
    def input_batching_dims(self) -> list[int]: ...
    @property
    def scatter_indices_batching_dims(self) -> list[int]: ...
    @property
    def scattered_dims_to_operand_dims(self) -> list[int]: ...
    @property
    def index_vector_dim(self) -> int: ...

class OutputOperandAlias(Attribute):
    @classmethod
    def get(
        cls,
        output_tuple_indices: Sequence[int],
        operand_index: int,
        operand_tuple_indices: Sequence[int],
        ctx: Context | None = None,
    ) -> OutputOperandAlias: ...
    @property
    def output_tuple_indices(self) -> list[int]: ...
    @property
    def operand_index(self) -> int: ...
    @property
    def operand_tuple_indices(self) -> list[int]: ...

class ResultAccuracyAttr(Attribute):
    @classmethod
    def get(
        cls, atol: float, rtol: float, ulps: int, mode: str, context: Context | None = None
    ) -> ResultAccuracyAttr: ...
    @property
    def atol(self) -> float: ...
    @property
    def rtol(self) -> float: ...
    @property
    def ulps(self) -> int: ...
    @property
    def mode(self) -> str: ...

class TypeExtensions(Attribute):
    @classmethod
    def get(cls, bounds: Sequence[int], context: Context | None = None) -> TypeExtensions: ...
    @property
    def bounds(self) -> list[int]: ...

class SubAxisInfoAttr(Attribute):
    @classmethod
    def get(cls, pre_size: int, size: int, context: Context | None = None) -> SubAxisInfoAttr: ...
    @property
    def pre_size(self) -> int: ...
    @property
    def size(self) -> int: ...

class AxisRefAttr(Attribute):
    @classmethod
    def get(cls, name: str, sub_axis_info: Attribute | None = None, context: Context | None = None) -> AxisRefAttr: ...
    @property
    def name(self) -> str: ...
    @property
    def sub_axis_info(self) -> SubAxisInfoAttr | None: ...

class MeshAxisAttr(Attribute):
    @classmethod
    def get(cls, name: str, size: int, context: Context | None = None) -> MeshAxisAttr: ...
    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...

class MeshAttr(Attribute):
    @staticmethod
    def isinstance(other_attribute: Attribute) -> bool: ...
    @classmethod
    def get(cls, axes: Attribute, device_ids: Attribute | None = None, context: Context | None = None) -> MeshAttr: ...
    @property
    def axes(self) -> ArrayAttr: ...
    @property
    def device_ids(self) -> DenseIntElementsAttr | None: ...

class ReplicaGroupMeshAxesAttr(Attribute):
    @staticmethod
    def isinstance(other_attribute: Attribute) -> bool: ...
    @classmethod
    def get(cls, mesh: Attribute, axes: Attribute, context: Context | None = None) -> ReplicaGroupMeshAxesAttr: ...
    @property
    def mesh(self) -> AnyAttribute: ...
    @property
    def axes(self) -> ArrayAttr: ...

class TokenType(Type):
    @classmethod
    def get(cls, context: Context | None = None) -> TokenType: ...

class FutureType(Type):
    @classmethod
    def get(cls, types: Sequence[Type], context: Context | None = None) -> FutureType: ...
    @property
    def types(self) -> list[AnyType]: ...
