"""The passes and pipelines by name, their options, and how a pipeline is run.

A pass is a function on a module or on a function of it; `pass_` registers it under its upstream name. A pipeline is a
list of steps, or of named phases of them; `pipeline` registers the function that makes it. The pass `sdy-some-name` (or
`xla-sdy-some-name`) is searched for in the file that `SHARED_FILES` names, in a module `some_name` below `sdy.passes`,
and then in all modules: a new file needs no entry anywhere.

Its documentation is the docstring of the function if that begins with the pass name, up to a paragraph that begins with
`Spec:`, and that of the module otherwise.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from types import ModuleType
from typing import TypeVar, get_args, get_origin, get_type_hints

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.users_code import declared
from sdy.passes.options import make_options
from sdy.passes.steps import FUNCTION, MODULE, Phases, PipelineError, Step


@dataclass(frozen=True, slots=True)
class Pass:
    """A registered pass.

    `anchor` is the op it runs on: the module, each function of it, or either, as the pipeline nests it. `options` is a
    frozen dataclass whose fields are the options, or None. `is_built_in` marks passes of this package, which are tested
    to leave valid modules.
    """

    name: str
    anchor: str
    run: Callable[..., object]
    options: type | None
    aliases: tuple[str, ...] = ()
    is_built_in: bool = False

    @property
    def doc(self) -> str:
        """Return the docstring of its function, or of its module."""
        return _doc(self.run, self.name)

    @property
    def summary(self) -> str:
        """Return the first sentence of the documentation without the name."""
        return _summary(self.doc, self.name)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A registered pipeline; `build` makes its steps, or phases of steps, from its options."""

    name: str
    build: Callable[..., list[Step] | Phases]
    options: type | None

    @property
    def doc(self) -> str:
        """Return the docstring of its function, or of its module."""
        return _doc(self.build, self.name)

    @property
    def summary(self) -> str:
        return _summary(self.doc, self.name)


UNCHANGED = "unchanged"
"""Return value of a pass that left its op unchanged, so that verification is skipped."""


SHARED_FILES = {
    "executable.partitioner_calls": "resolve-partitioner-calls",
    "executable.unsupported_ops": "legalize-for-xla",
    "exporting.dialect_ops": "constant-or-scalar-merger remove-sharding-groups sharding-constraint-to-reshard "
    "sink-data-flow-edges sink-func-data-flow-edges",
    "exporting.function_calls": "insert-func-call-reshards propagate-to-func-results unflatten-call-graph",
    "exporting.sharding_attributes": "close-shardings drop-sharding-and-mesh drop-sharding-rules "
    "remove-propagation-debug-info remove-sub-axes-in-input-output-shardings "
    "update-non-divisible-input-output-shardings",
    "general.cleanup": "canonicalize inline symbol-dce",
    "general.debugging": "hlo-test-infer save-module",
    "general.stablehlo_simplification": "stablehlo-target-independent-optimization",
    "importing.calls": "add-data-flow-edges add-func-data-flow-edges distinguish-named-computations flatten-call-graph "
    "import-func-calls pre-order-funcs propagate-sharding-from-func-to-call",
    "importing.constraints": "apply-sharding-constraints sharding-group-import",
    "importing.meshes": "inline-meshes lift-inlined-meshes manual-axes-cleanup remove-size-one-axes",
    "interchange.exporting.export_ops": "capture-loop-invariants export-ops round-trip-export-ops "
    "stablehlo-round-trip-export-callback-custom-calls",
    "interchange.exporting.manual_reductions": "stablehlo-export-manual-reduction-collectives",
    "interchange.exporting.round_trip_shardings": "round-trip-export-shardy-attrs round-trip-shard-map-export",
    "interchange.exporting.stablehlo_shardings": "stablehlo-export-shardings stablehlo-round-trip-shard-map-export",
    "interchange.importing.import_ops": "import-constants import-sdy-custom-calls open-while-free-vars-sharding",
    "interchange.importing.sharding_texts": "import-shardings",
    "interchange.xla_pipeline": "round-trip-export-pipeline round-trip-import-pipeline stablehlo-export-pipeline "
    "stablehlo-import-pipeline",
    "mpmd.exporting.boundary": "mpmd-delay-inferred-fragments mpmd-delay-transfers-from-cpu "
    "mpmd-sink-create-token-into-fragments mpmd-uniquify-function-inputs-outputs",
    "mpmd.exporting.donation": "mpmd-mark-aliasing-and-donation mpmd-mark-fragment-reserved-memory",
    "mpmd.exporting.fragment_calls": "mpmd-lower-to-fragment-calls",
    "mpmd.exporting.memory_marks": "mpmd-mark-input-output-with-layouts mpmd-mark-offloaded-input-output",
    "mpmd.exporting.small_values": "mpmd-copy-constants mpmd-merge-transfers",
    "mpmd.exporting.validations": "mpmd-validate-no-backward-deps mpmd-validate-no-inferred-fragments "
    "mpmd-validate-no-param-transfers mpmd-validate-no-reshards",
    "mpmd.importing.heterogeneous_meshes": "mpmd-generate-sdy-meshes-from-topology",
    "mpmd.importing.inputs_and_outputs": "mpmd-introduce-transfers mpmd-map-input-output-to-mesh",
    "mpmd.importing.loops_and_calls": "mpmd-copy-topology-from-main mpmd-erase-unused-callee-block-arguments "
    "mpmd-from-unroll-to-call-counter mpmd-sink-negligible-ops-into-call-op mpmd-unroll-for-loops",
    "mpmd.importing.named_ops": "mpmd-inline-nested-user-exposed-ops mpmd-insert-nameless-clone-of-negligible-ops "
    "mpmd-map-named-ops-to-mpmd-ops mpmd-simplify-named-computations mpmd-validate-named-ops-in-mpmd-func",
    "mpmd.inference.finalizing": "mpmd-infer-mesh-finalize",
    "mpmd.inference.input_output_constraints": "mpmd-enforce-input-output-equisharding "
    "mpmd-infer-mesh-assign-using-input-output-constraints",
    "mpmd.inference.leaves": "mpmd-infer-mesh-assign-mesh-func-leaves",
    "mpmd.inference.populate_sets": "mpmd-infer-mesh-populate-src-set mpmd-infer-mesh-populate-use-set",
    "mpmd.inference.reductions": "mpmd-infer-mesh-convert-reduce-ops",
    "mpmd.inference.rewriting": "mpmd-infer-mesh-rewrite-using-analysis",
    "mpmd.inference.validation": "mpmd-infer-mesh-validate-no-additional-transfers-needed "
    "mpmd-infer-mesh-validate-src-set-not-empty",
    "mpmd.merging.absorb_inferred_fragments": "mpmd-absorb-inferred-fragments",
    "mpmd.merging.cleanup": "mpmd-fragment-dce mpmd-fragment-dedup mpmd-move-transfers-to-producer "
    "mpmd-remove-transfer-cycles mpmd-simplify-program",
    "mpmd.merging.merge_passes": "mpmd-call-inline mpmd-merge-forward-with-backward mpmd-merge-inferred-fragments "
    "mpmd-merge-user-fragments-into-scheduling-units",
    "mpmd.pipelines": "mpmd-export-pipeline mpmd-import-pipeline mpmd-infer-mesh-pipeline mpmd-optimize-pipeline "
    "mpmd-sharding-propagation-pipeline",
    "mpmd.propagating.extract_reshards": "mpmd-extract-reshards-from-inter-mesh-transfers",
    "mpmd.propagating.fragment_shardings": "mpmd-convert-sdy-constants mpmd-convert-sdy-shardings-to-mpmd-types "
    "mpmd-enforce-user-shardings mpmd-populate-unreduced-out-sharding",
    "mpmd.scheduling.backward": "mpmd-remat-fragment mpmd-split-bwd-fragments",
    "mpmd.scheduling.pipeline_schedules": "mpmd-pipeline-scheduler",
    "mpmd.scheduling.rule_passes": "mpmd-rule-based-merge mpmd-rule-based-schedule",
    "mpmd.scheduling.verifiers": "mpmd-scheduling-units-verifier mpmd-verify-stage-merging",
    "partitioning.resharding.optimize_collectives": "optimize-collectives remove-all-gather-reduce-scatter-for-cmv1",
    "partitioning.rewrites": "normalize-ops optimize-local-program place-reshards reduce-communication split-ops",
    "propagation.propagate": "aggressive-propagate basic-propagate op-priority-propagate populate-op-sharding-rules "
    "user-priority-propagate",
}
"""Files below this package that register several passes, whose names follow without their prefixes."""

_CALL, _CUSTOM_CALL = "func.call", "stablehlo.custom_call"
_WHILE = "stablehlo.while"

NEEDED_OPS: dict[str, tuple[str, ...]] = {
    # Import and export.
    "sdy-distinguish-named-computations": ("sdy.named_computation",),
    "sdy-flatten-call-graph": (_CALL,),
    "sdy-insert-func-call-reshards": (_CALL,),
    "sdy-manual-axes-cleanup": ("sdy.manual_computation",),
    "sdy-propagate-sharding-from-func-to-call": (_CALL,),
    "sdy-sharding-group-import": ("sdy.sharding_group",),
    "sdy-sink-func-data-flow-edges": ("sdy.func_data_flow_edge",),
    # Before propagation.
    "sdy-capture-loop-invariants": (_WHILE,),
    # Ops and collectives of the partitioner.
    "sdy-inline-calls": (_CALL,),
    "sdy-resolve-partitioner-calls": (_CUSTOM_CALL,),
    "sdy-convert-async": ("hlo_async.start", "stablehlo.async_start", "sdy.asynchronous"),
    # The program of one device.
    "sdy-legalize-for-xla": (
        *(f"stablehlo.{name}" for name in ("einsum", "fft", "scatter", "unary_einsum")),
        "chlo.mulhi",
    ),
}
"""Ops, or attributes of the module, without which a pass changes nothing.

A pipeline loads such a pass for the first program with one of them.
"""

_FILE_OF = {name: f"{__package__}.{file}" for file, names in SHARED_FILES.items() for name in names.split()}


_passes: dict[str, Pass] = {}
_pipelines: dict[str, Pipeline] = {}
_aliases: dict[str, str] = {}
_registered_names: list[str] = []


GROUPS = {
    "importing": "Import",
    "propagation": "Propagation",
    "exporting": "Export",
    "partitioning": "Partitioner",
    "executable": "Programs for XLA",
    "overlap": "Overlap of communication and computation",
    "interchange": "Conversion to and from XLA's shardings",
    "auto": "Automatic partitioning",
    "mpmd": "Programs of several meshes",
    "general": "Cleanup and debugging",
    "plugins": "Plugins",
}
"""Titles of the groups of passes, by the folder below this package; in the last are those of users."""


def groups() -> dict[str, list[Pass]]:
    """Return the passes of each group, in the order of `GROUPS`; empty groups are left out."""
    found: dict[str, list[Pass]] = {name: [] for name in GROUPS}
    for each in passes().values():
        folder = each.run.__module__.removeprefix(f"{__package__}.").partition(".")[0]
        found[folder if each.is_built_in else "plugins"].append(each)
    return {name: listed for name, listed in found.items() if listed}


def registrations() -> int:
    """Return the number of registrations by users; lookups by name stay valid while it does not change."""
    return len(_registered_names)


def pass_(
    name: str, *, on: str = MODULE, options: type | None = None, aliases: tuple[str, ...] = ()
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Registers the decorated function as pass `name`.

    The function takes the op (module or function) and, if `options` is given, an instance of it. It changes the op in
    place and raises `DiagnosticError` if it cannot; it may return `UNCHANGED`.
    """

    def register(function: Callable[..., object]) -> Callable[..., object]:
        is_built_in = function.__module__.startswith(f"{__package__}.")
        _passes[name] = Pass(name, on, function, options, aliases, is_built_in)
        _aliases.update(dict.fromkeys(aliases, name))
        if not is_built_in:
            _registered_names.append(name)
        declared("pass", [name, *aliases], function, on, options)
        return function

    return register


T = TypeVar("T")
Build = TypeVar("Build", bound=Callable[..., "list[Step] | Phases"])


def pipeline(name: str, *, options: type | None = None) -> Callable[[Build], Build]:
    """Register the decorated function, which returns steps or `Phases`, as pipeline `name`."""

    def register(function: Build) -> Build:
        _pipelines[name] = Pipeline(name, function, options)
        _registered_names.append(name)
        declared("pipeline", [name], function, options)
        return function

    return register


def step(
    name: str,
    *,
    on_func: bool = False,
    because: str = "",
    needs: tuple[str, ...] = (),
    gives: tuple[str, ...] = (),
    **options: object,
) -> Step:
    """Return a step of a pipeline, its contract, and its options by field name (`enable_full_version=True`)."""
    named = {key.replace("_", "-"): value for key, value in options.items()}
    return Step(name, named, on_func, NEEDED_OPS.get(name, ()), because, needs, gives)


@cache
def _all_modules() -> tuple[str, ...]:
    """Return the full names of the modules below `sdy.passes`, without importing any."""
    package = importlib.import_module("sdy.passes")
    return tuple(name for path in package.__path__ for name in _below(path, package.__name__))


@cache
def _modules() -> dict[str, str]:
    """Full names of the modules by their last part."""
    return {name.rpartition(".")[2]: name for name in _all_modules()}


def _below(folder: str, package: str) -> Iterator[str]:
    """The full names of the modules in the folder of a package.

    `pkgutil` queries the import system for each file, which takes ten times as long.
    """
    with os.scandir(folder) as found:
        for each in sorted(found, key=lambda entry: entry.name):
            if each.name.endswith(".py") and each.name != "__init__.py":
                yield f"{package}.{each.name.removesuffix('.py')}"
            elif "." not in each.name and each.name != "__pycache__" and each.is_dir():
                yield from _below(each.path, f"{package}.{each.name}")


@cache
def _import_all() -> None:
    for name in _all_modules():
        importlib.import_module(name)


def passes() -> dict[str, Pass]:
    """All registered passes, sorted by name."""
    _import_all()
    return dict(sorted(_passes.items()))


def pipelines() -> dict[str, Pipeline]:
    """All registered pipelines, sorted by name."""
    _import_all()
    return dict(sorted(_pipelines.items()))


def find(name: str) -> Pass | Pipeline | None:
    """Return the pass or pipeline of that name or alias, or None."""
    found = _registered(name)
    if found is None:
        short = name.removeprefix("xla-").removeprefix("sdy-")
        module = _FILE_OF.get(short) or _modules().get(short.replace("-", "_"))
        if module is not None:
            importlib.import_module(module)
            found = _registered(name)
    if found is None and name.startswith(("sdy-", "xla-sdy-", "mpmd-")):
        _import_all()
        found = _registered(name)
    return found


def is_loaded(name: str) -> bool:
    """Return whether a pass or pipeline has been registered already."""
    return _registered(name) is not None


def _registered(name: str) -> Pass | Pipeline | None:
    name = _aliases.get(name, name)
    found = _passes.get(name) or _pipelines.get(name)
    if found is not None:
        _wait_for_import(found.run if isinstance(found, Pass) else found.build)
    return found


def _wait_for_import(function: Callable[..., object]) -> None:
    """Wait until the module of a registered function is loaded, which another thread may be importing."""
    if function.__module__ in sys.modules:
        importlib.import_module(function.__module__)


def expand(steps: list[Step]) -> list[Step]:
    """The steps with pipelines replaced by theirs, recursively.

    Raises:
      PipelineError: a step's options are not what its pass or pipeline takes, or a pipeline stands inside a function.
    """
    flat: list[Step] = []
    for one in steps:
        found = None if one.only_with else find(one.name)
        if isinstance(found, Pipeline):
            if one.on_func:
                raise PipelineError(f"pipeline '{one.name}' runs on '{MODULE}', not on '{FUNCTION}'")
            flat += expand(list(_call(found.build, options_of(one, found))))
        else:
            flat.append(one)
    return flat


def options_of(one: Step, target: Pass | Pipeline) -> object:
    """The options of a step as an instance of its pass's options class; None if the pass takes none.

    Raises:
      PipelineError: an unknown option or a value of the wrong kind.
    """
    if target.options is None:
        if one.options:
            raise PipelineError(f"'{target.name}' has no option '{next(iter(one.options))}'")
        return None
    try:
        return make_options(target.options, one.options)
    except ValueError as error:
        raise PipelineError(f"'{target.name}': {error}") from None


def _call(function: Callable[..., T], options: object, *args: object) -> T:
    return function(*args) if options is None else function(*args, options)


def run_pass(target: Pass, op: ir.Operation, options: object) -> object:
    """Run a pass on an op of its anchor's kind; return the result of the pass (see `UNCHANGED`)."""
    return _call(target.run, options, op)


def _doc(function: Callable[..., object], name: str) -> str:
    module = inspect.getmodule(function)
    if sys.flags.optimize < 2:
        own, shared = function.__doc__, module and module.__doc__
    else:
        own, shared = _written_doc(function), module and _written_doc(module)
    if own and own.startswith(f"{name}:"):
        return inspect.cleandoc(own).partition("\n\nSpec:")[0]
    return inspect.cleandoc(shared or own or "")


def _written_doc(what: ModuleType | Callable[..., object]) -> str | None:
    """Return the docstring from the source of a module or function, since -OO removes it elsewhere."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(what)))
    except (OSError, TypeError, SyntaxError):
        return None
    return ast.get_docstring(tree if inspect.ismodule(what) else tree.body[0])  # type: ignore[arg-type]


def _summary(doc: str, name: str) -> str:
    first = " ".join(doc.split("\n\n")[0].split())
    return first.removeprefix(f"{name}:").strip()


def option_table(options: type | None) -> list[tuple[str, str, str, str]]:
    """Rows (name, kind, default, help) of an options class."""
    if options is None:
        return []
    hints = get_type_hints(options)
    rows = []
    for each in dataclasses.fields(options):
        kind = hints[each.name]
        default = each.default.value if isinstance(each.default, Enum) else each.default
        rows.append((each.name.replace("_", "-"), _kind(kind), _shown(default), each.metadata.get("help", "")))
    return rows


def _kind(kind: object) -> str:
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return "|".join(str(case.value) for case in kind)
    if get_origin(kind) is tuple:
        return f"{_kind(get_args(kind)[0])},..."
    return getattr(kind, "__name__", str(kind))


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return "" if default is dataclasses.MISSING else str(default)
