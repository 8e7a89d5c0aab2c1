"""How each op becomes the op that one device executes (spec: partitioner, 7); one file per family."""
