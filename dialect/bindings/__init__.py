"""Python modules of dialects whose bindings have none, found by the search prefix that `sdy.mlir` sets."""
