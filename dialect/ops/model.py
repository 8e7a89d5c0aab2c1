"""Models of ops: the facts that sharding needs, and the intervals of operands that a result needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

import numpy as np

from sdy.dialect.ops.op_signature import OpSignature
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import Reduction
from sdy.lazy_dataclass import dataclass, lazy_pattern
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import is_tensor
from sdy.mlir.users_code import declared
from sdy.stablehlo.ops.attribute_writers import i64_array

if TYPE_CHECKING:
    from sdy.dialect.lowering.layout import Layout
    from sdy.dialect.lowering.local_op import LocalOp
    from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp


@dataclass(frozen=True)
class Window:
    """Windows by which elements of the results read operand 0 along a dimension.

    Attributes:
      source_dim: the dimension of operand 0.
      result_dim: the dimension of the results.
      size: positions that a window reads, `window_dilation` apart.
      made: elements of the results, whose windows begin `stride` positions apart.
      low: positions before the first element, `source_dilation` of which lie between two elements.
      high: positions behind the last element.
      kernel_dim: the dimension of operand 1 that has an element for each position of a window; None for none.
      is_reversed: the last element of the kernel meets the first position.
    """

    source_dim: int
    result_dim: int
    size: int
    made: int
    _: KW_ONLY
    low: int = 0
    high: int = 0
    stride: int = 1
    source_dilation: int = 1
    window_dilation: int = 1
    kernel_dim: int | None = None
    is_reversed: bool = False

    @property
    def is_trivial(self) -> bool:
        """Return whether the windows are the single elements, in order."""
        return (self.size, self.stride, self.low, self.source_dilation) == (1, 1, 0, 1)

    @property
    def is_whole(self) -> bool:
        """Return whether the only window is the dimension, in order, as in a matrix product."""
        steps = (self.stride, self.source_dilation, self.window_dilation)
        return self.made == 1 and steps == (1, 1, 1) and not (self.low or self.high or self.is_reversed)

    @property
    def span(self) -> int:
        """Positions from the first to the last that a window reads, both included."""
        return (self.size - 1) * self.window_dilation + 1


def element_windows(
    op: ir.Operation, lows: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[Window]:
    """Return the windows of one position, in the dimensions of the only result, of an op that moves elements."""
    made = op.results[0].type.shape
    return [
        Window(dim, dim, 1, made[dim], low=lows[dim], stride=strides[dim], source_dilation=dilations[dim])
        for dim in range(len(made))
    ]


def write_windows(op: ir.Operation, windows: Sequence[Window], source_dilation: str, window_dilation: str) -> None:
    """Write windows to the attributes of a StableHLO op, which has a number for each; defaults stay unsaid."""
    steps = {
        "window_strides": [window.stride for window in windows],
        source_dilation: [window.source_dilation for window in windows],
        window_dilation: [window.window_dilation for window in windows],
    }
    for name, numbers in steps.items():
        if name in op.attributes or any(number != 1 for number in numbers):
            op.attributes[name] = i64_array(numbers)
    padding = [(window.low, window.high) for window in windows]
    if "padding" in op.attributes or any(map(any, padding)):
        op.attributes["padding"] = ir.DenseIntElementsAttr.get(np.array(padding, dtype=np.int64))


_FULL_NAME = lazy_pattern(r"[a-zA-Z_][\w$]*(\.[\w$-]+)+")
CUSTOM_CALL = "stablehlo.custom_call"
COMPOSITE = "stablehlo.composite"

FAMILIES: dict[str, tuple[str, ...]] = {
    "constants": (),
    "contraction": (),
    "control_flow": (),
    "elementwise": (),
    "reduction": (),
    "reshape": (),
    "sdy_collectives": (),
    "collectives": (
        *(f"stablehlo.{name}" for name in "all_gather all_reduce all_to_all collective_broadcast".split()),
        *(f"stablehlo.{name}" for name in "collective_permute cross-replica-sum reduce_scatter".split()),
    ),
    "composite": ("stablehlo.composite",),
    "convolution": ("stablehlo.convolution",),
    "custom_calls": (CUSTOM_CALL,),
    "gather_scatter": ("stablehlo.gather", "stablehlo.scatter"),
    "linalg": (
        *(f"stablehlo.{name}" for name in "batch_norm_inference cholesky fft triangular_solve".split()),
        CUSTOM_CALL,
    ),
    "random": ("stablehlo.rng", "stablehlo.rng_bit_generator"),
    "scan": ("chlo.scan",),
    "slicing": tuple(
        f"stablehlo.{name}" for name in "concatenate dynamic_slice dynamic_update_slice pad reverse slice".split()
    ),
    "sorting": ("chlo.top_k", CUSTOM_CALL, "stablehlo.sort"),
    "windows": ("stablehlo.reduce_window", "stablehlo.select_and_scatter"),
}
"""Files of `sdy.dialect.ops`: each is loaded for the first op of these names, those without names for the first op."""

TARGETS = {CUSTOM_CALL: "call_target_name", COMPOSITE: "name"}
"""Ops that do what a name says: the attribute that holds it."""

LayoutOf = Callable[[ir.Value], "Layout"]
"""Gives the layout of a value."""

Attributes = dict[str, ir.Attribute]
"""Attributes that change, by name."""

Key = tuple[str, str | None]
"""The full name of an op, and the name of its target; None for any target."""


class ProductSize(NamedTuple):
    """Size of a contraction: rows of the result, its elements, and products added up in each element."""

    rows: int
    elements: int
    depth: int


class OpModel:
    """Model of an op for sharding; one object serves all ops of its names.

    Attributes:
      follows_rule: `localize` sees operands and results laid out as the rule demands.
      partial_results: as `follows_rule`, and axes may stay on reduction factors: `localize` combines the results.
      reduction: how the devices' results are combined if a reduction factor is sharded: "sum", "max" or "min".
      is_idle: the op is the same on each device, whatever its operands are.
      grows_alike: the op on padded operands gives the padded results, whatever they are.
      is_elementwise: each element of the results depends on elements of the operands at the same place only.
      padding_value: the number at positions of windows that hold no element; None for the op's own init values.
    """

    follows_rule: ClassVar[bool] = False
    partial_results: ClassVar[bool] = False
    reduction: ClassVar[Reduction | str] = Reduction.SUM
    is_idle: ClassVar[bool] = False
    grows_alike: ClassVar[bool] = False
    is_elementwise: ClassVar[bool] = False
    padding_value: ClassVar[complex | None] = 0

    # Propagation ---------------------------------------------------------------------------------

    def rule(self, op: OpSignature) -> ShardingRule | str | None:
        """Return the sharding rule, or its text in the notation of einsum or of `#sdy.op_sharding_rule`."""
        del op
        return None

    def extension_rule(self, op: OpSignature) -> ShardingRule | None:
        """Return the rule that the partitioner uses where the reference has none, or a less strict one."""
        del op
        return None

    # Which dimensions each device needs as a whole -----------------------------------------------

    def rule_of_devices(self, op: ir.Operation, rule: ShardingRule) -> ShardingRule:
        """Return `rule` without permutation factors along which devices are independent."""
        del op
        return rule

    def unshardable_factors(self, op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
        """Return the factors that must not be sharded although `rule` lets them pass through or reduces them."""
        del op, rule
        return frozenset()

    def groups_to_gather(self, op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf | None) -> frozenset[int]:
        """Return the factors to replicate besides permutation factors.

        Args:
          op: the op.
          rule: its rule.
          layout_of: the layouts of its values; None if the reference decides, which does not look at them.
        """
        del op, rule, layout_of
        return frozenset()

    def access(self, op: ir.Operation) -> Sequence[Window]:
        """Return the windows by which elements of the results read operand 0, one for each of its dimensions.

        Devices exchange the elements that their windows reach beyond their parts, instead of gathering the dimension.
        """
        del op
        return ()

    def set_windows(self, op: ir.Operation, windows: Sequence[Window]) -> None:
        """Let `op` read its operands through `windows`: those of `access` with other paddings and steps.

        Its operands are those of one device, with all elements in reach, its results those of one device. A model
        without this method has ops exchanged whose windows stay as they are: without padding and dilated elements.
        """

    def check_parts(self, op: ShardedOp) -> str | None:
        """Return why devices cannot compute parts with these layouts independently; None if they can.

        The default goes by the rule.
        """
        del op
        return None

    # The op on one device ------------------------------------------------------------------------

    def keeps_parts(self, op: ShardedOp) -> bool:
        """Return whether the op on parts, laid out as they are, gives the parts of the results."""
        del op
        return False

    def local_attributes(self, op: ShardedOp) -> Attributes:
        """Return the attributes that differ on one device's part, for layouts that fit.

        Raises:
          DiagnosticError: the attributes cannot be expressed for parts.
        """
        del op
        return {}

    def made_types(self, op: ShardedOp, types: tuple[ir.Type, ...]) -> tuple[ir.Type, ...]:
        """Return the result types of the op with its local attributes; `types` are the local ones."""
        del op
        return types

    def localize(self, op: LocalOp) -> None:
        """Make the op local, in place or by replacing it. Its operands are local, its results still global."""
        op.keep()

    # Uneven dimensions ---------------------------------------------------------------------------

    def grows(self, op: ShardedOp) -> bool:
        """Return whether the op on padded operands gives the padded results, without another change."""
        del op
        return self.grows_alike

    def pad(self, op: PadOp) -> None:
        """Pad the op, whose operands are padded, to results that their shardings divide.

        The default gives padded types to an elementwise op, and to one whose padded dimensions pass through; any other
        op is computed without padding.
        """
        op.compute_unpadded()

    # Algebra and cost ----------------------------------------------------------------------------

    def product_size(self, op: ir.Operation) -> ProductSize | None:
        """Return the size of a contraction on static shapes; None for other ops."""
        del op
        return None

    def work_share(self, op: ir.Operation) -> float:
        """Return the part of `product_size` that is computed."""
        del op
        return 1.0


Model = TypeVar("Model", bound=OpModel)

_built_in: dict[Key, OpModel] = {}
_users: dict[Key, list[OpModel]] = {}
"""Models declared outside of this package; a later model comes before an earlier one."""

_found: dict[tuple[str, str, str | None], OpModel | None] = {}
"""Results of `model_with` since the last declaration."""

_OWN = f"{__name__.rpartition('.')[0]}."


def op_model(
    *ops: str, custom_call: str | Iterable[str] = (), composite: str | Iterable[str] = ()
) -> Callable[[type[Model]], type[Model]]:
    """Declare the decorated subclass of `OpModel` to be the model of some ops.

    Its parts take precedence over the built-in model, which provides the parts it does not define.

    Args:
      ops: full names of ops.
      custom_call: targets of `stablehlo.custom_call`.
      composite: names of composites (`stablehlo.composite`).

    Returns:
      A decorator, which returns the class.

    Raises:
      ValueError: no op is named, one without its dialect, or there is no such reduction.
    """
    keys = keys_of(ops, custom_call, composite)

    def register(cls: type[Model]) -> type[Model]:
        model: OpModel = cls()
        if cls.__module__.startswith(_OWN):
            for key in keys:
                _built_in[key] = model
            return cls
        check_names("op_model", ops, keys)
        reduction_named(cls.reduction)
        add_model(keys, model)
        declared("op model", [name for name, _ in keys], tuple(keys), cls)
        return cls

    return register


def add_model(keys: Iterable[Key], model: OpModel) -> None:
    """Add a user's model, which takes precedence over all others of those ops."""
    for key in keys:
        _users.setdefault(key, []).append(model)
    forget_models()


def forget_models() -> None:
    """Look for the models of all ops anew."""
    _found.clear()
    for forget in _forgetting:
        forget()


def when_declared(forget: Callable[[], None]) -> None:
    """Call `forget` after each declaration, so that facts derived from models are computed again."""
    _forgetting.append(forget)


_forgetting: list[Callable[[], None]] = []


def has_users_model(name: str) -> bool:
    """Return whether users declared a model for some target of the ops of that name."""
    return any(key[0] == name and key[1] is not None for key in _users)


def keys_of(
    ops: Iterable[str], custom_call: str | Iterable[str] = (), composite: str | Iterable[str] = ()
) -> list[Key]:
    """Return the keys of ops and of targets."""
    keys: list[Key] = [(name, None) for name in ops]
    for op_name, targets in ((CUSTOM_CALL, custom_call), (COMPOSITE, composite)):
        keys += [(op_name, target) for target in ([targets] if isinstance(targets, str) else targets)]
    return keys


def check_names(what: str, ops: Iterable[str], keys: Iterable[Key]) -> None:
    """Raise `ValueError` if `what`, a decorator, names no op or one without its dialect."""
    if any(callable(name) for name in ops) or not list(keys):
        raise ValueError(f'say whose: {what}("dialect.op") or {what}(custom_call="target")')
    for name in ops:
        if not _FULL_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the full name of an op; {what}(custom_call={name!r}) names a target")


def reduction_named(kind: Reduction | str) -> Reduction:
    """Return the reduction of that keyword. Raises `ValueError` if there is none."""
    if isinstance(kind, Reduction):
        return kind
    known = {each.keyword: each for each in Reduction}
    if kind not in known:
        raise ValueError(f"unknown reduction {kind!r}; expected one of {', '.join(map(repr, known))}")
    return known[kind]


# Finding models ----------------------------------------------------------------------------------


def target_of(op: ir.Operation) -> str | None:
    """Return the name of the target of a custom call or composite; None for any other op."""
    name = op.name
    return op.attributes[TARGETS[name]].value if name in TARGETS else None


def model_with(part: str, name: str, target: str | None = None) -> OpModel | None:
    """Return the model that defines a part, a method of `OpModel`, for ops of that name and target.

    None if none does.
    """
    key = (part, name, target)
    if key not in _found:
        _found[key] = users_model_with(part, name, target) or _built_in_with(part, name, target)
    return _found[key]


def users_model_with(part: str, name: str, target: str | None = None) -> OpModel | None:
    """Return the model like `model_with`, among those that users declared."""
    if not _users:
        return None  # as in most programs, of which every op asks
    models = (model for key in _keys(name, target) for model in reversed(_users.get(key, ())))
    return next((model for model in models if _defines(model, part)), None)


def _built_in_with(part: str, name: str, target: str | None) -> OpModel | None:
    _load_families_of(name)
    models = (_built_in[key] for key in _keys(name, target) if key in _built_in)
    return next((model for model in models if _defines(model, part)), None)


def built_in_models() -> dict[Key, OpModel]:
    """Return the models of this package."""
    for family in FAMILIES:
        import_module(f"{_OWN}{family}")
    return dict(_built_in)


def ops_that_may_define(part: str) -> tuple[str, ...]:
    """Return the names of ops with a model that defines a part, and of all ops of families that are not loaded.

    Custom calls, whose models are in many families, are left out.
    """
    _load_families_of("")
    loaded = [name for name, target in list(_built_in) if target is None and name != CUSTOM_CALL]
    defined = [name for name in loaded if model_with(part, name) is not None]
    waiting = [names for family, names in FAMILIES.items() if f"{_OWN}{family}" not in sys.modules]
    return tuple(dict.fromkeys([*defined, *(name for names in waiting for name in names if name != CUSTOM_CALL)]))


def any_model(op: ir.Operation, part: str) -> OpModel:
    """Return the model that defines a part for `op`, or one with the default."""
    return model_with(part, op.name, target_of(op)) or _DEFAULT


_DEFAULT = OpModel()


def windows_of(op: ir.Operation) -> Sequence[Window]:
    """Return the windows by which elements of the results read operand 0.

    Raises:
      DiagnosticError: windows of a user's model do not fit the op.
    """
    windows = any_model(op, "access").access(op)
    if has_users_access(op):
        for window in windows:
            problem = _misfit(op, window)
            if problem is not None:
                raise DiagnosticError(op, f"has an op model with a window that {problem}: {window!r}")
    return windows


def has_users_access(op: ir.Operation) -> bool:
    """Return whether the windows of an op are those of a user's model."""
    return users_model_with("access", op.name, target_of(op)) is not None


def _misfit(op: ir.Operation, window: object) -> str | None:
    """Return how a window does not fit the types of an op; None if it does."""
    if not isinstance(window, Window):
        return "is not a sdy.Window"
    types = [value.type for value in (*list(op.operands)[:1], *op.results)]
    if len(types) < 2 or not all(map(is_tensor, types)):
        return "needs an operand and results that are ranked tensors"
    for type_, dim in zip(types, (window.source_dim, *[window.result_dim] * len(op.results)), strict=True):
        if not 0 <= dim < type_.rank:
            return f"has a dimension {dim}, which {type_} has not"
    have, made = types[0].shape[window.source_dim], {type_.shape[window.result_dim] for type_ in types[1:]}
    if made != {window.made}:
        return f"makes {window.made} elements where the results have {', '.join(map(str, sorted(made)))}"
    reach = (window.made - 1) * window.stride + window.span
    positions = window.low + (have - 1) * window.source_dilation + 1 + window.high
    return f"reaches {reach} of {positions} positions" if have > 0 and window.made > 0 and reach > positions else None


def product_size(op: ir.Operation) -> ProductSize | None:
    """Return the size of a contraction on static shapes; None for any other op."""
    model = model_with("product_size", op.name)
    return None if model is None else model.product_size(op)


def is_contraction(op: ir.Operation) -> bool:
    """Return whether an op adds up products: a matrix product or a convolution."""
    return model_with("product_size", op.name) is not None


def _keys(name: str, target: str | None) -> tuple[Key, ...]:
    return ((name, None),) if target is None else ((name, target), (name, None))


def _defines(model: OpModel, part: str) -> bool:
    return getattr(type(model), part) is not getattr(OpModel, part)


@cache
def _load_families_of(name: str) -> None:
    """Load the families of that op, and those with ops of any name: for `""` these alone."""
    for family, names in FAMILIES.items():
        if name in names if name else not names:
            import_module(f"{_OWN}{family}")
    if name:
        _load_families_of("")
