"""Passes that show a program: to files, and to tests of type inference."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from sdy.dialect.assembly import print_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import replace
from sdy.mlir.walk import pre_order
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION
from sdy.stablehlo import (
    InferenceError,
    ShapedTypeComponents,
    infer_return_type_components,
    infer_return_types,
    reify_return_type_shapes,
)


@dataclass(frozen=True)
class Options:
    directory: str = option("", "folder to write to; empty for none")
    file_name: str = option("module", "file name without its suffix")
    index: int = option(-1, "number prefix of the file name; none if negative")


@pass_("sdy-save-module", on="builtin.module", options=Options)
def save_module(module: ir.Operation, options: Options) -> None:
    """sdy-save-module: Write the module to a file, for debugging.

        sdy-save-module{directory=dump file-name=before_propagation index=2}
    ==> dump/02.before_propagation.mlir

    Spec: import-passes, 6.2. A file that cannot be written is reported on standard error; the pass continues.
    """
    if not options.directory:
        return
    number = "" if options.index < 0 else f"{options.index:02}."
    path = Path(options.directory) / f"{number}{options.file_name}.mlir"
    try:
        path.write_text(print_module(module))
    except OSError as error:
        print(f"could not write {path}: {error.strerror}", file=sys.stderr)


_PREFIX = "hlo_test_infer."


@pass_("hlo-test-infer", on=FUNCTION)
def hlo_test_infer(func: ir.Operation) -> None:
    """hlo-test-infer: Replace the ops with which tests query inferred types by the answers.

        %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
        %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<3x2xf32>) -> tensor<3x2xindex>
    ==> %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
        %1 = "hlo_test_infer.return_types"(%0) {types0 = tensor<3x2xf32>} : (tensor<3x2xf32>) -> tensor<3x2xindex>

    Each query takes a result of the op it refers to:

    * `get_return_types` becomes `return_types`, with an attribute `types<i>` for each inferred result;
    * `get_return_type_components` becomes `return_type_components`, where the element type `index` stands for an open
      one;
    * `reify_return_type_shapes` is replaced by the sizes of the results.

    A question that cannot be answered stays as it is.
    """
    import_module("sdy.dialect.definition.inferred_types")  # what is known of sdy's ops
    for op in pre_order(func):
        answer = _ANSWERS.get(op.name)
        asked = _op_in_question(op) if answer is not None else None
        if answer is None or asked is None:
            continue
        try:
            answer(op, asked)
        except InferenceError:
            continue


def _op_in_question(question: ir.Operation) -> ir.Operation | None:
    """Return the op that a query refers to; None for an argument of a block."""
    owner = question.operands[0].owner if len(question.operands) else None
    return None if owner is None or isinstance(owner, ir.Block) else owner.operation


def _return_types(question: ir.Operation, op: ir.Operation) -> None:
    types = infer_return_types(op.name, list(op.operands), op.attributes, list(op.regions))
    _replace_by_types(question, "return_types", types)


def _return_type_components(question: ir.Operation, op: ir.Operation) -> None:
    found = infer_return_type_components(op.name, list(op.operands), op.attributes, list(op.regions))
    _replace_by_types(question, "return_type_components", [_tensor_of(each, op) for each in found])


def _tensor_of(components: ShapedTypeComponents, op: ir.Operation) -> ir.RankedTensorType:
    with op.location:
        element = components.element_type or ir.IndexType.get(op.context)
        return ir.RankedTensorType.get(list(components.dims), element, components.attribute)


def _replace_by_types(question: ir.Operation, name: str, types: Sequence[ir.Type]) -> None:
    attributes = {f"types{number}": ir.TypeAttr.get(type_) for number, type_ in enumerate(types)}
    answer = ir.Operation.create(
        _PREFIX + name,
        results=[result.type for result in question.results],
        operands=list(question.operands),
        attributes=attributes | {key: question.attributes[key] for key in question.attributes},
        loc=question.location,
        ip=ir.InsertionPoint(question),
    )
    replace(question, list(answer.results))


def _shapes(question: ir.Operation, op: ir.Operation) -> None:
    index = ir.IndexType.get(op.context)
    with op.location:
        types = [ir.RankedTensorType.get([result.type.rank], index) for result in op.results if _has_rank(result.type)]
    if types == [result.type for result in question.results]:
        replace(question, reify_return_type_shapes(ir.InsertionPoint(question), op, list(op.operands)))


def _has_rank(type_: ir.Type) -> bool:
    return isinstance(type_, ir.ShapedType) and type_.has_rank


_ANSWERS = {
    f"{_PREFIX}get_return_types": _return_types,
    f"{_PREFIX}get_return_type_components": _return_type_components,
    f"{_PREFIX}reify_return_type_shapes": _shapes,
}
