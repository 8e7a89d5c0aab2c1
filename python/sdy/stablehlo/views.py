"""Typed views of ops: operands, regions and attributes of StableHLO's and CHLO's ops by their declared names.

    conv = views.Convolution(op)
    conv.lhs, conv.window_strides, conv.dimension_numbers.input_batch_dimension
    if (pad := views.Pad.match(defining_op(value))) is not None: ...

A view has a property for each declared operand and result (a tuple for a variadic one), for each region (its block) and
for each attribute, as a plain Python value. An absent optional attribute reads as StableHLO's default, or as None
without a default. Classes have the names of the ops in CamelCase, those of CHLO with the prefix `Chlo`. They are made
from the declarations at their first use; tools/generate_views.py writes their types to `views.pyi`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple, Self

import numpy as np

from sdy.mlir import address, ir, stablehlo
from sdy.mlir.per_context import PerContext
from sdy.mlir.rewriting import defining_op
from sdy.mlir.search import ops_named
from sdy.stablehlo.attribute_readers import KINDS, RaggedDims, read_array, read_dense_ints, read_layouts, read_mesh_axes
from sdy.stablehlo.declarations import Declaration, ValueDeclaration, declaration_of
from sdy.stablehlo.op_table import OPS

Decode = Callable[..., object]
"""Takes an attribute of the class that its kind has."""


class View:
    """An op of StableHLO or CHLO, read by declared names."""

    __slots__ = ("op",)

    OP_NAME: ClassVar[str] = ""
    _is_complete: ClassVar[bool]

    def __init__(self, op: ir.Operation) -> None:
        self.op = op

    @classmethod
    def match(cls, op: ir.Operation | None) -> Self | None:
        """Return the view of `op` if it is such an op, else None."""
        return cls(op) if op is not None and op.name == cls.OP_NAME else None

    @classmethod
    def defining(cls, value: ir.Value) -> Self | None:
        """Return the view of the op that defines `value` if it is such an op, else None."""
        return cls.match(defining_op(value))

    @classmethod
    def all_in(cls, root: ir.Operation) -> list[Self]:
        """Return the views of such ops in `root`."""
        return list(map(cls, ops_named(root, cls.OP_NAME)))

    def __getattr__(self, name: str) -> object:
        """Make the properties of the class on first use; threads may do so at the same time."""
        made = type(self)
        if "_is_complete" not in vars(made):
            declaration = declaration_of(made.OP_NAME)
            for field in () if declaration is None else fields_of(declaration):
                setattr(made, field.name, property(field.read, doc=f"`{field.name}` of `{made.OP_NAME}`."))
            made._is_complete = True
        found = vars(made).get(name)
        if not isinstance(found, property) or found.fget is None:
            raise AttributeError(f"{made.OP_NAME} has no '{name}'")
        return found.fget(self)


# Attributes ----------------------------------------------------------------------------------------------------------


class Channel(NamedTuple):
    """The parts of `#stablehlo.channel_handle`."""

    handle: int
    channel_type: int


_decoded: PerContext[dict[int, object]] = PerContext(dict)
"""Values of attributes by address; kinds that read one attribute agree on its value."""


def _remembered(decode: Decode) -> Decode:
    """Cache `decode`, whose values do not refer to the context, per attribute."""

    def read(attribute: ir.Attribute) -> object:
        known = _decoded.of(attribute.context)
        key = address(attribute)
        value = known.get(key)
        if value is None:
            value = known[key] = decode(attribute)
            assert value is not None, attribute
        return value

    return read


def _value(attribute: ir.IntegerAttr | ir.FloatAttr | ir.BoolAttr | ir.StringAttr) -> int | float | str:
    return attribute.value


def _rows(attribute: ir.Attribute) -> tuple[tuple[int, ...], ...] | None:
    found = read_dense_ints(attribute)
    return None if found is None else tuple(found.rows())


def _channel(attribute: ir.Attribute) -> Channel:
    found = stablehlo.ChannelHandle(attribute)
    return Channel(found.handle, found.channel_type)


def _layouts(attribute: ir.Attribute) -> tuple[tuple[int, ...], ...] | None:
    found = read_layouts(attribute)
    return None if found is None else tuple(tuple(np.array(each).tolist()) for each in found)


def _entries(attribute: ir.DictAttr) -> dict[str, ir.Attribute]:
    return {each.name: each.attr for each in attribute}


def _each(view: Callable[[ir.Attribute], object]) -> Decode:
    """Reads an array by a view of each of its elements."""
    return lambda attribute: tuple(map(view, read_array(attribute) or ()))


_remembered_rows = _remembered(_rows)

_DECODERS: dict[str, tuple[str, Decode]] = {
    **dict.fromkeys(("i64", "i64>=0", "i64>0", "i32", "i32>=0", "i32>0"), ("int", _value)),
    "f32": ("float", _value),
    "bool": ("bool", _value),
    "unit": ("bool", lambda _attribute: True),
    "string": ("str", _value),
    "symbol": ("str", _value),
    "i64s": ("tuple[int, ...]", _remembered(KINDS["i64s"])),
    "bools": ("tuple[bool, ...]", _remembered(KINDS["bools"])),
    "dense": ("tuple[tuple[int, int], ...]", _remembered(_rows)),
    "groups": (
        "tuple[tuple[int, ...], ...] | stablehlo.ReplicaGroupMeshAxesAttr",
        lambda each: read_mesh_axes(each) or _remembered_rows(each),
    ),
    "symbols": ("tuple[str, ...]", _remembered(_each(lambda name: ir.FlatSymbolRefAttr(name).value))),
    "layouts": ("tuple[tuple[int, ...], ...]", _remembered(_layouts)),
    "array": ("tuple[ir.Attribute, ...]", _each(lambda each: each)),
    "dict": ("dict[str, ir.Attribute]", _entries),
    "string|dict": (
        "str | dict[str, ir.Attribute]",
        lambda each: each.value if isinstance(each, ir.StringAttr) else _entries(each),
    ),
    **dict.fromkeys(("any", "elements"), ("ir.Attribute", lambda each: each)),
    "channel": ("Channel", _remembered(_channel)),
    "algorithm": ("stablehlo.DotAlgorithm", stablehlo.DotAlgorithm),
    "aliases": ("tuple[stablehlo.OutputOperandAlias, ...]", _each(stablehlo.OutputOperandAlias)),
    "ragged_dimensions": ("RaggedDims", _remembered(RaggedDims.of)),
    "precisions": ("tuple[str, ...]", _remembered(KINDS["precisions"])),
    "accuracy": ("Accuracy", _remembered(KINDS["accuracy"])),
    **{
        f"{kind}_dimensions": (f"{kind.title()}Numbers", _remembered(KINDS[f"{kind}_dimensions"]))
        for kind in ("dot", "gather", "scatter", "conv")
    },
    **{
        kind: ("str", _remembered(KINDS[kind]))
        for kind in ("direction", "comparison", "fft_type", "transpose", "distribution", "rng_algorithm")
    },
}
"""The type in Python, and what reads the attribute, for each kind of attributes that are declared."""


def _spatial_rank(op: ir.Operation) -> int:
    """Return the number of windowed dimensions; a convolution's batch and features have none."""
    return len(op.operands[0].type.shape) - (2 if "dimension_numbers" in op.attributes else 0)


def _ones(op: ir.Operation) -> tuple[int, ...]:
    return (1,) * _spatial_rank(op)


_DEFAULTS: dict[str, Callable[[ir.Operation], object]] = {
    **dict.fromkeys(("window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations"), _ones),
    "window_dimensions": _ones,
    "window_reversal": lambda op: (False,) * _spatial_rank(op),
    "padding": lambda op: ((0, 0),) * _spatial_rank(op),
    "dimension": lambda op: -1,
    "version": lambda op: 0,
    "api_version": lambda op: 1,
    **dict.fromkeys(("infeed_config", "outfeed_config"), lambda op: ""),
    **dict.fromkeys(("called_computations", "output_operand_aliases"), lambda op: ()),
}
"""Values of optional attributes that are absent; a flag is False then, and what is not listed None."""

_UNKNOWN_FLAGS = ("is_associative",)
"""Optional booleans without a default."""


class Field(NamedTuple):
    """A property of a view: its name, its Python type and its reader."""

    name: str
    type: str
    read: Callable[[View], object]


def _attribute(name: str, kind: str, is_optional: bool) -> Field:
    type_, decode = _DECODERS[kind]
    if not is_optional:
        return Field(name, type_, lambda view: decode(view.op.attributes[name]))
    default = _DEFAULTS.get(name)
    if default is None:
        is_flag = type_ == "bool" and name not in _UNKNOWN_FLAGS
        type_, default = (type_, lambda op: False) if is_flag else (f"{type_} | None", lambda op: None)

    def read(view: View) -> object:
        attributes = view.op.attributes
        return decode(attributes[name]) if name in attributes else default(view.op)

    return Field(name, type_, read)


# Operands, results and regions ---------------------------------------------------------------------------------------

_SEGMENTS = {"chlo.scan": ("inputs", "inits")}
"""Names of the groups of operands whose sizes an attribute has."""

_SIZES = "operandSegmentSizes"

_REGIONS = {
    "stablehlo.if": ("true_branch", "false_branch"),
    "stablehlo.select_and_scatter": ("select", "scatter"),
    "stablehlo.while": ("cond", "body"),
}
"""Names of regions but for `body`, and for the branches of a case."""


def _values(declared: Sequence[ValueDeclaration], held: str) -> list[Field]:
    """Return the properties of operands or results, of which variadic ones have equal lengths."""
    groups = sum(each.is_variadic for each in declared)
    fixed, many = len(declared) - groups, 0
    fields: list[Field] = []
    for index, each in enumerate(declared):
        ones = index - many

        def read(view: View, ones: int = ones, many: int = many, each: ValueDeclaration = each) -> object:
            values = getattr(view.op, held)
            size = (len(values) - fixed) // groups if groups else 0
            start = ones + many * size
            return tuple(values[start : start + size]) if each.is_variadic else values[start]

        def read_first(view: View, index: int = index) -> object:
            return getattr(view.op, held)[index]

        type_ = "tuple[ir.Value, ...]" if each.is_variadic else "ir.Value"
        fields.append(Field(each.name, type_, read if each.is_variadic or many else read_first))
        many += each.is_variadic
    return fields


def _segments(names: tuple[str, str]) -> list[Field]:
    def read(view: View, first: bool) -> tuple[ir.Value, ...]:
        count, values = ir.DenseI32ArrayAttr(view.op.attributes[_SIZES])[0], view.op.operands
        return tuple(values[:count] if first else values[count:])

    first, second = names
    type_ = "tuple[ir.Value, ...]"
    return [Field(first, type_, lambda view: read(view, True)), Field(second, type_, lambda view: read(view, False))]


def _regions(declaration: Declaration) -> list[Field]:
    if declaration.name == "stablehlo.case":
        return [
            Field("branches", "tuple[ir.Block, ...]", lambda view: tuple(each.blocks[0] for each in view.op.regions))
        ]
    names = _REGIONS.get(declaration.name, ("body",) if declaration.regions == (1, 1) else ())
    return [
        Field(name, "ir.Block", lambda view, number=number: view.op.regions[number].blocks[0])
        for number, name in enumerate(names)
    ]


# Classes -------------------------------------------------------------------------------------------------------------


def fields_of(declaration: Declaration) -> list[Field]:
    """The properties of the view of an op."""
    segments = _SEGMENTS.get(declaration.name)
    return [
        *(_values(declaration.operands, "operands") if segments is None else _segments(segments)),
        *_regions(declaration),
        *(
            _attribute(each.name, each.kind, each.is_optional)
            for each in declaration.attributes
            if each.kind != "segments"
        ),
        *_values(declaration.results, "results"),
    ]


def class_name(op_name: str) -> str:
    """The name of the class of an op: `DynamicSlice`, `ChloTopK`."""
    dialect, _, name = op_name.partition(".")
    return "".join(part.capitalize() for part in ("" if dialect == "stablehlo" else dialect, *re.split("[-_]", name)))


def of(op: ir.Operation) -> View:
    """Return the view of an op that may have one of several classes."""
    return class_of(op.name)(op)


@lru_cache(maxsize=len(OPS))
def class_of(op_name: str) -> type[View]:
    """The class of an op by its full name."""
    if op_name not in OPS:
        raise ValueError(f"'{op_name}' is not an op of StableHLO or CHLO")
    return type(class_name(op_name), (View,), {"__slots__": (), "OP_NAME": op_name, "__module__": __name__})


_OP_NAMES = {class_name(op_name): op_name for op_name in OPS}


def __getattr__(name: str) -> type[View]:
    if name not in _OP_NAMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    made = globals()[name] = class_of(_OP_NAMES[name])
    return made
