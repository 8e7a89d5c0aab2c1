"""The MLIR Python bindings of the whole project (`loading` selects them).

They are loaded at their first use: programs from the cache run without them.
"""

from __future__ import annotations

from importlib import import_module

_LOADED = (
    "BINDINGS",
    "PassManager",
    "ext",
    "ir",
    "irdl",
    "load_chlo",
    "passmanager",
    "quant",
    "register_stablehlo_passes",
    "rewrite",
    "stablehlo",
)

address = hash
"""The address of what a value, type, attribute or block of the bindings stands for, as a number.

Many objects of Python stand for one of MLIR's and have one hash, which is its address; that of None is no address. Keys
that are addresses need no comparison of objects, which calls into the bindings, and keep nothing alive: types and
attributes stay as long as their context, values and blocks until they are erased. Ops have no address here, since their
hash is another one once their attributes have changed: see `sdy.mlir.walk.identity`.
"""


def __getattr__(name: str) -> object:
    if name not in _LOADED:
        raise AttributeError(f"module 'sdy.mlir' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module("sdy.mlir.loading"), name)
    return found
