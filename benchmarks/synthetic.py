"""Programs of any size, each with many of one thing: what takes more than linear time shows in them."""

from __future__ import annotations

from collections.abc import Callable

_HEAD = 'sdy.mesh @mesh = <["x"=2, "y"=2]>\n'
_SHARDED = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}'
_TYPE = "tensor<8x8xf32>"


def _main(body: list[str], result: str, head: str = _HEAD, tail: str = "") -> str:
    lines = "\n".join(f"  {line}" for line in body)
    signature = f"func.func @main(%arg0: {_TYPE} {_SHARDED}) -> {_TYPE}"
    return f"{head}{signature} {{\n{lines}\n  return {result} : {_TYPE}\n}}\n{tail}"


def chain(count: int) -> str:
    """`count` ops, each on the result of the one before."""
    names = ["%arg0", *(f"%{index}" for index in range(count))]
    body = [f"%{index} = stablehlo.add {names[index]}, {names[index]} : {_TYPE}" for index in range(count)]
    return _main(body, names[-1])


def fan(count: int) -> str:
    """One value that `count` ops use."""
    body = [f"%{index} = stablehlo.add %arg0, %arg0 : {_TYPE}" for index in range(count)]
    body.append(f"%sum0 = stablehlo.negate %arg0 : {_TYPE}")
    body += [f"%sum{index + 1} = stablehlo.add %sum{index}, %{index} : {_TYPE}" for index in range(count)]
    return _main(body, f"%sum{count}")


def call_graph(count: int) -> str:
    """`count` functions, of which main calls the first ten and each ten others: a tree."""
    functions = []
    for index in range(count):
        called = [child for child in range(10 * index + 10, 10 * index + 20) if child < count]
        body = [f"%a0 = stablehlo.negate %arg0 : {_TYPE}"]
        body += [f"%a{i + 1} = call @f{child}(%a{i}) : ({_TYPE}) -> {_TYPE}" for i, child in enumerate(called)]
        lines = "\n".join(f"  {line}" for line in body)
        head = f"func.func private @f{index}(%arg0: {_TYPE}) -> {_TYPE}"
        functions.append(f"{head} {{\n{lines}\n  return %a{len(called)} : {_TYPE}\n}}\n")
    top = range(min(10, count))
    values = ["%arg0", *(f"%{index}" for index in top)]
    body = [f"%{index} = call @f{index}({values[index]}) : ({_TYPE}) -> {_TYPE}" for index in top]
    return _main(body, values[-1], tail="".join(functions))


def repeated_calls(count: int) -> str:
    """One function that is called `count` times."""
    values = ["%arg0", *(f"%{index}" for index in range(count))]
    body = [f"%{index} = call @f({values[index]}) : ({_TYPE}) -> {_TYPE}" for index in range(count)]
    callee = f"func.func private @f(%arg0: {_TYPE}) -> {_TYPE} {{\n  %0 = stablehlo.negate %arg0 : {_TYPE}\n"
    return _main(body, values[-1], tail=f"{callee}  return %0 : {_TYPE}\n}}\n")


def meshes(count: int) -> str:
    """`count` meshes, each with a constraint of its own."""
    head = "".join(f'sdy.mesh @mesh{index} = <["x{index}"=2, "y{index}"=2]>\n' for index in range(count))
    values = ["%arg0", *(f"%{index}" for index in range(count))]
    body = [
        f'%{index} = sdy.sharding_constraint {values[index]} <@mesh{index}, [{{"x{index}"}}, {{?}}]> : {_TYPE}'
        for index in range(count)
    ]
    return _main(body, values[-1], head=_HEAD + head)


def groups(count: int) -> str:
    """`count` sharding groups of two values."""
    values = ["%arg0", *(f"%{index}" for index in range(2 * count))]
    body = []
    for index in range(2 * count):
        body.append(f"%{index} = stablehlo.add {values[index]}, {values[index]} : {_TYPE}")
        body.append(f"sdy.sharding_group %{index} group_id={index // 2} : {_TYPE}")
    return _main(body, values[-1])


def loops(count: int) -> str:
    """`count` while loops, one after the other."""
    values = ["%arg0", *(f"%{index}" for index in range(count))]
    return _main([_loop(f"%{index}", values[index], [], "%i") for index in range(count)], values[-1])


def nest(count: int) -> str:
    """`count` while loops, one in the other."""
    body: list[str] = []
    for depth in reversed(range(count)):
        value = "%arg0" if depth == 0 else f"%in{depth - 1}"
        body = [_loop(f"%{depth}", value, body, f"%in{depth}", f"%{depth + 1}" if body else None)]
    return _main(body, "%0")


def _loop(result: str, value: str, body: list[str], inner: str, returned: str | None = None) -> str:
    """A loop over one value; `body` computes `returned` from `inner`, or there is one op in it."""
    lines = body or [f"%neg{result[1:]} = stablehlo.negate {inner} : {_TYPE}"]
    cond = f"%true{result[1:]} = stablehlo.constant dense<true> : tensor<i1>"
    text = "\n".join(lines)
    return (
        f"{result} = stablehlo.while({inner} = {value}) : {_TYPE}\n"
        f"cond {{\n{cond}\nstablehlo.return %true{result[1:]} : tensor<i1>\n}} do {{\n{text}\n"
        f"stablehlo.return {returned or f'%neg{result[1:]}'} : {_TYPE}\n}}"
    )


PROGRAMS: dict[str, Callable[[int], str]] = {
    each.__name__: each for each in (chain, fan, call_graph, repeated_calls, meshes, groups, loops, nest)
}
"""Builders by name; the argument is how many there are of whatever there are many of."""
