"""The attributes of the dialect: IRDL declarations, and the value objects that passes compute with.

Each class names the value object it stands for and says how the value's parts become IRDL parameters (`encode`) and
come back (`decode`). `attr_of` and `value_of` convert, each distinct attribute once per context.
"""

# The annotations are IRDL constraints, which the bindings read; to Python they are no types.
# pyright: reportInvalidTypeForm=false

from collections.abc import Callable, Iterable
from dataclasses import fields
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

from sdy.dialect.definition.dialect import Sdy
from sdy.dialect.values.axes import AxisRef, SubAxis, quote, unquote
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.rule import (
    AllToAllParam,
    AllToAllParamList,
    AxisRefList,
    AxisToPropagationDetails,
    DimMappingValue,
    EdgeNode,
    EdgeValueRef,
    ListOfAxisRefLists,
    ManualAxes,
    PropagationEdges,
    PropagationOneStep,
    ShardingPerValue,
    ShardingRule,
    TensorMappingValue,
)
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding, symbol
from sdy.mlir import address, ir
from sdy.mlir.declared_dialects import BOOLEAN, DenseArrayAttr, integers
from sdy.mlir.per_context import PerContext

SHARDING = "sdy.sharding"
SHARDING_RULE = "sdy.sharding_rule"

ANY_PADDING = "sdy.any_padding"
"""Mark of a pad whose padding is never read, so that any elements may be there."""

T = TypeVar("T")


# Decoding ------------------------------------------------------------------------------------------


def _down(param: ir.Attribute) -> Any:
    return param.maybe_downcast()


def number_of(param: ir.Attribute) -> int:
    """The number of an integer attribute."""
    return int(_down(param).value)


def string_of(param: ir.Attribute) -> str:
    """The text of a parameter that is a string."""
    return text_of(_down(param))


def text_of(attr: ir.StringAttr | ir.FlatSymbolRefAttr) -> str:
    """The text of a string attribute or flat symbol reference; bytes that are no UTF-8 become lone surrogates."""
    try:
        return attr.value
    except RuntimeError:
        text = str(attr)
        return unquote(text[text.index('"') + 1 : -1])


def values_of(param: ir.Attribute) -> tuple[Any, ...]:
    """The value objects of the attributes in an array."""
    return tuple(value_of(element) for element in _down(param))


def maybe_of(param: ir.Attribute, decode: Callable[[ir.Attribute], T]) -> T | None:
    """Decode a parameter; None for one that is left out."""
    return None if isinstance(_down(param), ir.UnitAttr) else decode(param)


# Declarations --------------------------------------------------------------------------------------


class MeshAxisAttr(Sdy.Attribute, name="mesh_axis"):
    """A named axis with a size: ``"a"=2``."""

    name: ir.StringAttr
    size: ir.IntegerAttr


class MeshAttr(Sdy.Attribute, name="mesh"):
    """An arrangement of devices: ``<["a"=2, "b"=4], device_ids=[...]>``.

    Without ids the devices are 0, 1, 2, ... in row-major order, the last axis changing fastest. ``<[],
    device_ids=[3]>`` is a single device, ``<[]>`` is compatible with any mesh.
    """

    axes: ir.ArrayAttr
    device_ids: DenseArrayAttr


class SubAxisInfoAttr(Sdy.Attribute, name="sub_axis_info"):
    """Position and size of a sub-axis: ``(pre_size)size``.

    An axis of size 8, seen as three axes of sizes 2, 2 and 2, has the parts ``(1)2``, ``(2)2`` and ``(4)2``, major to
    minor: `pre_size` is the product of the sizes in front.
    """

    pre_size: ir.IntegerAttr
    size: ir.IntegerAttr


class AxisRefAttr(Sdy.Attribute, name="axis_ref"):
    """A full axis ``"a"`` or a sub-axis ``"a":(1)2``."""

    name: ir.StringAttr
    sub_axis_info: SubAxisInfoAttr | ir.UnitAttr


class DimensionShardingAttr(Sdy.Attribute, name="dimension_sharding"):
    """Axes of one dimension, open or closed, with a priority: ``{"a", ?}p1``.

    The first axis cuts into the largest blocks. Propagation may add axes to an open dimension (``?``), not to a closed
    one. Priorities order propagation; a dimension without one has priority 0, which comes first.
    """

    axes: ir.ArrayAttr
    is_closed: BOOLEAN
    priority: ir.IntegerAttr | ir.UnitAttr


class TensorShardingAttr(Sdy.Attribute, name="sharding"):
    """The sharding of a tensor: ``<@mesh, [{"a"}, {?}], replicated={"b"}, unreduced={"c"}>``.

    One `dimension_sharding` per dimension. No dimension may become sharded along the replicated axes. Along unreduced
    axes devices hold values that have yet to be combined: summed up, or as ``unreduced=max{"c"}`` or ``min`` say
    (`reduction_op` is 0, 1 or 2). An axis, or a part of it, occurs at most once. The mesh is a symbol, or written out:
    ``<mesh<["a"=2]>, [{"a"}]>``.
    """

    mesh_or_ref: MeshAttr | ir.SymbolRefAttr
    dim_shardings: ir.ArrayAttr
    replicated_axes: ir.ArrayAttr
    unreduced_axes: ir.ArrayAttr
    reduction_op: integers(64, (kind.value for kind in Reduction))


class ShardingPerValueAttr(Sdy.Attribute, name="sharding_per_value"):
    """One sharding per value, operand or result: ``<[<@mesh, [{"a"}]>, <@mesh, [{}]>]>``."""

    shardings: ir.ArrayAttr


class DimMappingAttr(Sdy.Attribute, name="dim_mapping"):
    """The factors of one dimension: ``ij``."""

    factor_indices: DenseArrayAttr


class TensorMappingAttr(Sdy.Attribute, name="tensor_mapping"):
    """The factors of each dimension of a tensor: ``[ij, k]``."""

    dim_mappings: ir.ArrayAttr


class OpShardingRuleAttr(Sdy.Attribute, name="op_sharding_rule"):
    """Dimensions that are sharded alike: ``<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>``.

    A factor (``i``, ``j``, ``k``) names the dimensions that correspond in operands and results; its size is theirs. A
    dimension of several factors (``[ij]``) is cut by the first one into the largest blocks. Sharded reduction factors
    leave partial results. Factors in `need_replication`, such as the sorted dimension of a sort, cannot stay sharded
    when the op is executed. Factors in `permutation` can, with communication. Nothing is propagated through factors in
    `blocked_propagation`. Propagation keeps a ``custom`` rule.
    """

    factor_sizes: DenseArrayAttr
    operand_mappings: ir.ArrayAttr
    result_mappings: ir.ArrayAttr
    reduction_factors: DenseArrayAttr
    need_replication_factors: DenseArrayAttr
    permutation_factors: DenseArrayAttr
    blocked_propagation_factors: DenseArrayAttr
    is_custom_rule: BOOLEAN


class ManualAxesAttr(Sdy.Attribute, name="manual_axes"):
    """Axes that a manual computation handles itself: ``{"a", "b"}``."""

    value: ir.ArrayAttr


class AxisRefListAttr(Sdy.Attribute, name="axis_ref_list"):
    """Axes: ``{"a", "b":(1)2}``."""

    value: ir.ArrayAttr


class ListOfAxisRefListsAttr(Sdy.Attribute, name="list_of_axis_ref_lists"):
    """Axes per dimension: ``[{"a"}, {}]``."""

    value: ir.ArrayAttr


class AllToAllParamAttr(Sdy.Attribute, name="all_to_all_param"):
    """Axes that move from the end of one dimension to that of another: ``{"a"}: 0->1``."""

    axes: ir.ArrayAttr
    src_dim: ir.IntegerAttr
    tgt_dim: ir.IntegerAttr


class AllToAllParamListAttr(Sdy.Attribute, name="all_to_all_param_list"):
    """Moves between dimensions: ``[{"a"}: 0->1, {"b"}: 2->3]``."""

    value: ir.ArrayAttr


class EdgeValueRefAttr(Sdy.Attribute, name="edge_value_ref"):
    """An operand or result: ``operand-0``."""

    type: integers(64, (node.value for node in EdgeNode))
    index: ir.IntegerAttr


class AxisToPropagationDetailsAttr(Sdy.Attribute, name="axis_to_propagation_details"):
    """Source and targets of a propagated axis: ``{"a" = operand-0 -> [result-0]}``."""

    axis_name: AxisRefAttr
    source: EdgeValueRefAttr
    targets: ir.ArrayAttr


class PropagationOneStepAttr(Sdy.Attribute, name="propagation_one_step"):
    """Movements of one propagation step: ``{step-0 = [...]}``."""

    step_index: ir.IntegerAttr
    axis_entries: ir.ArrayAttr


class PropagationEdgesAttr(Sdy.Attribute, name="propagation_edges"):
    """Propagation steps: ``<[{step-0 = [...]}]>``."""

    steps: ir.ArrayAttr


# Value objects to parameters and back ----------------------------------------------------------------

Decode = Callable[[ir.Attribute], Any]
Kind = tuple[Callable[[Any], str], Decode]
"""Encoding of a part of a value as text that MLIR parses to the parameter, and its decoding."""


def _listed(values: Iterable[object]) -> str:
    return "[" + ", ".join(map(irdl_text, values)) + "]"


def _int(value: int) -> str:
    return f"{value} : i64"


def _mesh_or_ref(param: ir.Attribute) -> str | Mesh:
    attr = _down(param)
    # The text of a symbol reference is cheap and the only thing all versions of the bindings agree on.
    return text_of(attr) if isinstance(attr, ir.FlatSymbolRefAttr) else value_of(attr)


STRING: Kind = (quote, string_of)
INT: Kind = (_int, number_of)
INTS: Kind = (
    lambda values: f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>",
    lambda param: tuple(_down(param)),
)
BOOL: Kind = (lambda value: "true" if value else "false", lambda param: bool(number_of(param)))
NAMES: Kind = (lambda names: f"[{', '.join(map(quote, names))}]", lambda param: tuple(map(string_of, _down(param))))
VALUE: Kind = (lambda value: irdl_text(value), lambda param: value_of(param))
VALUES: Kind = (_listed, values_of)
MESH: Kind = (lambda mesh: irdl_text(mesh) if isinstance(mesh, Mesh) else symbol(mesh), _mesh_or_ref)


def optional(kind: Kind) -> Kind:
    """The kind of a part that may be None, for which there is a unit attribute."""
    encode, decode = kind
    return lambda value: "unit" if value is None else encode(value), lambda param: maybe_of(param, decode)


def enum_of(cases: type[Enum]) -> Kind:
    """The kind of a case of an enumeration."""
    return lambda case: _int(case.value), lambda param: cases(number_of(param))


def parts_of(element_class: type) -> Kind:
    """The kind of a list of the only parts of values of `element_class`."""
    (only,) = fields(element_class)
    return (
        lambda parts: _listed(map(element_class, parts)),
        lambda param: tuple(getattr(each, only.name) for each in values_of(param)),
    )


Declared = tuple[type, *tuple[Kind, ...]]
"""The class that declares an attribute or type, and the kinds of the fields of its value objects, in order."""

_DECLARED: dict[type, Declared] = {}
_ENCODERS: dict[type, tuple[tuple[str, Callable[[Any], str]], ...]] = {}
_DECODERS: dict[type, tuple[type, tuple[Decode, ...]]] = {}
VALUE_CLASSES: dict[str, type] = {}
"""The value object's class by mnemonic."""
MNEMONICS: dict[type, str] = {}


def register(declared: dict[type, Declared]) -> None:
    """Register the attributes and types of a dialect of this package for conversion, by the class of their values.

    Mnemonics are unique over dialects.
    """
    _DECLARED.update(declared)
    for value, (attr_class, *kinds) in declared.items():
        names = [each.name for each in fields(value)]
        _ENCODERS[value] = tuple((name, encode) for name, (encode, _) in zip(names, kinds, strict=True))
        _DECODERS[attr_class] = value, tuple(decode for _, decode in kinds)
        VALUE_CLASSES[attr_class._name] = value
        MNEMONICS[value] = attr_class._name


register(
    {
        MeshAxis: (MeshAxisAttr, STRING, INT),
        Mesh: (MeshAttr, VALUES, INTS),
        SubAxis: (SubAxisInfoAttr, INT, INT),
        AxisRef: (AxisRefAttr, STRING, optional(VALUE)),
        DimensionSharding: (DimensionShardingAttr, VALUES, BOOL, optional(INT)),
        TensorSharding: (TensorShardingAttr, MESH, VALUES, VALUES, VALUES, enum_of(Reduction)),
        ShardingPerValue: (ShardingPerValueAttr, VALUES),
        DimMappingValue: (DimMappingAttr, INTS),
        TensorMappingValue: (TensorMappingAttr, parts_of(DimMappingValue)),
        ShardingRule: (OpShardingRuleAttr, INTS, *[parts_of(TensorMappingValue)] * 2, *[INTS] * 4, BOOL),
        ManualAxes: (ManualAxesAttr, NAMES),
        AxisRefList: (AxisRefListAttr, VALUES),
        ListOfAxisRefLists: (ListOfAxisRefListsAttr, parts_of(AxisRefList)),
        AllToAllParam: (AllToAllParamAttr, VALUES, INT, INT),
        AllToAllParamList: (AllToAllParamListAttr, VALUES),
        EdgeValueRef: (EdgeValueRefAttr, enum_of(EdgeNode), INT),
        AxisToPropagationDetails: (AxisToPropagationDetailsAttr, VALUE, VALUE, VALUES),
        PropagationOneStep: (PropagationOneStepAttr, INT, VALUES),
        PropagationEdges: (PropagationEdgesAttr, VALUES),
    }
)


def dialect_of(mnemonic: str) -> str:
    """The name of the dialect that has the attribute or type of that mnemonic."""
    return _DECLARED[VALUE_CLASSES[mnemonic]][0]._dialect_name


def irdl_text(value: object) -> str:
    """The attribute, or type, of a value object in the form that IRDL gives it, which the upstream parser reads.

    A tuple of value objects is an array of their attributes.
    """
    if isinstance(value, tuple):
        return _listed(value)
    parts = ", ".join([encode(getattr(value, name)) for name, encode in _ENCODERS[type(value)]])
    return f"{_named(_DECLARED[type(value)][0])}<{parts}>"


def _named(attr_class: Any) -> str:
    """The full name of a declared attribute or type, with its mark."""
    is_type = issubclass(attr_class, ir.DynamicType)
    return f"{'!' if is_type else '#'}{attr_class._dialect_name}.{attr_class._name}"


def pretty_text(value: object) -> str:
    """The standalone spelling: ``#sdy.NAME<...>`` for a body that starts with ``<``, else ``#sdy<NAMEbody>``."""
    body, attr_class = str(value), _DECLARED[type(value)][0]
    if body.startswith("<") or isinstance(value, DimMappingValue):
        return f"{_named(attr_class)}{body}"
    return f"#{attr_class._dialect_name}<{attr_class._name}{body}>"


class _Caches:
    """Conversions of one context.

    Attributes are never freed before their context, so their address identifies them; what is kept here must not hold
    the context alive, hence addresses and capsules instead of attribute objects.
    """

    def __init__(self) -> None:
        self.values: dict[int, Any] = {}
        self.attributes: dict[object, object] = {}

    def __len__(self) -> int:
        return len(self.values) + len(self.attributes)

    def clear(self) -> None:
        self.values.clear()
        self.attributes.clear()


_caches = PerContext(_Caches)


@lru_cache(maxsize=1 << 14)
def shared(value: T) -> T:
    """Return one object for all equal values: look-ups compare by identity first (4 % of the search for layouts)."""
    return value


def value_of(attr: ir.Attribute | ir.Type) -> Any:
    """The value object of an sdy attribute, or of an attribute or type of another dialect of the house.

    Raises:
      TypeError: it is none of these dialects.
      ValueError: its parameters make no valid value (`Mesh` checks its own).
    """
    values = _caches.of(attr.context).values
    key = address(attr)
    value = values.get(key)
    if value is None:
        down = attr.maybe_downcast()
        value_class, decoders = _DECODERS.get(type(down), (None, ()))
        if value_class is None:
            raise TypeError(f"expected an sdy attribute, got {attr}")
        parts = [decode(each) for decode, each in zip(decoders, down.params, strict=True)]
        value = values[key] = shared(value_class(*parts))
    return value


def attr_of(value: object, context: ir.Context | None = None) -> ir.Attribute:
    """The attribute of a value object, in `context` or the current one."""
    context = context or ir.Context.current
    if context is None:
        raise ValueError("an attribute is one of a context, and there is no current one")
    caches = _caches.of(context)
    capsule = caches.attributes.get(value)
    if capsule is not None:
        return ir.Attribute._CAPICreate(capsule)
    attr = ir.Attribute.parse(irdl_text(value), context)
    caches.attributes[value] = attr._CAPIPtr
    caches.values.setdefault(address(attr), shared(value))
    return attr


def type_of(value: object, context: ir.Context | None = None) -> ir.Type:
    """The type of a value object, in `context` or the current one."""
    return ir.Type.parse(irdl_text(value), context)


def is_sdy(attr: ir.Attribute, kind: type) -> bool:
    """Return whether `attr` encodes a value object of class `kind`."""
    down = attr.maybe_downcast()
    return type(down) is _DECLARED[kind][0]


def without_sharding(op: ir.Operation) -> dict[str, Any]:
    """The attributes of `op` for an op with other types or dimensions: all but its shardings and its rule."""
    return {name: op.attributes[name] for name in op.attributes if name not in (SHARDING, SHARDING_RULE)}


def get(op: ir.Operation, name: str) -> Any:
    """The value object of attribute `name` of `op`, or None if the op has none of that name."""
    attr = op.attributes.get(name)
    return None if attr is None else value_of(attr)


def put(op: ir.Operation, name: str, value: object) -> None:
    """Sets attribute `name` of `op` to the attribute of a value object; None removes it."""
    if value is not None:
        op.attributes[name] = attr_of(value, op.context)
    elif name in op.attributes:
        del op.attributes[name]
