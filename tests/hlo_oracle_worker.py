"""What jaxlib's C++ makes of sharding text and of modules with it, each batch in a forked child, since C++ may abort.

Part of `tests.oracle_worker`, which answers `tests.hlo_oracle`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from functools import cache

from jax._src.interpreters import mlir as jax_mlir
from jaxlib import _hlo, _jax  # type: ignore[attr-defined]
from jaxlib.mlir import ir
from jaxlib.mlir.passmanager import PassManager


def answers(what: str, texts: Sequence[str]) -> list[dict]:
    """One answer per text: ``{"value": ...}``, ``{"error": ...}``, or ``{"aborted": True}``."""
    found: list[dict] = []
    while len(found) < len(texts):
        found += _forked(_ASKED[what], texts[len(found) :])
        if len(found) < len(texts):
            found.append({"aborted": True})
    return found


def _forked(ask: Callable[[str], object], texts: Sequence[str]) -> list[dict]:
    """The answers of a child up to the text that ends it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        for text in texts:
            os.write(writer, json.dumps(_answer(ask, text)).encode() + b"\n")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as lines:
        found = [json.loads(line) for line in lines]
    os.waitpid(child, 0)
    return found


def _answer(ask: Callable[[str], object], text: str) -> dict:
    try:
        return {"value": ask(text)}
    except Exception as error:  # noqa: BLE001 - whatever C++ raises is the answer
        return {"error": str(error)}


def _printed(text: str) -> str:
    return str(_hlo.HloSharding.from_string(text))


def _message(text: str) -> list[str]:
    """The bytes of a sharding as it is serialized, in hexadecimal digits, and what XLA reads off them."""
    found = _hlo.HloSharding.from_string(text).to_proto()
    return [found.SerializeToString().hex(), str(_hlo.HloSharding.from_proto(found))]


def _tiles(text: str) -> dict:
    """The grid of devices of a tile sharding."""
    found = _hlo.HloSharding.from_string(text)
    return {"dims": found.tile_assignment_dimensions(), "devices": found.tile_assignment_devices()}


def _axis_sizes(text: str) -> list[int]:
    return list(_hlo.HloSharding.from_string(text).get_axis_sizes())


def _tiles_of_named(text: str) -> str:
    return str(_hlo.HloSharding.from_string(text).v3_to_v2_sharding())


def _artifact(module: str) -> str:
    """The module as the export for portable artifacts writes it."""
    with _context():
        parsed = ir.Module.parse(module)
        data = _jax.mlir.serialize_portable_artifact(parsed, "1.10.0")
        return str(_jax.mlir.deserialize_portable_artifact(data))


def _imported(module: str) -> str:
    """The module after the one import pass of XLA that has a name."""
    with _context():
        parsed = ir.Module.parse(module)
        PassManager.parse("builtin.module(xla-sdy-round-trip-import-shardy-attrs)").run(parsed.operation)
        return str(parsed)


@cache
def _context() -> ir.Context:
    context = jax_mlir.make_ir_context()
    context.enable_multithreading(False)
    return context


_ASKED: dict[str, Callable[[str], object]] = {
    "print": _printed,
    "message": _message,
    "tiles": _tiles,
    "axis sizes": _axis_sizes,
    "tiles of named": _tiles_of_named,
    "artifact": _artifact,
    "import attributes": _imported,
}
