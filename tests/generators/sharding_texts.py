"""Random sharding texts of XLA, and damaged ones."""

from __future__ import annotations

import math
import random

KINDS = ("replicated", "manual", "unreduced")


def random_text(rng: random.Random) -> str:
    """A sharding of one value or of several, in long lists with comments as XLA writes them."""
    if rng.random() < 0.1:
        leaves = [random_leaf(rng) for _ in range(rng.choice([1, 2, 3, 6, 12]))]
        return (
            "{" + ", ".join(f"/*index={n}*/{leaf}" if n and n % 5 == 0 else leaf for n, leaf in enumerate(leaves)) + "}"
        )
    return random_leaf(rng)


def random_leaf(rng: random.Random) -> str:
    draw = rng.random()
    if draw < 0.1:
        return "{" + rng.choice([*KINDS, "unknown", "maximal device=2", "replicated shard_as 3"]) + "}"
    return random_tiles(rng) if draw < 0.7 else random_named(rng)


def random_tiles(rng: random.Random, num_devices: int | None = None, rank: int | None = None) -> str:
    """Tiles over that many devices, by iota or listed, with or without groups."""
    size = num_devices or rng.choice([2, 3, 4, 6, 8, 12, 16])
    groups = [rng.choice(KINDS) for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))]
    count = (rng.randint(1, 3) if rank is None else rank) + len(groups)
    dims = _factors(rng, size, max(count, 1))
    text = f"devices=[{_joined(dims)}]{_devices(rng, size)}"
    if groups == ["replicated"]:
        text += " last_tile_dim_replicate"
    elif groups:
        text += f" last_tile_dims={{{', '.join(groups)}}}"
    return "{" + text + rng.choice(["", "", "", " shard_as 1", ' metadata={op_name="x"}']) + "}"


def _devices(rng: random.Random, size: int) -> str:
    if size > 1 and rng.random() < 0.2:
        return _joined(rng.sample(range(size), size))
    reshape = _factors(rng, size, rng.randint(1, 4))
    order = rng.sample(range(len(reshape)), len(reshape))
    return f"<=[{_joined(reshape)}]" + (f"T({_joined(order)})" if len(reshape) > 1 else "")


def random_named(rng: random.Random) -> str:
    """Axes of a mesh, whole or cut in two, in dimensions and lists."""
    names = "abc"[: rng.randint(1, 3)]
    sizes = {name: rng.choice([2, 3, 4, 4, 6]) for name in names}
    parts: list[str] = []
    for name, size in sizes.items():
        cut = next((low for low in (2, 3) if size % low == 0 and size > low), None)
        if cut and rng.random() < 0.4:
            parts += [f"'{name}':(1){cut}", f"'{name}':({cut}){size // cut}"][:: rng.choice([1, -1])]
        else:
            parts.append(f"'{name}'")
    rng.shuffle(parts)
    dims = [[] for _ in range(rng.randint(1, 3))]
    for part in parts[: rng.randint(0, len(parts))]:
        dims[rng.randrange(len(dims))].append(part)
    text = ", ".join(f"{{{', '.join([*dim, *(['?'] if rng.random() < 0.3 else [])])}}}" for dim in dims)
    used = sum(map(len, dims))
    extra = f", {rng.choice(['replicated', 'unreduced', 'manual'])}={{{parts[used]}}}" if used < len(parts) else ""
    total = math.prod(sizes.values())
    ids = f", device_ids=({_joined(rng.sample(range(total), total))})" if rng.random() < 0.2 else ""
    mesh = ",".join(f"'{name}'={size}" for name, size in sizes.items())
    return f"{{mesh[{mesh}]{ids}, [{text}]{extra if rng.random() < 0.6 else ''}}}"


def damaged(rng: random.Random, text: str) -> str:
    """`text` with one or a few characters taken out, put in, doubled or exchanged."""
    chars = list(text)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(chars))
        action = rng.randrange(4)
        if action == 0 and len(chars) > 1:
            del chars[place]
        elif action == 1:
            chars.insert(place, rng.choice("{}[](),=<>'\"0123456789abT: ?-/*"))
        elif action == 2:
            chars[place] = rng.choice(text)
        else:
            chars[place:place] = chars[place : place + rng.randint(1, 5)]
    return "".join(chars)


def _factors(rng: random.Random, size: int, count: int) -> list[int]:
    """`count` factors of `size` in random order."""
    factors = [1] * count
    for prime in (2, 3):
        while size % prime == 0:
            size //= prime
            factors[rng.randrange(count)] *= prime
    return factors


def _joined(values: list[int]) -> str:
    return ",".join(map(str, values))


def random_module(rng: random.Random, num_devices: int) -> str:
    """A module with tiles over that many devices on arguments, results, ops of one and two results, and constraints."""
    lines, arguments, results = [], [], []
    for number in range(rng.randint(1, 3)):
        rank = rng.randint(1, 3)
        type_ = f"tensor<{'24x' * rank}f32>"
        texts = [_plain_tiles(rng, num_devices, rank) for _ in range(4)]
        arguments.append(f"%a{number}: {type_}" + (_given(texts[0]) if rng.random() < 0.7 else ""))
        lines.append(f"%b{number} = stablehlo.sine %a{number}{_given(texts[1])} : {type_}")
        open_dims = f"unspecified_dims=[{rng.randrange(rank)}]" if rng.random() < 0.3 else ""
        given = f'{{backend_config = "{open_dims}", mhlo.sharding = "{texts[2]}"}}'
        lines.append(f"%c{number} = stablehlo.custom_call @Sharding(%b{number}) {given} : ({type_}) -> {type_}")
        both = _given(f"{{{texts[1]}, {texts[3]}}}") if rng.random() < 0.5 else ""
        barrier = f'%d{number}:2 = "stablehlo.optimization_barrier"(%c{number}, %b{number}){both}'
        lines.append(f"{barrier} : ({type_}, {type_}) -> ({type_}, {type_})")
        results.append((f"%d{number}#0", type_, type_ + (_given(texts[3]) if rng.random() < 0.5 else "")))
    values, types = (", ".join(each) for each in ([one[0] for one in results], [one[1] for one in results]))
    body = "\n".join([*lines, f"return {values} : {types}"])
    signature = f"@main({', '.join(arguments)}) -> ({', '.join(one[2] for one in results)})"
    return (
        f"module attributes {{mhlo.num_partitions = {num_devices} : i32}} {{\nfunc.func {signature} {{\n{body}\n}}\n}}"
    )


def _given(text: str) -> str:
    return f' {{mhlo.sharding = "{text}"}}'


def _plain_tiles(rng: random.Random, num_devices: int, rank: int) -> str:
    """Tiles of a value that no computation on each device is about; a few on one device, or replicated."""
    draw = rng.random()
    if draw < 0.15:
        return rng.choice(["{replicated}", "{unknown}"])
    reshape = _factors(rng, num_devices, rng.randint(1, 2))
    order = rng.sample(range(len(reshape)), len(reshape))
    devices = f"<=[{_joined(reshape)}]" + (f"T({_joined(order)})" if len(reshape) > 1 else "")
    dims = _factors(rng, num_devices, rank + 1)
    return f"{{devices=[{_joined(dims)}]{devices} last_tile_dim_replicate}}"
