"""StableHLO alone: result types, verification, builders, independent of shardings.

    from sdy.stablehlo import infer_return_types, verify_module, InferenceError

    infer_return_types("stablehlo.transpose", [x], {"permutation": ir.DenseI64ArrayAttr.get([1, 0])})

An op's declaration, shape function and verifier are in the file of its family in `families/`; rules shared by ops are
in the files beside it. Ops of other dialects join by `register_op` or as classes with `typed_op`; with the trait
`InferredTypes` the bindings verify them. Builders are in `sdy.stablehlo.ops`.
"""

from __future__ import annotations

from sdy.lazy_dataclass import listed, loader

_WHERE = listed(__file__)
__getattr__ = loader(__name__, _WHERE)
__all__ = sorted(_WHERE)  # pyright: ignore[reportUnsupportedDunderAll]
