"""sdy-run: partitions a module, runs it on several devices, and compares with a run on one device."""

from __future__ import annotations

import argparse
import io
import math
import re
import sys
import zipfile
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

try:
    import jax
except ModuleNotFoundError as error:
    raise ImportError("sdy-run needs JAX: pip install 'sdy[jax]'") from error

import numpy as np

from sdy import execution
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mpmd_running.dispatch import shape_and_dtype
from sdy.mpmd_running.module_runs import MeshesModule, without_meshes
from sdy.overlap import Overlap
from sdy.partition import partition
from sdy.partitioned_module import PartitionedModule
from sdy.pipeline.tables import Schedule
from sdy.pipeline.transfer_report import transfer_report
from sdy.report import collectives
from sdy.report.text_table import columns
from sdy.report.timelines.estimate import steps, timeline
from sdy.running.boundary import Boundary, arrays, dtype_of
from sdy.running.placement import unpartitioned
from sdy.tools.completion import add_information
from sdy.tools.diagnostics_output import named
from sdy.tools.diagnostics_output import report as print_diagnostic
from sdy.tools.files import read_bytes, refused_for, write_bytes
from sdy.tools.flags import Parser, UsageError
from sdy.tools.named_arguments import machine_of, on_module
from sdy.tools.outermost import run_tool

if TYPE_CHECKING:
    from jaxlib._jax import Device


LARGEST_INTEGER = 16
"""Random integers are below this."""

DEVIATION = 0.125
"""Standard deviation of random numbers, small enough that networks do not magnify rounding errors."""


def random_inputs(arguments: Sequence[Boundary], seed: int) -> list[np.ndarray]:
    """Return small normal floats, integers from 0 to 15, coin flips; nothing for tokens."""
    generator = np.random.default_rng(seed)
    return [_random(generator, argument.shape, dtype_of(argument.element)) for argument in arrays(arguments)]


def _random(generator: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if dtype == np.bool_:
        return generator.integers(0, 2, shape).astype(dtype)
    if np.issubdtype(dtype, np.integer) or "int" in dtype.name:
        bits = 8 * dtype.itemsize if dtype.name[-1] not in "24" or dtype.itemsize > 1 else int(dtype.name[-1])
        return generator.integers(0, min(LARGEST_INTEGER, 2 ** (bits - 1)), shape).astype(dtype)
    if np.issubdtype(dtype, np.complexfloating):
        real, imaginary = generator.normal(0, DEVIATION, (2, *shape))
        return (real + 1j * imaginary).astype(dtype)
    return generator.normal(0, DEVIATION, shape).astype(dtype)


def load_inputs(data: bytes, arguments: Sequence[Boundary]) -> list[np.ndarray]:
    """Return the arrays of an .npz file, in the order in which they were saved.

    Raises `ValueError` if it is damaged, or they are not what the program takes.
    """
    loaded, expected = _unpacked(data), arrays(arguments)
    if len(loaded) != len(expected):
        raise ValueError(f"has {len(loaded)} arrays, the program takes {len(expected)}")
    for number, ((name, array), argument) in enumerate(zip(loaded, expected, strict=True)):
        if array.shape != argument.shape or array.dtype != dtype_of(argument.element):
            raise ValueError(
                f"array '{name}' is {array.dtype}{list(array.shape)}, but argument {number} of the program is "
                f"{dtype_of(argument.element)}{list(argument.shape)}"
            )
    return [array for _, array in loaded]


def _unpacked(data: bytes) -> list[tuple[str, np.ndarray]]:
    """Return the arrays of an .npz file by name; raise `ValueError` for a damaged one."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("is not an .npz file")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return [(name, archive[name]) for name in archive.files]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"is damaged: {error}") from None


MOST_UNASKED_DEVICES = 4096
"""More than these are made only if `--devices` asks for them."""

MOST_DEVICES = 8192
"""More than these are never made: XLA:CPU takes a minute and 3 GiB for as many."""

TOLERANCE = 1e-5
COARSE = 0.02
_NARROW_FLOAT = re.compile(r"[x<](?:bf16|f16|f8E|f6E|f4E)")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool; returns its exit code: 1 after an error, or if the two runs differ by more than the tolerance.

    Without arguments those of the process are used.
    """
    return run_tool("sdy-run", _main, argv, _ADVICE)


_ADVICE = "`sdy-opt FILE --sdy-partition-pipeline --mlir-pass-pipeline-crash-reproducer=OUT` may show the fault alone"


def _main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    try:
        return on_module(options.file, lambda text, filename: _run(options, text, filename))
    except jax.errors.JaxRuntimeError as error:
        raise UsageError(f"XLA cannot run the program: {str(error).splitlines()[0]}") from None


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="sdy-run", description=__doc__, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", help="input module, with shardings; - for standard input")
    parser.add_argument(
        "--devices",
        type=int,
        metavar="N",
        help="number of devices (default: that of the mesh): accelerators if JAX has that many, else CPU devices",
    )
    parser.add_argument("--inputs", metavar="X.npz", help="file of the arguments, in order (default: random arguments)")
    parser.add_argument("--seed", type=int, default=0, help="seed of random arguments (default: 0)")
    parser.add_argument(
        "--tolerance",
        type=float,
        help=f"largest relative difference (default: {TOLERANCE:g}; {COARSE:g} with floats of fewer than 32 bits)",
    )
    parser.add_argument(
        "--overlap",
        action="store_true",
        help="overlap collectives with computation; with --machine, where it is faster there",
    )
    parser.add_argument(
        "--machine",
        metavar="MACHINE",
        help="print the estimated time of a step on a machine: a name such as h100, a JSON file, or "
        "'flops=2e14 bandwidth=5e10'",
    )
    parser.add_argument("--print-local", action="store_true", help="print the program of one device first")
    parser.add_argument("--save", metavar="Y.npz", help="output file for the results")
    add_information(parser)
    return parser


def _run(options: argparse.Namespace, text: str, filename: str) -> int:
    if options.devices is not None and options.devices < 1:
        raise UsageError(f"--devices {options.devices}: there has to be at least one")
    if options.devices is not None and options.devices > MOST_DEVICES:
        raise UsageError(f"--devices {options.devices}: there may be at most {MOST_DEVICES}")
    of_meshes = MeshesModule.of(text, filename)
    if of_meshes is not None:
        return _run_meshes(options, of_meshes)
    machine = None if options.machine is None else machine_of(options.machine)
    overlap = Overlap(machine) if options.overlap else None
    partitioned = partition(text, num_devices=options.devices, overlap=overlap)
    for diagnostic in (*partitioned.warnings, *partitioned.remarks):
        print_diagnostic(named(diagnostic, filename), text)
    if options.print_local:
        print(partitioned.text)
    print(f"mesh {partitioned.mesh}, {partitioned.num_devices} devices\n")
    print(_boundary_table(partitioned))
    print()
    print(collectives.table(partitioned.collectives))
    if machine is not None:
        plain = partition(text, num_devices=options.devices) if options.overlap else partitioned
        after = timeline(partitioned, machine)
        print(f"\n{steps(timeline(plain, machine, synchronous=True), after)}")
    print(flush=True)

    devices = _devices(options.devices or _few(partitioned.num_devices))
    inputs = _inputs(options, partitioned)
    results = _compiled(partitioned, devices)(*inputs)
    _save(options.save, results)
    return _compare(options, text, partitioned, inputs, results, devices[0])


def _run_meshes(options: argparse.Namespace, given: MeshesModule) -> int:
    """Run a program of several meshes, and compare with one run without meshes."""
    for name in ("machine", "overlap", "print_local", "inputs", "devices"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')}: programs of several meshes do not take it")
    print(f"{Schedule.of(given.program)}\n\n{transfer_report(given.program)}\n", flush=True)
    devices = _devices(_few(given.num_devices))
    generator = np.random.default_rng(options.seed)
    inputs = given.inputs(lambda shape, dtype: _random(generator, shape, dtype))
    results = given.run(inputs, devices)
    _save(options.save, results)
    text = unpartitioned(without_meshes(given.module))
    with jax.default_device(devices[0]):
        types = [shape_and_dtype(given.program.slots[slot]) for slot in given.program.results]
        expected = execution.run_text(text, types)(*inputs)
    return _told(options, results, expected, is_narrow=bool(_NARROW_FLOAT.search(text)))


def _few(count: int) -> int:
    """Return `count`, unless it is too large for a mesh."""
    if count > MOST_DEVICES:
        raise UsageError(f"the mesh has {count} devices, more than the {MOST_DEVICES} that can be made")
    if count > MOST_UNASKED_DEVICES:
        raise UsageError(f"the mesh has {count} devices; give --devices {count} to make so many")
    return count


def _devices(count: int) -> list[Device]:
    """Return accelerators if there are that many, else devices of the CPU, made for the purpose."""
    jax.config.update("jax_num_cpu_devices", count)
    jax.config.update("jax_enable_x64", True)
    default = jax.devices()
    return default if len(default) >= count else jax.devices("cpu")


def _compiled(partitioned: PartitionedModule, devices: list[Device]) -> execution.Function:
    try:
        return execution.compile(partitioned, devices)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _inputs(options: argparse.Namespace, partitioned: PartitionedModule) -> list[np.ndarray]:
    if options.inputs is None:
        try:
            return random_inputs(partitioned.arguments, options.seed)
        except ValueError as error:
            raise UsageError(str(error)) from None
    try:
        with refused_for(options.inputs):
            return load_inputs(read_bytes(options.inputs), partitioned.arguments)
    except ValueError as error:
        raise UsageError(f"{options.inputs}: {error}") from None


def _save(path: str | None, results: Sequence[jax.Array]) -> None:
    if path is None:
        return
    file = io.BytesIO()
    np.savez(file, *map(np.asarray, results))
    with refused_for(path):
        write_bytes(path, file.getvalue())


def _boundary_table(partitioned: PartitionedModule) -> str:
    rows = [("", "type", "sharding", "on one device")]
    for kind, boundaries in (("argument", partitioned.arguments), ("result", partitioned.results)):
        rows += [(f"{kind} {number}", *_cells(one)) for number, one in enumerate(boundaries)]
    return columns(rows)


def _cells(one: Boundary) -> tuple[str, str, str]:
    return one.type, "[" + ", ".join(map(str, one.sharding.dims)) + "]", one.local_type


# Comparison ------------------------------------------------------------------------------------------


def _compare(
    options: argparse.Namespace,
    text: str,
    partitioned: PartitionedModule,
    inputs: Sequence[np.ndarray],
    results: Sequence[jax.Array],
    device: Device,
) -> int:
    """Print the difference to the results of the unpartitioned program; return 1 if it is too large, else 0."""
    try:
        plain = unpartitioned(text)
    except DiagnosticError as error:
        print(f"not compared with an unpartitioned run: {error.diagnostic.message}")
        return 0
    with jax.default_device(device):
        expected = execution.compile_unpartitioned(plain, partitioned.results)(*inputs)
    return _told(options, results, expected, is_narrow=bool(_NARROW_FLOAT.search(partitioned.text)))


def _told(
    options: argparse.Namespace, results: Sequence[jax.Array], expected: Sequence[jax.Array], *, is_narrow: bool
) -> int:
    """Print the differences; return 1 if one is too large, else 0."""
    rows = [("result", "largest difference", "relative")]
    worst = 0.0
    for number, (got, wanted) in enumerate(zip(results, expected, strict=True)):
        difference, relative = differences(np.asarray(got), np.asarray(wanted))
        worst = max(worst, relative)
        rows.append((str(number), f"{difference:.3g}", f"{relative:.3g}"))
    print(columns(rows))
    tolerance = options.tolerance
    if tolerance is None:
        tolerance = COARSE if is_narrow else TOLERANCE
    if worst <= tolerance:
        return 0
    print(f"sdy-run: error: the runs differ by {worst:.3g}, more than {tolerance:g}", file=sys.stderr)
    return 1


def differences(got: np.ndarray, wanted: np.ndarray) -> tuple[float, float]:
    """The largest absolute difference, and that relative to the largest entry of `wanted`.

    Equal infinities and two NaNs do not differ; an infinity or NaN on one side only differs infinitely.
    """
    kind = np.complex128 if np.iscomplexobj(wanted) else np.float64
    got, wanted = got.astype(kind), wanted.astype(kind)
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    if same.all():
        return 0.0, 0.0
    if not (np.isfinite(got[~same]).all() and np.isfinite(wanted[~same]).all()):
        return math.inf, math.inf
    largest = float(np.abs(got[~same] - wanted[~same]).max())
    scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0))
    return largest, largest / scale if scale else math.inf


if __name__ == "__main__":
    sys.exit(main())
