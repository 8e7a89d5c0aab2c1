"""Short text for axes and shardings in tables of vectors: ``x``, ``x:(2)3``, ``x y:(1)2``."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from sdy.dialect.values.axes import AxisList, AxisRef


def axis(text: str) -> AxisRef:
    """``x`` or ``x:(pre)size``."""
    match = re.fullmatch(r"(\w+)(?::\((\d+)\)(\d+))?", text)
    assert match, text
    name, pre, size = match.groups()
    return AxisRef(name) if pre is None else AxisRef.sub(name, int(pre), int(size))


def maybe(text: str) -> AxisRef | None:
    """An axis, or None for ``-``."""
    return None if text == "-" else axis(text)


def axis_list(text: str) -> AxisList:
    """Axes separated by spaces."""
    return tuple(axis(part) for part in text.split())


# For properties ---------------------------------------------------------------------------------

SIZES = {"x": 24, "y": 16, "z": 2}


def divisors(size: int) -> list[int]:
    return [d for d in range(1, size + 1) if size % d == 0]


@st.composite
def sub_axes(draw: st.DrawFn, name: str, *, full: bool = True) -> AxisRef:
    """An axis reference that the verifier accepts: the full axis, or a sub-axis whose borders divide it."""
    whole = SIZES[name]
    if full and draw(st.booleans()):
        return AxisRef(name)
    pre = draw(st.sampled_from([d for d in divisors(whole) if d < whole]))
    size = draw(st.sampled_from([d for d in divisors(whole // pre) if d > 1]))
    return AxisRef(name) if size == whole else AxisRef.sub(name, pre, size)


axis_refs = st.sampled_from(sorted(SIZES)).flatmap(lambda name: sub_axes(name))
"""Any axis of the test mesh, or a part of one."""


def digits(axis_ref: AxisRef) -> set[tuple[str, int, int]]:
    """The axis as a set of steps between neighbouring borders on the chain 1 | 2 | 4 | 8 | ... of a power of two.

    Only for axes whose size is a power of two: there any two sub-axes can coexist, and set arithmetic on these steps
    is what axis arithmetic has to agree with.
    """
    low, high = axis_ref.pre_size, axis_ref.next_pre_size(SIZES)
    steps = set()
    while low < high:
        steps.add((axis_ref.name, low, 2 * low))
        low *= 2
    return steps


power_of_two_axes = st.sampled_from(["y", "z"]).flatmap(lambda name: sub_axes(name))


@st.composite
def disjoint_lists(draw: st.DrawFn) -> AxisList:
    """A list of axes, some cut into parts, none overlapping, in any order, no neighbours that could be one."""
    parts: list[AxisRef] = []
    for name, whole in SIZES.items():
        pre = 1
        while pre < whole and draw(st.booleans()):
            size = draw(st.sampled_from([d for d in divisors(whole // pre) if d > 1]))
            parts.append(AxisRef(name) if size == whole else AxisRef.sub(name, pre, size))
            pre *= size
    out: list[AxisRef] = []
    for part in draw(st.permutations(parts)):
        if not (out and out[-1].can_merge(part)):
            out.append(part)
    return tuple(out)
