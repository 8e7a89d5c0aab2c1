"""Single passes of C++ Shardy:MPMD, which jaxlib does not register by name.

Its library has a symbol table, so the functions that create the passes can be called (x86-64, libstdc++). Used by
`tests.oracle_worker`, so that ``reference(text, "mpmd-unroll-for-loops")`` runs them as it runs all others. Pieces of
pipelines have names that begin with a plus: ``+call-inlining``, ``+schedule:1F1B``, ``+preprocess:split``,
``+infer-mesh:transfers,reductions``, ``+merge-inferred:absorb``, ``+sharding-propagation``.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from jaxlib.mlir.passmanager import PassManager

_MODULE_PASSES = frozenset(
    "mpmd-" + name
    for name in (
        "copy-topology-from-main erase-unused-callee-block-arguments generate-sdy-meshes-from-topology "
        "infer-mesh-finalize infer-mesh-rewrite-using-analysis infer-mesh-validate-no-additional-transfers-needed "
        "infer-mesh-validate-src-set-not-empty introduce-transfers lower-to-fragment-calls map-input-output-to-mesh "
        "sink-negligible-ops-into-call-op"
    ).split()
)
_NAMES = {
    "mpmd-insert-nameless-clone-of-negligible-ops": "InsertNamelessCloneOfNeglibleOps",
    "mpmd-merge-user-fragments-into-scheduling-units": "MergeUserDefinedFragmentsIntoSchedulingUnits",
    "mpmd-enforce-input-output-equisharding": "EnforceEquisharding",
    "mpmd-infer-mesh-finalize": "impl::InferMeshFinalize",
    "mpmd-infer-mesh-convert-reduce-ops": "impl::InferMeshConvertReduceOps",
    "mpmd-infer-mesh-rewrite-using-analysis": "impl::InferMeshRewriteUsingAnalysis",
}
"""C++ names that do not follow from the pass's name."""

_BY_VALUE = {
    "mpmd-absorb-inferred-fragments": 0,
    "mpmd-uniquify-function-inputs-outputs": 0,
    "mpmd-lower-to-fragment-calls": 0,
    "mpmd-validate-no-reshards": 0,
    "mpmd-validate-no-backward-deps": 0,
    "mpmd-validate-no-inferred-fragments": 1,
    "mpmd-remat-fragment": 0,
    "mpmd-infer-mesh-validate-src-set-not-empty": 5,
    "mpmd-infer-mesh-validate-no-additional-transfers-needed": 5,
    "mpmd-infer-mesh-finalize": 0,
    "mpmd-infer-mesh-rewrite-using-analysis": 1,
    "mpmd-infer-mesh-convert-reduce-ops": 0,
}
"""Passes whose function takes an option by value, and its default."""

_BY_POINTER = {
    "mpmd-map-named-ops-to-mpmd-ops": "map",
    "mpmd-inline-nested-user-exposed-ops": "map",
    "mpmd-map-input-output-to-mesh": "table",
    "mpmd-enforce-input-output-equisharding": "vector",
    "mpmd-rule-based-merge": "vector",
    "mpmd-rule-based-schedule": "vector",
}
"""Passes whose function takes options by pointer, and what is empty in them."""

SCHEDULES = (
    "None",
    "1F1B",
    "GPipe",
    "Circular",
    "CircularWithReversedBackward",
    "GPipeBut1F1BForLastMesh",
    "ZeroBubbleH1",
    "ZeroBubbleH2ZeroTxLatency",
    "ZeroBubbleH2HalfTxLatency",
    "ZeroBubbleH2FullTxLatency",
    "ParallelPipelinesWithWrapAround",
)
"""In the order of the C++ enumeration."""

_STABLEHLO = {
    "chlo-legalize-to-stablehlo": "createChloLegalizeToStablehloPass",
    "stablehlo-target-independent-optimization": "createStablehloTargetIndependentOptimizationPass",
}
"""Passes of StableHLO that import runs, and that jaxlib does not register either."""

_SYMBOL = re.compile(
    r"^[0-9a-f]+ t mlir::"
    r"(mpmd::(impl::)?(create|add|Add)\w+\(|OpPassManager::(addPass|nest)\(|Pass::initializeOptions\(|"
    rf"stablehlo::({'|'.join(_STABLEHLO.values())})\(\))"
)

_kept: list[Any] = []
"""Memory that C++ may still read."""


def is_mpmd(name: str) -> bool:
    """Return whether a pass is one of those that are made here."""
    return name.startswith(("mpmd-", "+", *_STABLEHLO))


def pass_manager(text: str) -> PassManager:
    """A pass manager that runs one pass, ``name`` or ``name{options}``, or one piece.

    Raises ValueError for a pass that there is not, and for options that it does not take.
    """
    manager = PassManager("builtin.module")
    if text.startswith("+"):
        _add_piece(_pointer_of(manager), *text[1:].partition(":")[::2])
    else:
        name, _, options = text.partition("{")
        _add_pass(_pointer_of(manager), name, options.removesuffix("}"))
    return manager


@cache
def _library() -> dict[str, list[tuple[int, str]]]:
    """Addresses and full names of the functions by their names without parameters."""
    maps = Path("/proc/self/maps").read_text().splitlines()
    lines = [line for line in maps if line.endswith("libjax_common.so")]
    path, base = Path(lines[0].split()[-1]), int(lines[0].split("-")[0], 16)
    found = path.stat()
    asked = hashlib.sha256(_SYMBOL.pattern.encode()).hexdigest()[:8]
    kept = Path(tempfile.gettempdir(), f"sdy-mpmd-symbols-{found.st_size}-{int(found.st_mtime)}-{asked}.txt")
    if not kept.exists():
        listed = subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True).stdout.splitlines()
        partial = kept.with_suffix(f".{id(listed)}")
        partial.write_text("\n".join(filter(_SYMBOL.match, listed)))
        partial.replace(kept)
    functions: dict[str, list[tuple[int, str]]] = {}
    for line in kept.read_text().splitlines():
        address, _, name = line.split(" ", 2)
        functions.setdefault(name.partition("(")[0], []).append((base + int(address, 16), name))
    return functions


def _call(name: str, *args: Any, result: Any = None, which: int = 0) -> Any:
    address, _ = _library()[name][which]
    return ctypes.CFUNCTYPE(result, *[ctypes.c_void_p] * len(args))(address)(*args)


def _pointer_of(manager: PassManager) -> int:
    """The address of the C++ pass manager."""
    capsule = manager._CAPIPtr
    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, name(capsule))


def _empty(what: str) -> int:
    """The address of an empty `std::map`, `DenseMap` ("table") or `SmallVector` with zeros behind it."""
    memory = ctypes.create_string_buffer(4096)
    _kept.append(memory)
    at = ctypes.addressof(memory)
    if what == "map":
        ctypes.c_void_p.from_buffer(memory, 24).value = at + 8
        ctypes.c_void_p.from_buffer(memory, 32).value = at + 8
    elif what == "vector":
        ctypes.c_void_p.from_buffer(memory, 0).value = at + 16
        ctypes.c_uint32.from_buffer(memory, 12).value = 3
    return at


def _bytes(text: str) -> tuple[int, int]:
    """Address and length of a text."""
    data = ctypes.create_string_buffer(text.encode())
    _kept.append(data)
    return ctypes.addressof(data), len(text.encode())


def _add_piece(manager: int, piece: str, argument: str) -> None:
    pieces = {
        "call-inlining": ("AddCallInliningRelatedPasses", lambda: ()),
        "preprocess": ("AddSchedulingPreprocessingPasses", lambda: (int("split" in argument), 0)),
        "merge-inferred": ("AddMergeInferredFragmentsPasses", lambda: (int("absorb" in argument),)),
        "schedule": ("AddSchedulingPass", lambda: (SCHEDULES.index(argument), 1, _empty("table"))),
        "sharding-propagation": ("addShardingPropagationPipeline", lambda: (0, 0)),
        "infer-mesh": (
            "addInferMeshPipeline",
            lambda: (
                _empty("vector"),
                int("transfers" in argument) | int("reductions" in argument) << 8 | (1 << 32),
                5,
            ),
        ),
    }
    if piece not in pieces:
        raise ValueError(f"no piece '{piece}'")
    function, arguments = pieces[piece]
    _call(f"mlir::mpmd::{function}", manager, *arguments())


def _add_pass(manager: int, name: str, options: str) -> None:
    cpp = _NAMES.get(name) or "".join(map(str.capitalize, name.removeprefix("mpmd-").split("-")))
    scope, _, short = cpp.rpartition("::")
    function = f"mlir::mpmd::{scope + '::' if scope else ''}create{short}Pass"
    if name in _STABLEHLO:
        function = f"mlir::stablehlo::{_STABLEHLO[name]}"
    if function not in _library():
        raise ValueError(f"no pass '{name}'")
    arguments: list[int] = []
    if name in _BY_VALUE:
        arguments = [_BY_VALUE[name]]
    elif name in _BY_POINTER:
        arguments = [_empty(_BY_POINTER[name])]
    owner = ctypes.c_void_p(0)
    _kept.append(owner)
    found = _library()[function]
    which = next(index for index, (_, full) in enumerate(found) if ("()" in full) == (not arguments))
    _call(function, ctypes.addressof(owner), *arguments, which=which)
    if "rule-based" in name and "remove-control-dependencies" not in options:
        options += " remove-control-dependencies=true"  # the memory without a value has replaced the default
    if options:
        _set_options(owner.value, name, options)
    target = manager
    if name not in _MODULE_PASSES:
        target = _call("mlir::OpPassManager::nest", manager, *_bytes("func.func"), result=ctypes.c_void_p)
    _call("mlir::OpPassManager::addPass", target, ctypes.addressof(owner))


def _set_options(created: int | None, name: str, options: str) -> None:
    handler = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(lambda _, __: False)
    _kept.append(handler)
    report = ctypes.cast(handler, ctypes.c_void_p).value
    if not _call("mlir::Pass::initializeOptions", created, *_bytes(options), report, 0, result=ctypes.c_bool):
        raise ValueError(f"'{name}' does not take '{options}'")


def is_possible() -> bool:
    """Return whether the library here has what is needed."""
    try:
        return sys.platform == "linux" and "mlir::OpPassManager::addPass" in _library()
    except (OSError, IndexError, subprocess.CalledProcessError):
        return False
