"""Ops drawn as for the comparison of sharding rules: all that have a rule, with whatever types and attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import tests.generators.op_families  # noqa: F401  (fills GENERATORS)
from tests.generators.block import FLOATS, INTEGERS, TOKEN, Block, Type, Value
from tests.generators.op_instances import GENERATORS, OpInstance
from tests.generators.ops.kinds import MAX_SIZE, kind

_TENSOR = re.compile(r"tensor<((?:\d+x)*)([^?]*)>")
_NAME = re.compile(r"%([A-Za-z_]\w*)")
_DRAWS = 12


@kind("registered_op")
def registered_op(b: Block) -> None:
    """One of the registered ops; of several instances the one that fits the values that are there best."""
    name = b.rng.choice(sorted(GENERATORS))
    drawn = [GENERATORS[name](b.rng, name) for _ in range(_DRAWS)]
    usable = [instance for instance in drawn if _is_usable(instance)]
    if not usable:
        return
    there = {value.type for value in b.visible()}
    instance = max(usable, key=lambda one: sum(_type(text) in there for text in one.arguments))
    operands = [_value(b, _type(text)) for text in instance.arguments]
    if None not in operands:
        _emit(b, instance, [value for value in operands if value is not None])


def _type(text: str) -> Type | None:
    """None for what propagation refuses: tuples, dynamic dimensions."""
    if text == str(TOKEN):
        return TOKEN
    found = _TENSOR.fullmatch(text)
    return found and Type(tuple(int(size) for size in found[1].split("x")[:-1]), found[2])


def _is_usable(instance: OpInstance) -> bool:
    """Whether all types are static and small, and not quantized: other ops could not do with such values."""
    types = [_type(text) for text in (*instance.arguments, *instance.results)]
    return all(type_ is not None and _size(type_) <= 4 * MAX_SIZE and "!" not in type_.element for type_ in types)


def _size(type_: Type) -> int:
    count = 1
    for size in type_.static if type_ != TOKEN else ():
        count *= size
    return count


def _value(b: Block, type_: Type | None) -> Value | None:
    assert type_ is not None
    if type_ == TOKEN:
        return b.token()
    if type_.element in (*FLOATS, *INTEGERS, "i1", "i64", "ui64"):
        return b.tensor(type_.static, type_.element)
    found = b.pick(lambda other: other == type_)
    return found or (b.argument(type_) if b.function is not None else None)


def _emit(b: Block, instance: OpInstance, operands: Sequence[Value]) -> None:
    """Appends the op and what is around it, under names that are free here."""
    number = b.program.number()
    names = {f"a{index}": value.name for index, value in enumerate(operands)} | {"r": f"%{number}"}

    def renamed(text: str) -> str:
        return _NAME.sub(lambda found: names.get(found[1], f"%{found[1]}_{number}"), text)

    types = [type_ for text in instance.results if (type_ := _type(text)) is not None]
    inputs = list(zip((value.name for value in operands), instance.arguments, strict=True))
    if instance.operands is not None:
        inputs = [(renamed(name), type_) for name, type_ in instance.operands]
    bound = f"%{number}:{len(types)} = " if types else ""
    regions = f" ({instance.regions})" if instance.regions else ""
    listed = [*([instance.attributes] if instance.attributes else []), *b.annotation(types)]
    arguments, signature = (", ".join(one[place] for one in inputs) for place in (0, 1))
    text = (
        f'{bound}"{instance.name}"({arguments}){renamed(regions)}{b.attributes(listed)} : '
        f"({signature}) -> ({', '.join(instance.results)})"
    )
    b.lines += [part for part in (renamed(instance.before), text, renamed(instance.after)) if part]
    b.values += [Value(f"%{number}#{index}", type_) for index, type_ in enumerate(types)]
