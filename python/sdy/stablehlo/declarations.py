"""Declarations of ops: operands, results, attributes, number of regions, relations of types (letters O and T).

The registered dialect checks an op of a program against its declaration. Inference may run without that check, so it
checks operands and attributes first. Declarations are compact text:

    declare("slice", "operand:Any", "Any", "start_indices:i64s limit_indices:i64s strides:i64s")

    operands, results   `name:Set` or `Set` for results; `*` behind the name: any number; `1D/Set`: of that rank;
                        `static/Set`: all sizes known; `bounded/Set`: static, or one size with a bound
    sets                element types as in `SETS`, joined by `|`; `token`, `tuple`, `future`, `buffer`, `unranked`,
                        `any`
    attributes          `name:kind`, kinds as in `attribute_readers.KINDS`; `name?:kind` for an optional one;
                        `name:kind=i4` where the input's number in the specification does not follow from the position
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import KINDS
from sdy.stablehlo.families import load_all, load_family_of
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.elements import FLOAT_NAMES, Element, Kind
from sdy.stablehlo.types.sizes import DYNAMIC
from sdy.stablehlo.types.value_types import Plain, Tensor, ValueType, quantization_fits

_WIDTHS = (2, 4, 8, 16, 32, 64)
_SI = frozenset(f"i{bits}" for bits in _WIDTHS)
_UI = frozenset(f"ui{bits}" for bits in _WIDTHS)
_F = frozenset(FLOAT_NAMES)
_C = frozenset(("complex<f32>", "complex<f64>"))
_I = _SI | _UI
_ANY = _F | {"i1"} | _I | _C | {"QT"}
_INTEGER = "*integer"

SETS: dict[str, frozenset[str]] = {
    "SI": _SI,
    "UI": _UI,
    "I": _I,
    "Pred": frozenset(("i1",)),
    "F": _F,
    "C": _C,
    "QT": frozenset(("QT",)),
    "QA": frozenset(("QA",)),
    "Any": _ANY,
    "Any+": _ANY | {"QA"},
    "Dim": _I | {"index"},
    "AnyInteger": frozenset((_INTEGER, "index")),
}
"""Element types by the names of the sets in declarations; other names stand for themselves."""

_NOT_PLAIN = frozenset(("QT", "QA", "index", _INTEGER))
"""Categories of elements of which not all tensors are types, or which need another look."""

_PLAIN = frozenset(("token", "tuple", "future", "buffer", "unranked", "other"))


@dataclass(frozen=True, slots=True)
class ValueDeclaration:
    """An operand or result: its possible element types (or kinds of other types), its rank, whether it is static."""

    name: str
    categories: frozenset[str]
    kinds: frozenset[str]
    is_variadic: bool = False
    rank: int | None = None
    form: str = ""
    text: str = ""

    free_categories: frozenset[str] = frozenset()
    """Element types of which every tensor is admitted, as nearly all are: the general answer takes far longer."""

    def admits(self, type_: ValueType) -> bool:
        if not isinstance(type_, Tensor):
            return type_.kind in self.kinds and (type_.kind != "unranked" or self._admits_unranked(type_))
        element = type_.element
        if element is not None and element.category in self.free_categories:
            return True
        return self._admits_element(type_) and self._admits_form(type_)

    def _admits_unranked(self, type_: Plain) -> bool:
        (part,) = type_.parts
        element = part.element if isinstance(part, Tensor) else None
        return not self.categories or (element is not None and element.category in self.categories)

    def _admits_element(self, type_: Tensor) -> bool:
        element: Element | None = type_.element
        if element is None or not self.categories:
            return self.form == "any"
        if element.category in self.categories:
            return element.kind is not Kind.QUANTIZED or quantization_fits(type_)
        return _INTEGER in self.categories and element.kind is Kind.INTEGER

    def _admits_form(self, type_: Tensor) -> bool:
        if self.rank is not None and len(type_.dims) != self.rank:
            return False
        if not self.form or self.form == "any":
            return True
        unknown = type_.dims.count(DYNAMIC)
        if unknown == 0 or self.form == "static":
            return unknown == 0
        return unknown == 1 and type_.bound(type_.dims.index(DYNAMIC)) != DYNAMIC


@dataclass(frozen=True, slots=True)
class AttributeDeclaration:
    """An attribute: its kind, and its name in the specification."""

    name: str
    kind: str
    is_optional: bool
    label: str
    read: Callable[[ir.Attribute], object]


Trait = Callable[[OpFacts], None]
"""Raises an `InferenceError` if a relation between the types of operands and results does not hold."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """Declaration of an op."""

    name: str
    operands: tuple[ValueDeclaration, ...]
    results: tuple[ValueDeclaration, ...]
    attributes: tuple[AttributeDeclaration, ...]
    regions: tuple[int, int]
    traits: tuple[Trait, ...]
    is_variadic: bool
    attribute_named: Mapping[str, AttributeDeclaration]


_declarations: dict[str, Declaration] = {}


def declaration_of(name: str) -> Declaration | None:
    """Return the declaration of an op by its full name; None for an op without one."""
    load_family_of(name)
    return _declarations.get(name)


def declared_ops() -> tuple[str, ...]:
    """Full names of all declared ops, sorted."""
    load_all()
    return tuple(sorted(_declarations))


def declare(
    names: str,
    operands: str,
    results: str,
    attributes: str = "",
    *,
    regions: int | tuple[int, int] = 0,
    traits: Sequence[Trait] = (),
) -> None:
    """Declares the ops `names` (without a dialect: of StableHLO).

    Args:
      names: names of ops with the same declaration, separated by blanks.
      operands: text of the operands (see the module).
      results: text of the results.
      attributes: text of the attributes.
      regions: how many regions there are, or the least and the largest number.
      traits: relations between the types, checked in this order.
    """
    values = tuple(map(_value, operands.split()))
    outputs = tuple(_value(text if ":" in text else f"result:{text}") for text in results.split())
    listed = tuple(_attribute(text, number) for number, text in enumerate(attributes.split(), len(values) + 1))
    bounds = (regions, regions) if isinstance(regions, int) else regions
    is_variadic = any(value.is_variadic for value in values)
    named = {each.name: each for each in listed}
    for name in names.split():
        full = name if "." in name else f"stablehlo.{name}"
        _declarations[full] = Declaration(full, values, outputs, listed, bounds, tuple(traits), is_variadic, named)


def _value(text: str) -> ValueDeclaration:
    name, _, rest = text.partition(":")
    *forms, union = rest.split("/")
    sets = union.split("|")
    kinds = _PLAIN if "any" in sets else frozenset(sets) & _PLAIN
    categories = frozenset().union(*(SETS.get(each, {each}) for each in sets if each not in _PLAIN and each != "any"))
    rank = next((int(form[0]) for form in forms if form[0].isdigit()), None)
    form = "any" if "any" in sets else next((form for form in forms if not form[0].isdigit()), "")
    free = categories - _NOT_PLAIN if rank is None and not form else frozenset()
    return ValueDeclaration(name.rstrip("*"), categories, kinds, name.endswith("*"), rank, form, rest, free)


def _attribute(text: str, number: int) -> AttributeDeclaration:
    name, _, rest = text.partition(":")
    head, _, label = rest.rpartition("=i")
    kind = head if head and label.isdigit() else rest
    is_numbered = kind != rest
    assert kind in KINDS, kind
    return AttributeDeclaration(
        name.rstrip("?"), kind, name.endswith("?"), f"i{label}" if is_numbered else f"i{number}", KINDS[kind]
    )


# Checks (letter O) ---------------------------------------------------------------------------------------------------


def check_inputs(op: OpFacts, declaration: Declaration) -> None:
    """Check that the operands and attributes of a new op are as declared."""
    operands = op.operands
    if declaration.is_variadic:
        _check_variadic(op, declaration.operands, operands, "operand")
    else:
        if len(operands) != len(declaration.operands):
            number = min(len(operands), len(declaration.operands)) + 1
            message = f"takes {len(declaration.operands)} operands, not {len(operands)}"
            raise op.error(f"i{number}", message)
        for value, type_ in zip(declaration.operands, operands, strict=True):
            element = type_.element if type(type_) is Tensor else None
            # Nearly all are free, and a call takes longer than the rest.
            if (element is None or element.category not in value.free_categories) and not value.admits(type_):
                label = f"i{declaration.operands.index(value) + 1}"
                raise op.error(label, f"operand '{value.name}' must be {value.text}, not {type_}")
    if declaration.attributes:
        _check_attributes(op, declaration)


def _check_variadic(op: OpFacts, declared: Sequence[ValueDeclaration], types: Sequence[ValueType], what: str) -> None:
    """Check that variadic groups are equally long."""
    groups = len([value for value in declared if value.is_variadic])
    fixed = len(declared) - groups
    length, rest = divmod(len(types) - fixed, groups)
    if length < 0 or rest:
        raise op.error("i1" if what == "operand" else "results", f"{len(types)} {what}s do not fit its declaration")
    position = 0
    for number, value in enumerate(declared, 1):
        count = length if value.is_variadic else 1
        for type_ in types[position : position + count]:
            if not value.admits(type_):
                label = f"i{number}" if what == "operand" else "results"
                raise op.error(label, f"{what} '{value.name}' must be {value.text}, not {type_}")
        position += count


def _check_attributes(op: OpFacts, declaration: Declaration) -> None:
    """Check the attributes and store their values for the op's functions."""
    for each in declaration.attributes:
        attribute = op.attributes.get(each.name)
        if attribute is None:
            if not each.is_optional:
                raise op.error(each.label, f"needs the attribute '{each.name}'")
            continue
        value = each.read(attribute)
        if value is None:
            raise op.error(each.label, f"attribute '{each.name}' must be {each.kind}, not {attribute}")
        op.kept[each.name] = value


def check_declaration(op: OpFacts, declaration: Declaration) -> None:
    """Check an op against its declaration: operands, attributes, results, regions, relations (O and T)."""
    check_inputs(op, declaration)
    check_outcome(op, declaration)


def check_outcome(op: OpFacts, declaration: Declaration) -> None:
    """Check results, regions and relations of an op with valid operands and attributes."""
    _check_results(op, declaration)
    least, most = declaration.regions
    if not least <= len(op.regions) <= most:
        raise op.error("regions", f"has {len(op.regions)} regions")
    for trait in declaration.traits:
        trait(op)


def _check_results(op: OpFacts, declaration: Declaration) -> None:
    if any(value.is_variadic for value in declaration.results):
        _check_variadic(op, declaration.results, op.results, "result")
        return
    if len(op.results) != len(declaration.results):
        raise op.error("results", f"has {len(declaration.results)} results, not {len(op.results)}")
    for number, (value, type_) in enumerate(zip(declaration.results, op.results, strict=True)):
        if not value.admits(type_):
            raise op.error("results", f"result {number} must be {value.text}, not {type_}")
