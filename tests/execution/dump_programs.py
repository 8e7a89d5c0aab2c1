"""Compiles the programs of `gspmd_programs` by XLA, and has it write them as HLO in front of and behind propagation.

python -m tests.execution.dump_programs FOLDER ENCODING

ENCODING is tiles (JAX and XLA without Shardy), named or strings.
"""

from __future__ import annotations

import os
import sys


def main(folder: str, encoding: str) -> None:
    passes = ".*(sharding-propagation|shardy-xla).*"
    flags = f"--xla_dump_to={folder} --xla_dump_hlo_as_text --xla_dump_hlo_pass_re={passes}"
    named = "--xla_enable_hlo_sharding_v3=false" if encoding == "strings" else ""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count=8 {flags} {named}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    from tests.execution import gspmd_programs

    if encoding == "tiles":
        jax.config.update("jax_use_shardy_partitioner", False)
    for program in gspmd_programs.PROGRAMS.values():
        jax.jit(program).lower(gspmd_programs.argument()).compile()


if __name__ == "__main__":
    main(*sys.argv[1:])
