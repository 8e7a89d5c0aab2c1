"""Parts of `sdy-hlo`."""
