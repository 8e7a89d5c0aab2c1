"""One visit of one op: what comes out for which shardings (spec: propagation, 4, 5, 6 and 18)."""

from __future__ import annotations

import pytest

from sdy.passes.propagation.engine.strategy import Direction, FactorStrategy
from tests.unit.passes.propagation.propagation_notation import visit

BASIC, AGGRESSIVE = FactorStrategy
NONE, FORWARD, BACKWARD, BOTH = Direction.NONE, Direction.FORWARD, Direction.BACKWARD, Direction.BOTH
ADD = "([i,j],[i,j])->([i,j]) {i=8, j=8}"
DOT = "([i,k],[k,j])->([i,j]) {i=16, j=4, k=8} reduction={k}"
TANH = "([i,j])->([i,j]) {i=8, j=8}"
TRANSPOSE = "([i,j])->([j,i]) {i=8, j=8}"


@pytest.mark.parametrize("strategy", FactorStrategy)
@pytest.mark.parametrize(
    ("rule", "before", "updates"),
    [
        # Nothing to pass on, and nothing that anyone lacks.
        (ADD, "-; -; -", ""),
        (ADD, "[{a,?},{?}]; [{a,?},{?}]; [{a,?},{?}]", ""),
        (ADD, "[{?},{?}] replicated a; -; -", ""),
        ("([],[])->([])", "[] replicated a; -; -", ""),
        # Forward, backward, sideways, along the factors of the rule.
        (ADD, "[{a,?},{?}]; -; -", "1: [{a,?},{?}]; 2: [{a,?},{?}]"),
        (ADD, "-; -; [{a},{b}]", "0: [{a,?},{b,?}]; 1: [{a,?},{b,?}]"),
        (TRANSPOSE, "[{a,?},{b,?}]; -", "1: [{b,?},{a,?}]"),
        (DOT, "[{a,?},{b,?}]; -; -", "1: [{b,?},{?}]; 2: [{a,?},{?}]"),
        (DOT, "-; -; [{a,?},{b,?}]", "0: [{a,?},{?}]; 1: [{?},{b,?}]"),
        # A blocked factor.
        (ADD + " blocked_propagation={i}", "[{a,?},{b,?}]; -; -", "1: [{?},{b,?}]; 2: [{?},{b,?}]"),
        # What is updated loses its priorities, what is not keeps them.
        (ADD, "[{a,?}p1,{?}]; [{a,?},{b,?}p2]; -", "0: [{a,?},{b,?}]; 2: [{a,?},{b,?}]"),
        # Replicated and unreduced axes stay with their tensor.
        (TANH, "[{a,?},{?}]; [{?},{?}] replicated b unreduced c", "1: [{a,?},{?}] replicated b unreduced c"),
        # Tensors that disagree have a common prefix (E16).
        (ADD, "[{a,b,?},{?}]; [{a,c,?},{?}]; -", "2: [{a,?},{?}]"),
    ],
)
def test_both_strategies(strategy: FactorStrategy, rule: str, before: str, updates: str) -> None:
    assert visit(rule, before, strategy=strategy) == updates


@pytest.mark.parametrize(
    ("rule", "before", "basic", "aggressive"),
    [
        # A tensor that cannot follow holds up all others, or only itself (E17).
        ("([i,j],[i,j],[i,j])->([i,j]) {i=8, j=8}", "[{a,b,?},{?}]; [{a},{?}]; -; -", "2: [{a,?},{?}]; 3: [{a,?},{?}]",
         "2: [{a,b,?},{?}]; 3: [{a,b,?},{?}]"),
        (TANH, "[{a,?},{?}]; [{},{?}]", "", ""),
        # Replicated axes block (E16).
        (ADD, "[{a,b,?},{?}]; [{?},{?}] replicated b; -", "1: [{a,?},{?}] replicated b; 2: [{a,?},{?}]",
         "1: [{a,?},{?}] replicated b; 2: [{a,b,?},{?}]"),
        # Two factors that want one axis: the larger tensor wins (E13).
        (DOT, "[{a,?},{?}]; [{?},{a,?}]; -", "", "2: [{a,?},{?}]"),
        # On an op that is not elementwise, ties go to the first tensor.
        (ADD, "[{?},{a,?}]; [{a,b,?},{?}]; -", "", "2: [{?},{a,?}]"),
    ],
)  # fmt: skip
def test_where_strategies_differ(rule: str, before: str, basic: str, aggressive: str) -> None:
    assert visit(rule, before) == basic
    assert visit(rule, before, strategy=AGGRESSIVE) == aggressive


def test_elementwise_ops_prefer_more_shards() -> None:
    """E14: the sizes of the tensors are equal, so the factor with more shards is served first."""
    before = "[{a,?},{?}]; [{?},{a,b,?}]; -"
    assert visit(ADD, before, strategy=AGGRESSIVE, elementwise=True, sizes={"a": 2, "b": 4}) == "2: [{?},{a,b,?}]"
    assert visit(ADD, before, strategy=AGGRESSIVE, sizes={"a": 2, "b": 4}) == "2: [{a,?},{?}]"


def test_results_stop_elementwise_operands() -> None:
    """E15: an operand gets no axis from its neighbour that the result cannot take."""
    rule, before = "([i],[i])->([i]) {i=8}", "[{a,b,?}]; -; [{a}]"
    assert visit(rule, before, strategy=AGGRESSIVE, elementwise=True) == "1: [{a,?}]"
    assert visit(rule, before, strategy=AGGRESSIVE) == "1: [{a,b,?}]"
    closed = "[{?},{a,?}]; -; [{},{}]"
    assert visit(DOT, closed, strategy=AGGRESSIVE) == "1: [{a,?},{?}]"


@pytest.mark.parametrize(
    ("direction", "updates"),
    [(NONE, ""), (FORWARD, "1: [{a,?},{b,?}]"), (BACKWARD, ""), (BOTH, "1: [{a,?},{b,?}]")],
)
def test_directions(direction: Direction, updates: str) -> None:
    assert visit(TANH, "[{a,?},{b,?}]; [{a,?},{?}]", directions=direction) == updates


def test_the_other_side_only_shortens() -> None:
    """E18: what the results have more than the operands does not go back against the direction."""
    before = "[{a,?},{?}]; [{a,b,?},{c,?}]"
    assert visit(TANH, before, directions=FORWARD) == ""
    assert visit(TANH, before, directions=BACKWARD) == "0: [{a,b,?},{c,?}]"
    assert visit(TANH, before, directions=(BACKWARD, NONE)) == "0: [{a,b,?},{?}]"


@pytest.mark.parametrize(
    ("rule", "before", "updates", "sizes"),
    [
        # An axis is split where a factor is full (E2).
        ("([ij])->([i,j]) {i=4, j=4}", "[{a,b,?}]; -", "1: [{a:(1)4,?},{a:(4)2,b,?}]", {"a": 8, "b": 2}),
        # Axes that do not divide overflow: nothing behind them can be handed on (E3).
        ("([ij])->([i,j]) {i=2, j=9}", "[{b,a,?}]; -", "1: [{b,?},{a,?}]", {"a": 3, "b": 2}),
        ("([ij])->([i,j]) {i=2, j=9}", "[{a,b,?}]; -", "", {"a": 3, "b": 2}),
        # Backward, a factor that is only partly used ends its dimension (E4).
        ("([i,j])->([ij]) {i=4, j=8}", "[{a,?},{b,?}]; -", "1: [{a,?}]", {"a": 2, "b": 4}),
        ("([i,j])->([ij]) {i=4, j=8}", "[{b,?},{a,?}]; -", "1: [{b,a,?}]", {"a": 2, "b": 4}),
        # A factor that is not the last one takes the divisor that it shares with the axis (E5).
        ("([i,j])->([ij]) {i=2, j=8}", "[{a,?},{?}]; -", "1: [{a:(1)2,?}]", {"a": 4, "b": 6}),
        ("([i,j])->([ij]) {i=4, j=8}", "[{b,?},{?}]; -", "1: [{b:(1)2,?}]", {"a": 4, "b": 6}),
        ("([i,j])->([ij]) {i=4, j=8}", "[{?},{b,?}]; -", "", {"a": 4, "b": 6}),
        # It takes no more axes than it has elements for.
        ("([ij])->([i,j]) {i=2, j=4}", "[{?}]; [{a,b,?},{?}]", "0: [{a,?}]", {"a": 2, "b": 2}),
        # Behind an overflow the next factor is closed, later ones are as if the tensor did not have them (E6).
        ("([ijk],[k])->([k]) {i=4, j=2, k=2}", "[{c,?}]; [{a,?}]; -", "2: [{a,?}]", {"a": 2, "c": 3}),
        ("([ij],[j])->([j]) {i=4, j=2}", "[{c,?}]; [{a,?}]; -", "", {"a": 2, "c": 3}),
        # Sub-axes (E25).
        (ADD, "[{a:(1)2,?},{?}]; [{a:(1)4,b,?},{?}]; -", "0: [{a:(1)4,b,?},{?}]; 2: [{a:(1)4,b,?},{?}]",
         {"a": 8, "b": 2}),
        (ADD, "[{a,?},{?}]; [{?},{a:(4)2,?}]; -", "1: [{a:(1)4,?},{a:(4)2,?}]; 2: [{a:(1)4,?},{?}]",
         {"a": 8, "b": 2}),
        # Parts of an axis that meet in one dimension are written as one.
        ("([i,j])->([ij]) {i=2, j=4}", "[{a:(1)2,?},{a:(2)2,?}]; -", "1: [{a:(1)4,?}]", {"a": 8}),
    ],
)  # fmt: skip
def test_several_factors(rule: str, before: str, updates: str, sizes: dict[str, int]) -> None:
    assert visit(rule, before, sizes=sizes) == updates


def test_aggressive_fills_the_result_where_an_operand_is_blocked() -> None:
    """E25: the result may take all of an axis of which one operand has a part elsewhere."""
    before = "[{a,?},{?}]; [{?},{a:(4)2,?}]; -"
    found = visit(ADD, before, strategy=AGGRESSIVE, elementwise=True, sizes={"a": 8, "b": 2})
    assert found == "1: [{a:(1)4,?},{a:(4)2,?}]; 2: [{a,?},{?}]"


@pytest.mark.parametrize("strategy", FactorStrategy)
def test_conservative_ops_split_no_axes(strategy: FactorStrategy) -> None:
    rule, sizes = "([ij])->([i,j]) {i=4, j=4}", {"a": 8, "b": 2}
    assert visit(rule, "[{a,b,?}]; -", strategy=strategy, conservative=True, sizes=sizes) == ""
    assert visit(rule, "[{b,?}]; -", strategy=strategy, conservative=True, sizes=sizes) == "1: [{b,?},{?}]"


@pytest.mark.parametrize(
    ("before", "updates"),
    [
        # Equal meshes are interchangeable; the first name is written (E19).
        ("[{a,?}]; [{?}] @twin; -", "1: [{a,?}]; 2: [{a,?}]"),
        ("[{?}] @twin; [{a,?}]; -", "0: [{a,?}] @twin; 2: [{a,?}] @twin"),
        # A mesh without axes takes part without counting.
        ("[{?}] @empty; [{a,?}]; -", "0: [{a,?}]; 2: [{a,?}]"),
        # Another order of devices, or a single device: nothing moves.
        ("[{a,?}]; [{a,?}] @other; -", ""),
        ("[{a,?}]; -; [] @single", ""),
    ],
)
def test_meshes(before: str, updates: str) -> None:
    assert visit("([i],[i])->([i]) {i=8}", before) == updates


def test_nothing_is_written_that_is_there_already() -> None:
    """What does not fit the dimension as a whole leaves the tensor as it was, even if a factor of it changed."""
    rule = "([i,j],[ij])->([k]) {i=4, j=8, k=1}"
    assert visit(rule, "[{a,?},{b,?}]; [{a,?}]; -", sizes={"a": 2, "b": 4}) == ""
