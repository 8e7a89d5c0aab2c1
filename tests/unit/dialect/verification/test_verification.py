"""The pure parts of verification; `lit_tests/dialect/invalid_*.mlir` has what takes a module."""

from __future__ import annotations

import pytest

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import (
    AxisToPropagationDetails,
    EdgeNode,
    EdgeValueRef,
    PropagationEdges,
    PropagationOneStep,
)
from sdy.dialect.values.sharding import DYNAMIC, DimensionSharding, Reduction, TensorSharding
from sdy.dialect.verification.documents import check_built
from sdy.dialect.verification.sharding_checks import (
    ANY,
    NEVER,
    NO_TYPE,
    Change,
    TypeInfo,
    TypeKind,
    check_sharding,
    check_shardings,
    check_unreduced,
    manual_axis_in,
    only,
)
from tests.unit.notation import axis, axis_list

MESH = Mesh.of(a=2, b=4, c=1, d=8)
MAXIMAL = Mesh((), (0,))
MATRIX = TypeInfo(TypeKind.RANKED, (8, 8))


def sharding(*dims: str, replicated: str = "", unreduced: str = "") -> TensorSharding:
    closed = TensorSharding.from_axes("mesh", map(axis_list, dims))
    return closed.with_replicated(axis_list(replicated)).with_unreduced(axis_list(unreduced))


def problem(
    dims: tuple[str, ...], info: TypeInfo = MATRIX, mesh: Mesh | None = MESH, replicated: str = "", unreduced: str = ""
) -> str | None:
    return check_sharding(sharding(*dims, replicated=replicated, unreduced=unreduced), mesh, info)


@pytest.mark.parametrize(
    "dims",
    [
        ("", ""),
        ("a b", "d c"),
        ("d:(4)2 d:(2)2", "d:(1)2"),
        ("d:(1)2 a d:(2)2", ""),
        ("d:(1)2", "d:(2)2"),
        ("d:(1)2", "d:(4)2"),
    ],
)
def test_valid_axes(dims: tuple[str, ...]) -> None:
    assert problem(dims) is None


@pytest.mark.parametrize(
    ("dims", "message"),
    [
        (("d:(1)2 d:(2)2", ""), "must be written as one"),
        (("d:(1)8", ""), "which is its whole axis"),
        (("d:(2)1", ""), "a size below 2"),
        (("d:(3)2", ""), "does not divide"),
        (("d:(4)4", ""), "does not divide"),
        (("c:(1)1", ""), "a size below 2"),
        (("d:(1)4", "d:(2)2"), "overlaps another one"),
        (("b", "b:(1)2"), "as well as a sub-axis of it"),
        (("b:(1)2", "b"), "as well as a sub-axis of it"),
        (("e", ""), 'uses axis "e", which the mesh does not have'),
        (("a", "a"), "twice"),
        (("a",), "of rank 1 for a value of rank 2"),
    ],
)
def test_invalid_axes(dims: tuple[str, ...], message: str) -> None:
    assert message in (problem(dims) or "")


def test_sizes_of_dimensions_do_not_matter() -> None:
    for size in (0, 1, 3, DYNAMIC):
        assert problem(("d", ""), TypeInfo(TypeKind.RANKED, (size, 8))) is None


def test_replicated_and_unreduced_axes_are_sorted() -> None:
    assert problem(("", ""), replicated="a b", unreduced="d:(1)2 d:(4)2") is None
    assert "order of the mesh" in (problem(("", ""), replicated="b a") or "")
    assert "order of the mesh" in (problem(("", ""), unreduced="d:(4)2 d:(1)2") or "")
    # Two axes that the mesh does not have cannot be compared; what is reported is that they are unknown.
    assert "does not have" in (problem(("", ""), replicated="f e") or "")


@pytest.mark.parametrize(
    ("dim", "message"),
    [
        (DimensionSharding((), False, 0), None),
        (DimensionSharding((AxisRef("a"),), True, 3), None),
        (DimensionSharding((), True, 0), "a priority on a closed dimension without axes"),
        (DimensionSharding((AxisRef("a"),), True, -1), "the negative priority -1"),
    ],
)
def test_priorities(dim: DimensionSharding, message: str | None) -> None:
    found = check_sharding(TensorSharding("mesh", (dim,)), MESH, TypeInfo(TypeKind.RANKED, (8,)))
    assert found is None if message is None else message in (found or "")


def test_a_single_device_fits_every_type_but_takes_nothing() -> None:
    for kind in TypeKind:
        assert problem((), TypeInfo(kind, (8,) if kind is TypeKind.RANKED else ()), MAXIMAL) is None
    assert problem(("",), TypeInfo(TypeKind.RANKED, (8,)), MAXIMAL) is not None
    assert problem((), MATRIX, MAXIMAL, replicated="a") is not None


def test_values_without_a_shape_take_nothing() -> None:
    unshaped = TypeInfo(TypeKind.UNSHAPED)
    assert problem((), unshaped) is None
    assert problem(("",), unshaped) is not None
    assert problem((), TypeInfo(TypeKind.TUPLE)) is not None
    assert problem((), TypeInfo(TypeKind.UNRANKED)) is not None


def test_unknown_mesh() -> None:
    assert problem((), mesh=None) == "has a sharding on the unknown mesh @mesh"


def test_lists_of_shardings() -> None:
    scalar = TypeInfo(TypeKind.RANKED, ())
    assert check_shardings([sharding()], [MESH], []) is None
    assert check_shardings([sharding()], [MAXIMAL], []) is None
    assert check_shardings([sharding("")], [MESH], []) is not None
    assert check_shardings([], [], []) is None
    assert check_shardings([sharding("a")], [MESH], []) == "has 1 shardings for 0 values"
    assert check_shardings([sharding(), sharding("")], [MESH, MESH], [scalar, scalar]) == (
        "has a sharding of rank 1 for a value of rank 0 (value number 1)"
    )
    assert check_sharding(sharding(), MESH, NO_TYPE) is None


def test_manual_axes_are_found_by_name() -> None:
    used = sharding("a b:(1)2", "", replicated="d")
    assert manual_axis_in(used, ["c"]) is None
    assert manual_axis_in(used, ["b", "d"]) == axis("b:(1)2")
    assert manual_axis_in(used, ["d"]) == axis("d")


# Unreduced axes --------------------------------------------------------------------------------------

SQUARE = Mesh.of(x=2, y=4)


def unreduced(axes: str, kind: Reduction = Reduction.SUM) -> TensorSharding:
    return TensorSharding.closed("mesh", 1).with_unreduced(axis_list(axes), kind)


@pytest.mark.parametrize(
    ("source", "result", "accepted"),
    [
        (unreduced("x", Reduction.MAX), unreduced(""), True),
        (unreduced("x", Reduction.MAX), unreduced("y", Reduction.MIN), True),
        (unreduced(""), unreduced("x", Reduction.MAX), True),
        (unreduced("x", Reduction.MAX), unreduced("x y", Reduction.MAX), True),
        (unreduced("x", Reduction.MAX), unreduced("x"), False),
        (unreduced("x", Reduction.MAX), unreduced("x y"), False),
        (unreduced("y", Reduction.MAX), unreduced("y:(1)2"), False),
        (unreduced("y:(2)2", Reduction.MAX), unreduced("y:(1)2"), True),
    ],
)
def test_axes_that_stay_unreduced_keep_their_reduction(
    source: TensorSharding, result: TensorSharding, accepted: bool
) -> None:
    assert (check_unreduced([source], [result], [SQUARE, SQUARE], ANY, ANY) is None) == accepted


def test_unreduced_axes_on_different_meshes_are_not_compared() -> None:
    reversed_mesh = Mesh.of(range(7, -1, -1), x=2, y=4)
    source, result = unreduced("x", Reduction.MAX), unreduced("x")
    assert check_unreduced([source], [result], [SQUARE, reversed_mesh], NEVER, NEVER) is None


@pytest.mark.parametrize(
    ("change", "kind", "accepted"),
    [
        (NEVER, Reduction.SUM, False),
        (ANY, Reduction.MAX, True),
        (only(Reduction.MAX), Reduction.MAX, True),
        (only(Reduction.MAX), Reduction.SUM, False),
    ],
)
def test_introducing_and_removing(change: Change, kind: Reduction, accepted: bool) -> None:
    without, with_axis = unreduced(""), unreduced("x", kind)
    introduced = check_unreduced([without], [with_axis], [SQUARE, SQUARE], change, NEVER)
    removed = check_unreduced([with_axis], [without], [SQUARE, SQUARE], NEVER, change)
    assert (introduced is None) == (removed is None) == accepted


# Propagation edges -----------------------------------------------------------------------------------


def operand(index: int) -> EdgeValueRef:
    return EdgeValueRef(EdgeNode.OPERAND, index)


def one_step(index: int, source: EdgeValueRef, *targets: EdgeValueRef) -> PropagationOneStep:
    return PropagationOneStep(index, (AxisToPropagationDetails(AxisRef("x"), source, targets),))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((one_step(0, operand(0), operand(1)), one_step(4, operand(0), operand(1))), None),
        ((one_step(-1, operand(0), operand(1)),), "the negative step -1"),
        ((one_step(0, operand(0), operand(1)), one_step(0, operand(0), operand(2))), "step 0 twice"),
        ((one_step(0, operand(0), operand(0)),), "from operand-0 to itself"),
        ((one_step(0, operand(0), operand(1), operand(1)),), "a target twice"),
    ],
)
def test_built_edges(steps: tuple[PropagationOneStep, ...], message: str | None) -> None:
    found = check_built(PropagationEdges(steps))
    assert found is None if message is None else message in (found or "")
