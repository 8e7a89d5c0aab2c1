"""Sources as users write them: steps without shardings, and with shardings of which one is a mistake."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax.sharding import AxisType, NamedSharding, PartitionSpec as P\n\n"
MESH = 'mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)\n\n'
SHAPES = "\n\ndef f(*shape):\n    return jax.ShapeDtypeStruct(shape, 'float32')\n\n\ndef i(*shape):\n"
SHAPES += "    return jax.ShapeDtypeStruct(shape, 'int32')\n\n\nshapes = "


@dataclass(frozen=True)
class Source:
    """A function `step`, the shapes that it is lowered for, and shardings with a mistake as arguments of `jit`."""

    body: str
    shapes: str
    wrong: str

    def unsharded(self) -> str:
        """No sharding, and no mesh."""
        return f"{HEAD}\n{self.body}\n\njitted = jax.jit(step)\n{SHAPES}{self.shapes}\n"

    def sharded(self) -> str:
        """The shardings with the mistake."""
        before, _, call = self.wrong.rpartition("\n")
        return f"{HEAD}{MESH}{before}\n\n{self.body}\n\njitted = jax.jit(step, {call})\n{SHAPES}{self.shapes}\n"


UPDATE = """
def step(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
"""

SOURCES = {
    "mlp": Source(
        """
def loss(params, x, y):
    hidden = jax.nn.gelu(x @ params["up"])
    return jnp.mean((hidden @ params["down"] - y) ** 2)
"""
        + UPDATE,
        '({"up": f(1024, 4096), "down": f(4096, 1024)}, f(16384, 1024), f(16384, 1024))',
        """specs = {"up": P(None, "model"), "down": P(None, "model")}
params = jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=lambda spec: isinstance(spec, P))
rows = NamedSharding(mesh, P("data"))
in_shardings=(params, rows, rows), out_shardings=params""",
    ),
    "batch": Source(
        """
def loss(w, x):
    return jnp.sum(jnp.tanh(x @ w))


def step(w, x):
    return w - 0.1 * jax.grad(loss)(w, x)
""",
        "(f(1024, 1024), f(65536, 1024))",
        """weights = NamedSharding(mesh, P(None, "model"))
in_shardings=(weights, NamedSharding(mesh, P("model", None))), out_shardings=weights""",
    ),
    "embedding": Source(
        """
def loss(params, tokens):
    x = params["table"][tokens]
    for w in params["layers"]:
        x = x + jnp.tanh(x @ w)
    return jnp.mean(x**2)


def step(params, tokens):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params, tokens))
""",
        '({"table": f(32768, 1024), "layers": [f(1024, 1024)] * 2}, i(64, 256))',
        """specs = {"table": P(None, "data"), "layers": [P("data", "model"), P("data", "model")]}
params = jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=lambda spec: isinstance(spec, P))
in_shardings=(params, NamedSharding(mesh, P("data", None))), out_shardings=params""",
    ),
    "heads": Source(
        """
def step(x, wq, wk, wv, wo):
    batch, length, _ = x.shape
    q, k, v = ((x @ w).reshape(batch, length, 6, -1) for w in (wq, wk, wv))
    weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), -1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, length, -1) @ wo
""",
        "(f(8, 1024, 768), f(768, 768), f(768, 768), f(768, 768), f(768, 768))",
        """columns = NamedSharding(mesh, P(None, "data"))
rows = NamedSharding(mesh, P("model", None, None))
in_shardings=(rows, columns, columns, columns, NamedSharding(mesh, P("data"))), out_shardings=rows""",
    ),
    "momentum": Source(
        """
def loss(params, x):
    return jnp.mean((jax.nn.gelu(x @ params["up"]) @ params["down"]) ** 2)


def step(params, momentum, x):
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, jax.grad(loss)(params, x))
    return jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum), momentum
""",
        '(w := {"up": f(1024, 4096), "down": f(4096, 1024)}, w, f(16384, 1024))',
        """weights = {"up": NamedSharding(mesh, P("data", "model")), "down": NamedSharding(mesh, P("model", "data"))}
whole = {"up": NamedSharding(mesh, P()), "down": NamedSharding(mesh, P())}
in_shardings=(weights, whole, NamedSharding(mesh, P("data"))), out_shardings=(weights, whole)""",
    ),
    "constraint": Source(
        """
def loss(params, x, y):
    hidden = jax.nn.gelu(x @ params["up"])
    return jnp.mean((hidden @ params["down"] - y) ** 2)
"""
        + UPDATE,
        '({"up": f(1024, 4096), "down": f(4096, 1024)}, f(16384, 1024), f(16384, 1024))',
        """params = {"up": NamedSharding(mesh, P(None, "model")), "down": NamedSharding(mesh, P("model"))}
rows = NamedSharding(mesh, P("data"))
in_shardings=(params, rows, rows), out_shardings=params""",
    ),
    "head": Source(
        """
def step(head, x, targets):
    logits = jax.nn.log_softmax(x @ head)
    return -jnp.mean(jnp.take_along_axis(logits, targets[:, None], -1))
""",
        "(f(512, 32768), f(4096, 512), i(4096))",
        """rows = NamedSharding(mesh, P("data"))
in_shardings=(NamedSharding(mesh, P("model", None)), rows, rows)""",
    ),
    "decode": Source(
        """
def step(q, keys, values, new, at):
    keys = jax.lax.dynamic_update_slice(keys, new, (0, at, 0, 0))
    weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, keys), -1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, values), keys
""",
        "(f(64, 1, 32, 128), f(64, 2048, 32, 128), f(64, 2048, 32, 128), f(64, 1, 32, 128), i())",
        """heads = NamedSharding(mesh, P("data", None, "model"))
cache = NamedSharding(mesh, P("data", "model"))
in_shardings=(heads, cache, cache, heads, NamedSharding(mesh, P())), out_shardings=(heads, cache)""",
    ),
    "convolution": Source(
        """
def step(kernel, x):
    numbers = jax.lax.conv_dimension_numbers(x.shape, kernel.shape, ("NWC", "WIO", "NWC"))
    for _ in range(3):
        x = jnp.tanh(jax.lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=numbers))
    return jnp.mean(jax.nn.softmax(x, 1) ** 2)
""",
        "(f(5, 512, 512), f(64, 2048, 512))",
        """def on(*axes):
    return NamedSharding(mesh, P(*axes))

in_shardings=(on(), on(None, "data"))""",
    ),
    "scan": Source(
        """
def block(x, w):
    return x + jnp.tanh(x @ w["in"]) @ w["out"], None


def step(weights, x):
    return jax.lax.scan(block, x, weights)[0]
""",
        '({"in": f(4, 512, 2048), "out": f(4, 2048, 512)}, f(4096, 512))',
        """columns = P(None, None, "model")
weights = {"in": NamedSharding(mesh, columns), "out": NamedSharding(mesh, P(None, None, "model"))}
in_shardings=(weights, NamedSharding(mesh, P("data"))), out_shardings=NamedSharding(mesh, P("data"))""",
    ),
}

CONSTRAINED = 'hidden = jax.lax.with_sharding_constraint(jax.nn.gelu(x @ params["up"]), '
CONSTRAINED += 'NamedSharding(mesh, P("model", "data")))'
"""The mistake of the source `constraint`."""
