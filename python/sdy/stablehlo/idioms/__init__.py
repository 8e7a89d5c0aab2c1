"""What StableHLO programs are made of, recognised: constants, bodies of reductions, loops that count."""
