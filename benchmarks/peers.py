"""Ours and the reference behind one interface: parse a text, run passes on it, print it."""

from __future__ import annotations

import os
import time
from typing import Any

# Real programs are lowered in another process; JAX here only brings its dialects.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir as jaxlib_ir

import sdy
from benchmarks.common import Clock, Prepare, Prepared, Row, paired
from tests.oracle_worker import pass_manager


class Ours:
    """This package."""

    def __init__(self) -> None:
        self._context = sdy.make_context()

    def parse(self, text: str) -> Any:
        return sdy.parse(text, context=self._context)

    def passes(self, text: str, *passes: str, verify: bool = True) -> Prepare:
        """Runs passes on the parsed text, verifies the result unless told not to; parsing is not timed."""

        def prepare() -> Prepared:
            module = self.parse(text)
            return lambda: sdy.run(module, *passes, verify=verify)

        return prepare

    def parsing(self, text: str) -> Prepare:
        return lambda: lambda: self.parse(text)

    def printing(self, text: str) -> Prepare:
        module = self.parse(text)
        return lambda: lambda: sdy.print_module(module)


class Reference:
    """The C++ passes inside jaxlib.

    Their verifier uses up the stack of a thread on thousands of computations in each other, unless it has no threads.
    """

    def __init__(self, *, threads: bool = True) -> None:
        self._context = jax_mlir.make_ir_context()
        if not threads:
            self._context.enable_multithreading(False)

    def parse(self, text: str) -> jaxlib_ir.Module:
        with self._context:
            return jaxlib_ir.Module.parse(text)

    def passes(self, text: str, *passes: str, verify: bool = True) -> Prepare:
        """As ours; verifies after each pass."""

        def prepare() -> Prepared:
            module = self.parse(text)
            with self._context:
                managers = [pass_manager(name) for name in passes]
            for manager in managers:
                manager.enable_verifier(verify)

            def run() -> None:
                with self._context:
                    for manager in managers:
                        manager.run(module.operation)

            return run

        return prepare

    def parsing(self, text: str) -> Prepare:
        return lambda: lambda: self.parse(text)

    def printing(self, text: str) -> Prepare:
        module = self.parse(text)
        return lambda: lambda: str(module)

    def result(self, text: str, *passes: str) -> str:
        """The module after the passes."""
        with self._context:
            module = jaxlib_ir.Module.parse(text)
            for name in passes:
                pass_manager(name).run(module.operation)
            return str(module)


def count_ops(text: str) -> int:
    """Number of operations in a module."""
    with jax_mlir.make_ir_context():
        count = 0

        def visit(_: object) -> jaxlib_ir.WalkResult:
            nonlocal count
            count += 1
            return jaxlib_ir.WalkResult.ADVANCE

        jaxlib_ir.Module.parse(text).operation.walk(visit)
        return count


def passes_on(
    label: str,
    text: str,
    *passes: str,
    clock: Clock = time.perf_counter,
    verify: bool = True,
    verify_reference: bool | None = None,
    threads: bool = True,
) -> Row:
    """One row: the passes on a text, ours beside the reference, which verifies as ours does unless told otherwise.

    `threads` says whether the reference may use any.
    """
    ours = Ours().passes(text, *passes, verify=verify)
    peer = Reference(threads=threads)
    reference = peer.passes(text, *passes, verify=verify if verify_reference is None else verify_reference)
    return paired(f"{label}, {count_ops(text):,} ops", ours, reference, clock=clock)
