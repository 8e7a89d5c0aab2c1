"""Verification beyond declarations: constraints and declared result types (spec: type-inference, 2.1 and 4.1).

`verify` checks the declared results and the contents of regions; everything else is in the shape functions, whose
result `verify_region` compares with the declared types. `verify_module` does all of it in the order of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.mlir import ir
from sdy.stablehlo import registry
from sdy.stablehlo.declarations import check_declaration, check_inputs, declaration_of
from sdy.stablehlo.inference import infer_checked, registration_of
from sdy.stablehlo.op_facts import InferenceError, OpFacts
from sdy.stablehlo.registry import Registration
from sdy.stablehlo.types.sizes import SizeConflict
from sdy.stablehlo.types.value_types import Tensor, ValueType, compatible_lists


def facts_of(op: ir.Operation) -> OpFacts:
    """Return the facts of an op of a program, for shape functions and verifiers."""
    op = op.operation
    values = list(op.operands)
    types = [value.type for value in values]
    regions = list(op.regions) if len(op.regions) else ()
    name = op.name
    return OpFacts(
        name,
        registry.read_types_for(name, types),
        op.attributes,
        regions,
        values=values,
        types=types,
        results=registry.read_types_for(name, op.results.types),
        context=op.context,
        op=op,
    )


def verify(op: ir.Operation) -> None:
    """Check the declared results and regions of one op, without nested ops and inferred types.

    Raises:
      InferenceError: with the op's location; also if operands and attributes are not as declared.
    """
    _located(op, _with_inputs(_verify))


def verify_declaration(op: ir.Operation) -> None:
    """Check operands, attributes, results and regions against the declaration, as the registered dialect does.

    Raises:
      InferenceError: with the op's location.
    """
    _located(op, _verify_declaration)


def verify_region(op: ir.Operation) -> None:
    """Verify after the regions: inferred types fit the declared ones.

    Raises:
      InferenceError: with the op's location; also if operands and attributes are not as declared.
    """
    _located(op, _with_inputs(_verify_region))


def verify_facts(facts: OpFacts, known: Registration, *, are_inferred: bool) -> None:
    """Run `verify` and `verify_region` on facts of an op that need not exist yet.

    Args:
      facts: the op, with its results.
      known: registration of the op.
      are_inferred: the results were inferred, and need not be compared with inferred ones.

    Raises:
      InferenceError: without a location.
    """
    _verify(facts, known)
    if not are_inferred or known.verify_region is not None:
        _verify_region(facts, known)


def verify_all_facts(facts: OpFacts) -> None:
    """Verify the declaration, the op and its regions from facts, without an op.

    Raises:
      InferenceError: without a location.
    """
    _verify_all(facts, registration_of(facts))


def verify_module(root: ir.Operation | ir.Module, *, upstream: bool = True) -> None:
    """Verify `root` and all known ops in it, up to the first error.

    Args:
      root: an op or a module.
      upstream: run the bindings' own verifiers first, which then have checked all declarations. Without, declarations
        are checked here, and ops of other dialects are not verified at all.

    Raises:
      InferenceError: an op is not valid.
      ir.MLIRError: upstream's verifiers say so.
    """
    root = root.operation
    if upstream:
        root.verify()
    _visit(root, declarations=not upstream)


def _visit(op: ir.Operation, *, declarations: bool) -> None:
    """Verify an op and those in it, if they are known."""
    known = registry.find(op.name)
    facts = None if known is None else facts_of(op)
    if known is not None and facts is not None:
        _at(op, lambda: _verify_before_regions(facts, known, declarations))
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                _visit(inner.operation, declarations=declarations)
    if known is not None and facts is not None:
        _at(op, lambda: _verify_region(facts, known))


def _verify_before_regions(facts: OpFacts, known: Registration, declarations: bool) -> None:
    if declarations:
        _verify_declaration(facts, known)
    _verify(facts, known)


def _with_inputs(check: Callable[[OpFacts, Registration], None]) -> Callable[[OpFacts, Registration], None]:
    """Run `check` behind a check of operands and attributes, which it depends on."""

    def checked(facts: OpFacts, known: Registration) -> None:
        declaration = declaration_of(known.name)
        if declaration is not None:
            check_inputs(facts, declaration)
        check(facts, known)

    return checked


def _located(op: ir.Operation, check: Callable[[OpFacts, Registration], None]) -> None:
    facts = facts_of(op)
    _at(op.operation, lambda: check(facts, registration_of(facts)))


def _at(op: ir.Operation, check: Callable[[], None]) -> None:
    try:
        check()
    except InferenceError as error:
        error.location = op.location
        raise


def _verify_declaration(facts: OpFacts, known: Registration) -> None:
    declaration = declaration_of(known.name)
    if declaration is not None:
        check_declaration(facts, declaration)


def _verify(facts: OpFacts, known: Registration) -> None:
    if known.verify is None:
        return
    try:
        known.verify(facts)
    except SizeConflict as conflict:
        raise facts.error(known.result_constraint, str(conflict)) from None


def _verify_region(facts: OpFacts, known: Registration) -> None:
    if known.verify_region is not None:
        known.verify_region(facts)
        return
    if known.infer is None or (known.is_partial and known.is_compatible is None):
        return
    inferred = infer_checked(facts, known)
    if not (known.is_compatible or compatible_lists)(inferred, facts.results):
        declared, expected = (", ".join(map(str, types)) for types in (facts.results, inferred))
        label = _broken_constraint(known, inferred, facts.results)
        if known.is_partial:
            raise facts.error(label, f"the result must be of shape {expected}, not {declared}")
        raise facts.error(label, f"declares {declared or 'nothing'}, but gives {expected}")


def _broken_constraint(known: Registration, inferred: Sequence[ValueType], declared: Sequence[ValueType]) -> str:
    """Return the broken constraint; some ops have separate ones for shapes and for element types."""
    shapes = [type_.with_element(None) if isinstance(type_, Tensor) else type_ for type_ in inferred]
    if known.element_constraint and compatible_lists(shapes, declared):
        return known.element_constraint
    return known.result_constraint


def _verify_all(facts: OpFacts, known: Registration) -> None:
    _verify_before_regions(facts, known, True)
    _verify_region(facts, known)
