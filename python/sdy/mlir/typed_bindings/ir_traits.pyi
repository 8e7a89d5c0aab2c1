# Traits and interfaces that ops declared in Python get.

from enum import Enum
from typing import Any

from .ir_attributes import Attribute
from .ir_context import Context
from .ir_operations import BlockArgument, Operation, OpOperand, OpResult, OpView

class DynamicOpTrait:
    @classmethod
    def attach(cls, op_name: str | type, target: Any = None, context: Context | None = None) -> bool: ...

class IsIsolatedFromAboveTrait(DynamicOpTrait): ...
class IsTerminatorTrait(DynamicOpTrait): ...

class _Interface:
    def __init__(self, object: Operation | type, context: Context | None = None) -> None: ...
    @classmethod
    def attach(cls, op_name: str | type, *, target: type | None = None, context: Context | None = None) -> bool: ...
    @property
    def operation(self) -> Operation: ...
    @property
    def opview(self) -> OpView: ...

class Speculatability(Enum):
    NotSpeculatable = 0
    Speculatable = 1
    RecursivelySpeculatable = 2

class ConditionallySpeculatable(_Interface):
    def getSpeculatability(self) -> Speculatability: ...

class MemoryEffect:
    Allocate: MemoryEffect
    Free: MemoryEffect
    Read: MemoryEffect
    Write: MemoryEffect

class MemoryEffectInstancesList:
    def append(
        self,
        effect: MemoryEffect,
        target: OpOperand | OpResult | BlockArgument | Attribute | None = None,
        *,
        parameters: Attribute | None = None,
        stage: int = 0,
        effect_on_full_region: bool = False,
    ) -> None: ...

class MemoryEffectsOpInterface(_Interface): ...
