# Dialects declared in Python (`dialects.ext`).

from enum import Enum
from typing import Any, ClassVar

from . import ir
from .ir import OpResult as Result
from .ir import Region as Region
from .ir import Value as Operand

__all__ = ["Attribute", "Dialect", "Operand", "Operation", "Pure", "Region", "Result", "Type"]

class Variadicity(Enum):
    single = 0
    optional = 1
    variadic = 2

class FieldDef:
    name: str
    variadicity: Variadicity
    # What the annotation of the field says: a class, a union, a type variable.
    constraint: Any

class OperandDef(FieldDef): ...
class ResultDef(FieldDef): ...
class AttributeDef(FieldDef): ...
class RegionDef(FieldDef): ...

def partition_fields(
    fields: list[FieldDef],
) -> tuple[list[OperandDef], list[AttributeDef], list[ResultDef], list[RegionDef]]: ...

class ConstraintLoweringContext:
    def lower(self, type_: Any) -> ir.Value: ...

class ParamDef:
    name: str
    constraint: Any

class Attribute(ir.DynamicAttr):
    attr_name: ClassVar[str]  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]
    _name: ClassVar[str]
    _fields: ClassVar[list[ParamDef]]
    def __init_subclass__(cls, *, name: str | None = None, dialect: type[Dialect] | None = None) -> None: ...
    @classmethod
    def _emit_attr(cls) -> None: ...

class Type(ir.DynamicType):
    type_name: ClassVar[str]
    _name: ClassVar[str]
    _fields: ClassVar[list[ParamDef]]
    def __init_subclass__(cls, *, name: str | None = None, dialect: type[Dialect] | None = None) -> None: ...
    @classmethod
    def _emit_type(cls) -> None: ...

class Operation(ir.OpView):
    OPERATION_NAME: ClassVar[str]
    _op_name: ClassVar[str]
    _fields: ClassVar[list[FieldDef]]
    # The parameters are the fields that the class declares.
    def __init__(
        self, *fields: Any, loc: ir.Location | None = None, ip: ir.InsertionPoint | None = None, **named: Any
    ) -> None: ...
    def __init_subclass__(
        cls, *, name: str | None = None, traits: list[type] | None = None, dialect: type[Dialect] | None = None
    ) -> None: ...
    @classmethod
    def _emit_operation(cls) -> None: ...

_Attribute = Attribute
_Operation = Operation
_Type = Type

class Dialect:
    DIALECT_NAMESPACE: ClassVar[str]
    _mlir_module: ClassVar[ir.Module | None]
    name: ClassVar[str]
    operations: ClassVar[list[type[Operation]]]
    types: ClassVar[list[type[Type]]]
    attributes: ClassVar[list[type[Attribute]]]
    Attribute = _Attribute
    Operation = _Operation
    Type = _Type
    def __init_subclass__(cls, *, name: str | None = None) -> None: ...
    @classmethod
    def load(cls, *, register: bool = True, reload: bool = False) -> None: ...

class Pure:
    @classmethod
    def attach(cls, op_name: str, context: ir.Context | None = None) -> bool: ...
