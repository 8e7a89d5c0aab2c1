"""Reading the devices of a sharding text (spec: interchange, 2.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.sharding_text.device_order import Iota, Listed
from sdy.dialect.sharding_text.lexer import Tokens


def read_iota(tokens: Tokens) -> Iota:
    """``[2,4]T(1,0)``."""
    tokens.expect("[")
    reshape = tokens.integers("]")
    if min(reshape) < 1:
        raise tokens.wrong(f"size {min(reshape)} of devices is not positive")
    permutation: tuple[int, ...] = (0,)
    if len(reshape) > 1 or tokens.is_next("T"):
        tokens.expect("T")
        tokens.expect("(")
        permutation = tokens.integers(")")
    if sorted(permutation) != list(range(len(reshape))):
        listed = ",".join(map(str, permutation))
        raise tokens.wrong(f"T({listed}) is no permutation of {len(reshape)} dimensions")
    return Iota.of(reshape, permutation)


def read_listed(tokens: Tokens) -> Listed:
    """``3,2,1,0``: devices 0 to n-1, each once."""
    devices = tokens.integers(None)
    _check(tokens, devices)
    return Listed(devices)


def _check(tokens: Tokens, devices: Sequence[int]) -> None:
    seen: set[int] = set()
    for device in devices:
        if device < 0:
            raise tokens.wrong(f"device {device} is negative")
        if device in seen:
            raise tokens.wrong(f"device {device} occurs twice")
        seen.add(device)
    missing = next((device for device in range(len(devices)) if device not in seen), None)
    if missing is not None:
        raise tokens.wrong(f"device {missing} is missing")
