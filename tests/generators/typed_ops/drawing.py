"""Types that instances of ops are made of: shapes, element types, unknown sizes, bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

FLOATS = ["f32", "f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"]
SIGNED = ["i32", "i64", "i8", "i4", "i2", "i16"]
UNSIGNED = ["ui32", "ui8", "ui64", "ui4"]
COMPLEX = ["complex<f32>", "complex<f64>"]
QUANTIZED = [
    "!quant.uniform<i8:f32, 0.5:1>",
    "!quant.uniform<i8:f32, 0.25>",
    "!quant.uniform<u8:f32, 0.5:3>",
    "!quant.uniform<i16:f64, 0.5>",
    "!quant.uniform<i8<-4:4>:f32, 2.0:-1>",
]
ODD = ["index", "si32", "tf32", "i1", "i128"]

_SETS = {
    "F": FLOATS,
    "SI": SIGNED,
    "UI": UNSIGNED,
    "I": SIGNED + UNSIGNED,
    "C": COMPLEX,
    "QT": QUANTIZED,
    "Pred": ["i1"],
    "Any": [*FLOATS, *SIGNED, *UNSIGNED, *COMPLEX, *QUANTIZED, "i1"],
    "Dim": ["i64", "i32", "index", "ui8"],
}


def element(rng: Random, union: str) -> str:
    """An element type of one of the sets, often f32 where it can be."""
    sets = union.split("|")
    if ("F" in sets or "Any" in sets) and rng.random() < 0.4:
        return "f32"
    name = rng.choice(sets)
    return rng.choice(_SETS.get(name, [name]))


def per_axis(rng: Random, axis: int, count: int, expressed: str = "f32") -> str:
    """A per-axis quantized type with that many scales."""
    scales = ", ".join(rng.choice(["0.5", "0.25:1", "2.0:-2"]) for _ in range(count))
    return f"!quant.uniform<i8:{expressed}:{axis}, {{{scales}}}>"


def shape(rng: Random, least: int = 0, most: int = 3) -> list[int]:
    return [rng.choice([1, 2, 2, 3, 3, 4, 6, 8]) for _ in range(rng.randint(least, most))]


def tensor(dims: Iterable[int | str], element_type: str, bounds: Sequence[int | str] | None = None) -> str:
    text = "".join(f"{size}x" for size in dims)
    encoding = f", #stablehlo.bounds<{', '.join(map(str, bounds))}>" if bounds else ""
    return f"tensor<{text}{element_type}{encoding}>"


def relaxed(rng: Random, dims: Sequence[int], element_type: str, chance: float = 0.25) -> str:
    """A type of that shape, some of whose sizes are unknown in one of four instances, and perhaps bounded."""
    if not dims or rng.random() > chance:
        return tensor(dims, element_type)
    unknown = [rng.random() < 0.6 for _ in dims]
    bounded = rng.random() < 0.5
    pairs = list(zip(dims, unknown, strict=True))
    bounds = [size + rng.randint(0, 2) if is_unknown and rng.random() < 0.7 else "?" for size, is_unknown in pairs]
    sizes = ["?" if is_unknown else size for size, is_unknown in pairs]
    return tensor(sizes, element_type, bounds if bounded and set(bounds) != {"?"} else None)


def ints(values: Iterable[int]) -> str:
    texts = ", ".join(map(str, values))
    return f"array<i64: {texts}>" if texts else "array<i64>"


def bools(values: Iterable[bool]) -> str:
    texts = ", ".join(str(value).lower() for value in values)
    return f"array<i1: {texts}>" if texts else "array<i1>"


def i64(value: int) -> str:
    return f"{value} : i64"


def matrix(rows: Sequence[Sequence[int]], width: int = 2) -> str:
    """A dense attribute of 64-bit integers with two dimensions."""
    values = ", ".join(f"[{', '.join(map(str, row))}]" for row in rows)
    return f"dense<{f'[{values}]' if rows else ''}> : tensor<{len(rows)}x{len(rows[0]) if rows else width}xi64>"


def vector(values: Sequence[int], element_type: str) -> str:
    """A dense attribute with one dimension."""
    listed = f"[{', '.join(map(str, values))}]" if values else ""
    return f"dense<{listed}> : tensor<{len(values)}x{element_type}>"


def subset(rng: Random, number: int) -> list[int]:
    return sorted(rng.sample(range(number), rng.randint(0, number)))


def scalar_body(element_type: str, count: int = 1) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A reduction of that many values."""
    scalar = f"tensor<{element_type}>"
    return (scalar,) * (2 * count), (scalar,) * count
