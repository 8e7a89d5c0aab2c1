"""Compares our answers about instances of ops with those of the registered dialect, in a process that may crash.

    python -m tests.parity.stablehlo_worker FIRST COUNT

prints a line of JSON per instance: its number and what was found. Whoever started it sees which instance ended the
process.
"""

from __future__ import annotations

import json
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sdy.mlir import ir, load_chlo, stablehlo
from sdy.stablehlo import InferenceError, infer_return_type_components, infer_return_types
from sdy.stablehlo.registry import find
from tests.generators.typed_ops import Case, damage_case, random_case
from tests.generators.typed_ops.case import Unwritten
from tests.unverified import refusals

# The registered dialect cannot be asked about the types of these: it wants regions or has no interface.
_NOT_ASKED = frozenset(f"stablehlo.{name}" for name in ("async_start", "case", "if", "map", "torch_index_select"))


def make_context() -> ir.Context:
    context = ir.Context()
    stablehlo.register_dialect(context)
    load_chlo(context)
    context.allow_unregistered_dialects = True
    return context


def prepared(number: int, context: ir.Context) -> Case:
    """Instance `number`, with result types: those of the undamaged one, or for odd numbers what is inferred now."""
    case = with_results(random_case(number), context)
    changed = damage_case(number, case)
    if changed is not case and number % 2 and changed.results == case.results:
        changed = with_results(replace(changed, results=None), context, case.results)
    return changed


def with_results(case: Case, context: ir.Context, otherwise: tuple[str, ...] | None = None) -> Case:
    """The instance with the types that are inferred, if it has none."""
    if case.results is not None:
        return case
    types = inferred(case, context)
    return case.with_results(types if isinstance(types, tuple) else otherwise or ())


def inferred(case: Case, context: ir.Context) -> tuple[str, ...] | InferenceError:
    """What our functions say; anything but types and an `InferenceError` is a bug."""
    with case.parts(context) as (operands, attributes, module):
        holder = replace(case, name="test.holder", results=()).create([], {}, module)
        regions = list(holder.regions)
        with suppress(InferenceError):
            # Components are there where types are, and for more ops; whether they are right is seen from the types.
            infer_return_type_components(case.name, operands, attributes, regions)
        try:
            types = infer_return_types(case.name, operands, attributes, regions)
        except InferenceError as error:
            return error
        return tuple(map(str, types))


def registered_types(case: Case, context: ir.Context) -> tuple[str, ...] | str | None:
    """What the registered dialect infers with regions that are empty; its error as text."""
    with case.parts(context) as (operands, attributes, module):
        try:
            probe = ir.Operation.create(
                case.name,
                operands=operands,
                attributes=attributes,
                regions=len(case.bodies),
                infer_type=True,
                ip=ir.InsertionPoint(module.body),
            )
        except (ir.MLIRError, ValueError) as error:
            return _short(error)
        types = tuple(str(result.type) for result in probe.results)
        probe.erase()
        return types


def verified(case: Case, context: ir.Context) -> tuple[str | None, str | None]:
    """Errors of the registered dialect and of ours; None for an instance that is accepted."""
    with case.parts(context) as (operands, attributes, module):
        try:
            op = case.create(operands, attributes, module)
        except (ir.MLIRError, ValueError) as error:
            # Attributes of the wrong kind do not get into an op's properties.
            return _short(error), "not made"
        found = refusals(op)
        ours = None if not found else f"{found[0][1].constraint}: {found[0][1].message}"
        print(json.dumps({"ours": ours}), flush=True)
        try:
            op.verify()
            return None, ours
        except ir.MLIRError as error:
            return _short(error), ours


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def compare(number: int, context: ir.Context) -> dict[str, Any]:
    """What is different for instance `number`; empty if nothing is."""
    case = prepared(number, context)
    print(json.dumps({"at": number, "name": case.name, "case": str(case)}), flush=True)
    inferred(case, context)
    theirs, ours = verified(case, context)
    if (theirs is None) != (ours is None):
        return {"kind": "verify", "theirs": theirs, "ours": ours}
    registration = find(case.name)
    if ours is not None or registration is None or registration.infer is None or registration.is_partial:
        return {}
    if case.name in _NOT_ASKED:
        return {}
    empty = replace(case, bodies=(None,) * len(case.bodies))
    mine, other = inferred(empty, context), registered_types(empty, context)
    if isinstance(mine, InferenceError) and isinstance(other, str):
        return {}
    if isinstance(mine, InferenceError):
        mine = f"{mine.constraint}: {mine.message}"
    if mine != other:
        return {"kind": "types", "theirs": other, "ours": mine}
    return {}


def main(first: int, count: int) -> None:
    context = make_context()
    for number in range(first, first + count):
        try:
            found = compare(number, context)
        except Unwritten:
            continue
        except Exception:  # noqa: BLE001  (whatever it is, it is what is looked for)
            found = {"kind": "exception", "ours": traceback.format_exc(limit=-4)}
        if found:
            print(json.dumps({"found": number, **found}), flush=True)
    print(json.dumps({"done": first + count}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
