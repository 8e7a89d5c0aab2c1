"""Loading of the MLIR Python bindings; the only module that names their package.

The upstream bindings with IRDL (`ir`, `passmanager`, `rewrite`, `dialects.irdl`, `dialects.ext`), the dialect quant and
the StableHLO dialect are taken from the package `mlir` if it has all of them, else from `torch_mlir`.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sdy import mlir

_PACKAGES = ("mlir", "torch_mlir")
_PARTS = ("ir", "passmanager", "rewrite", "dialects.irdl", "dialects.ext", "dialects.quant", "_mlir_libs._stablehlo")
_NEEDED = ("DynamicAttr", "DynamicOpTrait", "MemoryEffectsOpInterface", "WalkOrder")


_OF_LLVM = "_ZN4llvm2cl6Option11addArgumentEv"
"""A function of LLVM, by which options of its command line are registered, once in each copy of it."""


@contextmanager
def _own_symbols() -> Iterator[None]:
    """Bind libraries loaded in the block to their own LLVM where the process offers them another one.

    Tensorflow exports its LLVM to libraries loaded later; ours would register its options there a second time, and LLVM
    ends the process. Elsewhere nothing changes: a library bound this way does not see replacements of `malloc`, either.
    """
    is_another = hasattr(os, "RTLD_DEEPBIND") and hasattr(ctypes.CDLL(None), _OF_LLVM)
    if not is_another:
        yield
        return
    usual = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_LOCAL | os.RTLD_DEEPBIND)
    try:
        yield
    finally:
        sys.setdlopenflags(usual)


def _load(package: str) -> list[ModuleType]:
    """Import the parts of `package`; raise ImportError with the name of a missing one."""
    with _own_symbols():
        modules = [importlib.import_module(f"{package}.{part}") for part in _PARTS]
    lacking = [name for name in _NEEDED if not hasattr(modules[0], name)]
    if lacking:
        raise ImportError(f"{package}.ir has no {', '.join(lacking)}")
    return modules


def _pick() -> tuple[str, list[ModuleType]]:
    problems: list[str] = []
    for package in _PACKAGES:
        try:
            return package, _load(package)
        except ImportError as error:
            problems.append(f"{package}: {error}")
    raise ImportError(
        "sdy needs the upstream MLIR Python bindings with IRDL and StableHLO; install them with "
        f"`pip install --upgrade torch-mlir` ({'; '.join(problems)})"
    )


BINDINGS, _modules = _pick()

# What type checkers see of them is in the stubs of the package.
ir: Any
passmanager: Any
rewrite: Any
irdl: Any
ext: Any
quant: Any
stablehlo: Any
ir, passmanager, rewrite, irdl, ext, quant, stablehlo = _modules
PassManager = passmanager.PassManager

# Every op and attribute that reaches Python makes the bindings look for a Python module of its dialect, which is slow
# as long as there is none; these are the (empty) modules of the dialects that have none.
_globals = importlib.import_module(f"{BINDINGS}._mlir_libs._mlir").globals
_globals.append_dialect_search_prefix("sdy.dialect.bindings")


_OF_TORCH = f"{BINDINGS}._mlir_libs._torchMlir"
"""The library with the passes of torch-mlir and StableHLO; `dialects.torch` loads a long list of ops with it."""


def load_chlo(context: mlir.ir.Context) -> None:
    """Load the CHLO dialect, which the bindings link but do not register.

    A pass that depends on the dialect loads it when it runs, here on an empty function.
    """
    if BINDINGS != "torch_mlir":
        return
    importlib.import_module(_OF_TORCH).register_dialect(context)
    with context, ir.Location.unknown():
        module = ir.Module.parse("func.func private @empty() { return }")
        PassManager.parse("builtin.module(func.func(convert-torch-to-stablehlo))").run(module.operation)


def register_stablehlo_passes() -> None:
    """Register the passes of StableHLO; torch-mlir's library registers those that simplify when it is loaded."""
    stablehlo.register_stablehlo_passes()
    if BINDINGS == "torch_mlir":
        importlib.import_module(_OF_TORCH)


_FLOAT, _OF_FLOATS, _INTEGERS = ir.FloatType, ir.DenseFPElementsAttr, (ir.IntegerType, ir.IndexType)


def _dense_elements(attr: mlir.ir.Attribute) -> mlir.ir.DenseElementsAttr:
    """Return the most specific class of the bindings for a dense elements attribute."""
    element = attr.type.element_type
    if isinstance(element, _FLOAT):  # most are, and programs have thousands
        return _OF_FLOATS(attr)
    return ir.DenseIntElementsAttr(attr) if isinstance(element, _INTEGERS) else ir.DenseElementsAttr(attr)


def _cast_all_dense_elements() -> None:
    """Replace the bindings' conversion of dense elements, which raises (or aborts) for complex elements."""
    with ir.Context(load_on_create_dialects=[]):
        sample = ir.Attribute.parse("dense<0> : tensor<1xi32>")
        ir.register_type_caster(sample.typeid, replace=True)(_dense_elements)


_cast_all_dense_elements()
