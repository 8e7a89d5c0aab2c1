"""The plan of a reshard: worked examples, fallbacks, and what every plan must hold to."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdy.dialect.values.axes import AxisRef, gather, merged, slice_
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import DYNAMIC
from sdy.passes.partitioning.reshard_planning import reshard_search
from sdy.passes.partitioning.reshard_planning.reshard_plan import (
    AllGather,
    AllSlice,
    AllToAll,
    CollectivePermute,
    CollectiveStep,
    DimAxes,
    Plan,
    fit,
    shard_counts,
)
from sdy.passes.partitioning.reshard_planning.reshard_search import cheapest_plan, plan_reshard, sent_elements
from tests.unit.notation import axis

MESH = Mesh.of(x=2, y=4, z=2, w=2)
CUBE = Mesh.of(x=2, y=2, z=2)


def dims(text: str) -> DimAxes:
    """Axes per dimension from ``{x, y:(1)2} {}``."""
    return tuple(tuple(map(axis, filter(None, body.split(", ")))) for body in re.findall(r"{(.*?)}", text))


def show(step: CollectiveStep) -> str:
    def text(axis_lists: DimAxes) -> str:
        return " ".join("{" + ", ".join(str(a).replace('"', "") for a in lst) + "}" for lst in axis_lists)

    if isinstance(step, AllSlice):
        return f"slice {text(step.axes)}"
    if isinstance(step, AllGather):
        return f"gather {text(step.axes)}"
    if isinstance(step, AllToAll):
        return f"move {text((step.axes,))} {step.source}->{step.target}"
    return f"permute {text(step.after)}"


def plan_text(mesh: Mesh, source: str, target: str, shape: tuple[int, ...], *, changes_mesh: bool = False) -> list[str]:
    return [show(s) for s in plan_reshard(dims(source), dims(target), shape, mesh, changes_mesh=changes_mesh)]


@pytest.mark.parametrize(
    ("source", "target", "steps"),
    [
        ("{x} {z}", "{z} {x}", ["permute {z} {x}"]),
        ("{x} {y}", "{y} {x}", ["permute {y:(1)2} {x, y:(2)2}", "move {y:(2)2} 1->0"]),
        ("{x} {y}", "{z} {x}", ["permute {z} {x, y:(2)2}", "gather {} {y:(2)2}"]),
        ("{x} {}", "{} {x, z}", ["slice {z} {}", "move {x, z} 0->1"]),
        ("{x} {}", "{y, x} {}", ["slice {y} {}", "permute {y, x} {}"]),
        ("{x, z} {}", "{} {z, x}", ["permute {z, x} {}", "move {z, x} 0->1"]),
        ("{y} {}", "{x} {y:(2)2}", ["slice {} {x}", "permute {x, y:(1)2} {y:(2)2}", "gather {y:(1)2} {}"]),
        (
            "{x, z} {y} {}",
            "{} {z} {x}",
            ["permute {y:(1)2, x} {z, y:(2)2} {}", "move {x} 0->2", "gather {y:(1)2} {y:(2)2} {}"],
        ),
        ("{x} {}", "{} {z}", ["slice {} {z}", "gather {x} {}"]),
    ],
)
def test_divisible_examples(source: str, target: str, steps: list[str]) -> None:
    assert plan_text(MESH, source, target, (64,) * len(dims(source))) == steps


@pytest.mark.parametrize(
    ("source", "target", "steps"),
    [
        ("{x, y} {}", "{y} {x}", ["gather {x, y} {}", "slice {y} {x}"]),
        ("{x, y} {}", "{z} {x, y}", ["move {x, y} 0->1", "slice {z} {}"]),
    ],
)
def test_a_dimension_whose_padding_changes_is_held_until_unsharded(source: str, target: str, steps: list[str]) -> None:
    assert plan_text(CUBE, source, target, (6, 8)) == steps


@pytest.mark.parametrize(
    ("mesh", "source", "target", "shape", "steps"),
    [
        # All that one dimension has for others is moved before anything is permuted again.
        (
            Mesh.of(x=2, y=3, z=6, w=2),
            "{} {} {w, x, z}",
            "{z:(1)2} {w, y, x} {}",
            (48, 8, 64),
            [
                "slice {} {y} {}",
                "permute {} {y} {z:(2)3, z:(1)2, w, x}",
                "move {w, x} 2->1",
                "move {z:(1)2} 2->0",
                "gather {} {} {z:(2)3}",
                "permute {z:(1)2} {w, y, x} {}",
            ],
        ),
        # Of an axis of which a part fits the rest is wanted elsewhere.
        (
            Mesh.of(x=6, y=4, z=2),
            "{} {z, y}",
            "{y} {x, z}",
            (8, 48),
            ["slice {x:(3)2} {x:(1)3}", "permute {y:(1)2} {x, z, y:(2)2}", "move {y:(2)2} 1->0"],
        ),
        # Axes for one of as many shards, of which each divides it.
        (MESH, "{z, w}", "{y}", (6,), ["permute {y}"]),
    ],
)
def test_axes_in_parts(mesh: Mesh, source: str, target: str, shape: tuple[int, ...], steps: list[str]) -> None:
    assert plan_text(mesh, source, target, shape) == steps


def test_another_device_order_takes_a_permute_in_between() -> None:
    plan = plan_reshard(dims("{x, y} {}"), dims("{x} {z}"), (8, 8), CUBE, changes_mesh=True)
    assert [show(s) for s in plan] == ["slice {} {z}", "permute {x, y} {z}", "gather {y} {}"]
    assert [s.on_target_mesh for s in plan] == [False, True, True]


def test_a_held_dimension_changes_mesh_without_reordering() -> None:
    steps = plan_text(CUBE, "{x, y} {}", "{y} {x}", (6, 8), changes_mesh=True)
    assert steps == ["permute {x, y} {}", "gather {x, y} {}", "slice {y} {x}"]


def test_a_dynamic_dimension_may_be_sliced_in_advance() -> None:
    assert plan_text(CUBE, "{x} {}", "{} {x, y}", (DYNAMIC, 8)) == ["slice {y} {}", "move {x, y} 0->1"]


@pytest.mark.parametrize(
    ("mesh", "source", "target", "steps"),
    [
        # No permute keeps the shard counts.
        (Mesh.of(x=3, y=4, z=2), "{x} {z}", "{z, y} {x}", ["gather {x} {z}", "slice {z, y} {x}"]),
        # The search would go in circles.
        (Mesh.of(x=2, y=6, z=4, w=6), "{x, z}", "{w, x, y}", ["gather {x, z}", "slice {w, x, y}"]),
        # The two sub-axes have no common factorisation.
        (Mesh.of(z=6), "{z:(1)2} {}", "{} {z:(1)3}", ["gather {z:(1)2} {}", "slice {} {z:(1)3}"]),
        # Nor have these, which do not overlap.
        (Mesh.of(z=6), "{z:(3)2} {}", "{} {z:(1)2}", ["gather {z:(3)2} {}", "slice {} {z:(1)2}"]),
    ],
)
def test_what_the_search_cannot_reach_is_gathered_and_sliced(
    mesh: Mesh, source: str, target: str, steps: list[str]
) -> None:
    assert plan_text(mesh, source, target, (mesh.size,) * len(dims(source))) == steps


def test_the_fallback_keeps_what_both_start_with() -> None:
    mesh = Mesh.of(x=2, y=6, z=8)
    source, target = "{x} {y:(3)2, y:(1)3} {z:(2)4}", "{x, y:(2)3} {} {}"
    steps = plan_text(mesh, source, target, (24, 12, 96))
    assert steps == ["gather {} {y:(3)2, y:(1)3} {z:(2)4}", "slice {y:(2)3} {} {}"]


def test_unreduced_axes_never_shard_a_dimension_meanwhile() -> None:
    plan = plan_reshard(dims("{x} {y}"), dims("{y} {}"), (8, 8), CUBE, unreduced=dims("{x}")[0])
    assert [show(s) for s in plan] == ["gather {x} {y}", "slice {y} {}"]


@pytest.mark.parametrize(
    ("source", "target", "steps", "saved"),
    [
        ("{z} {x} {}", "{x} {} {z}", ["move {z} 0->2", "move {x} 1->0"], 1 / 4),
        ("{x, y} {}", "{} {y, x}", ["move {y} 0->1", "move {x} 0->1"], 1 / 5),
        ("{} {x, y}", "{x} {}", ["move {x, y} 1->0", "gather {y} {}"], 0.1),
        # One collective is left as it is, and so are two that send hardly more.
        ("{x} {z}", "{z} {x}", ["permute {z} {x}"], 0),
        ("{x} {y}", "{y} {x}", ["permute {y:(1)2} {x, y:(2)2}", "move {y:(2)2} 1->0"], 0),
    ],
)
def test_a_sharding_in_between_sends_fewer_bytes(source: str, target: str, steps: list[str], saved: float) -> None:
    start, shape = dims(source), (64,) * len(dims(source))
    plan = cheapest_plan(start, dims(target), shape, MESH)
    assert [show(step) for step in plan] == steps
    before = sent_elements(plan_reshard(start, dims(target), shape, MESH), start, shape, MESH)
    assert sent_elements(plan, start, shape, MESH) <= (1 - saved) * before


def test_the_cheapest_plan_keeps_unreduced_axes_out() -> None:
    plan = cheapest_plan(dims("{x} {y}"), dims("{y} {}"), (8, 8), CUBE, unreduced=dims("{x}")[0])
    assert [show(step) for step in plan] == ["gather {x} {}", "move {y} 1->0"]


def test_fit_splits_an_axis_that_is_larger_than_the_capacity() -> None:
    sizes = MESH.axis_sizes
    assert fit(AxisRef("y"), 2, sizes) == (AxisRef.sub("y", 1, 2), AxisRef.sub("y", 2, 2), 1)
    assert fit(AxisRef("x"), 6, sizes) == (AxisRef("x"), None, 3)
    assert fit(AxisRef("y"), 6, sizes) is None
    assert fit(AxisRef("x"), 1, sizes) is None


# Properties --------------------------------------------------------------------------------------


@st.composite
def shardings(draw: st.DrawFn, mesh: Mesh, rank: int) -> DimAxes:
    """A valid assignment of axes, whole or cut in two, to dimensions."""
    parts: list[AxisRef] = []
    for each in mesh.axes:
        divisors = [d for d in range(2, each.size) if each.size % d == 0]
        cut = draw(st.sampled_from([0, *divisors]))
        if cut:
            parts += [AxisRef.sub(each.name, 1, cut), AxisRef.sub(each.name, cut, each.size // cut)]
        else:
            parts.append(AxisRef(each.name))
    out: list[list[AxisRef]] = [[] for _ in range(rank)]
    for part in draw(st.permutations(parts)):
        dim = draw(st.integers(-1, rank - 1))
        if dim >= 0:
            out[dim].append(part)
    return tuple(merged(axis_list, mesh.axis_sizes) for axis_list in out)


@st.composite
def reshards(draw: st.DrawFn) -> tuple[DimAxes, DimAxes, tuple[int, ...], Mesh]:
    sizes = draw(st.lists(st.sampled_from([2, 3, 4, 6, 8]), min_size=1, max_size=4))
    mesh = Mesh(tuple(MeshAxis("xyzw"[i], size) for i, size in enumerate(sizes)))
    rank = draw(st.integers(1, 3))
    dim_size = st.sampled_from([1, 3, 6, 8, 24, mesh.size, DYNAMIC])
    shape = tuple(draw(dim_size) for _ in range(rank))
    return draw(shardings(mesh, rank)), draw(shardings(mesh, rank)), shape, mesh


def replay(source: DimAxes, plan: Plan, mesh: Mesh) -> DimAxes:
    """The axes after `plan`, from what its steps say they do; checks that each step gives what it says."""
    now = list(source)
    for step in plan:
        if isinstance(step, AllSlice):
            now = [slice_(axes, added, mesh.axis_sizes) for axes, added in zip(now, step.axes, strict=True)]
        elif isinstance(step, AllGather):
            left = [gather(axes, removed, mesh.axis_sizes) for axes, removed in zip(now, step.axes, strict=True)]
            assert None not in left
            now = [axes for axes in left if axes is not None]
        elif isinstance(step, AllToAll):
            rest = gather(now[step.source], step.axes, mesh.axis_sizes)
            assert rest is not None
            now[step.source] = rest
            now[step.target] = slice_(now[step.target], step.axes, mesh.axis_sizes)
        else:
            assert isinstance(step, CollectivePermute)
            assert shard_counts(now, mesh.axis_sizes) == shard_counts(step.after, mesh.axis_sizes)
            now = list(step.after)
        assert tuple(now) == step.after
    return tuple(now)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(reshards(), st.booleans())
def test_replaying_a_plan_gives_the_target(
    reshard: tuple[DimAxes, DimAxes, tuple[int, ...], Mesh], changes_mesh: bool
) -> None:
    source, target, shape, mesh = reshard
    plan = plan_reshard(source, target, shape, mesh, changes_mesh=changes_mesh)
    assert replay(source, plan, mesh) == target
    on_target = [not changes_mesh, *(step.on_target_mesh for step in plan)]
    assert on_target[-1] and on_target == sorted(on_target)


@settings(max_examples=100, deadline=None)
@given(reshards())
def test_the_cheapest_plan_gives_the_target_and_sends_at_most_as_much(
    reshard: tuple[DimAxes, DimAxes, tuple[int, ...], Mesh],
) -> None:
    source, target, shape, mesh = reshard
    plan, reference = cheapest_plan(*reshard), plan_reshard(*reshard)
    assert replay(source, plan, mesh) == target
    if DYNAMIC in shape:
        assert plan == reference
    else:
        assert sent_elements(plan, source, shape, mesh) <= sent_elements(reference, source, shape, mesh)


@settings(max_examples=100, deadline=None)
@given(reshards())
def test_easy_plans_are_short(reshard: tuple[DimAxes, DimAxes, tuple[int, ...], Mesh]) -> None:
    source, _, shape, mesh = reshard
    assert plan_reshard(source, source, shape, mesh) == ()
    nothing = ((),) * len(source)
    if any(source):
        assert plan_reshard(source, nothing, shape, mesh) == (AllGather(nothing, True, source),)
        assert plan_reshard(nothing, source, shape, mesh) == (AllSlice(source, True, source),)


def test_no_plan_sends_less_than_devices_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of uneven parts, too: what is not planned for it would not have sent less."""
    random = Random(1)
    lacked, find = reshard_search._lacked, cheapest_plan.__wrapped__
    for _ in range(400):
        mesh, rank = Mesh.of(**{name: random.choice((2, 3, 4)) for name in "abc"}), random.randint(1, 3)
        source, target = (_random_axes(random, rank) for _ in range(2))
        shape = tuple(random.choice((1, 2, 5, 6, 8, 12, 13, 24)) for _ in range(rank))
        sent = []
        for bound in (lacked, lambda *_: -1.0):
            monkeypatch.setattr(reshard_search, "_lacked", bound)
            sent.append(sent_elements(find(source, target, shape, mesh), source, shape, mesh))
        assert sent[0] <= sent[1] * (1 + 1e-9), (source, target, shape, mesh)


def _random_axes(random: Random, rank: int) -> DimAxes:
    found: list[list[AxisRef]] = [[] for _ in range(rank)]
    for name in random.sample("abc", random.randint(0, 3)):
        random.choice(found).append(AxisRef(name))
    return tuple(map(tuple, found))
