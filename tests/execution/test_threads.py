"""Threads that use the package at once, in a process in which nothing has been done before."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import depth

TEXT = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


@depth.deep
def test_threads_find_what_one_finds_alone() -> None:
    count = ["--programs=30", "--rounds=3"] if depth.ALL else ["--programs=2", "--rounds=1"]
    _passes("tests.execution.threads", *count)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_programs_do_not_depend_on_what_was_there_before() -> None:
    """Text, warnings and remarks, in orders, contexts and threads of all sorts."""
    _passes("tests.execution.orders", *["--all"] * depth.ALL)


def _passes(module: str, *arguments: str) -> None:
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_process_goes_on() -> None:
    program = f"""
import os, sys, threading, warnings
import sdy
text = {TEXT!r}
warnings.simplefilter("ignore")
expected, going = sdy.partition(text).text, True
def work():
    while going:
        sdy.partition(text)
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
codes = []
for _ in range(5):
    child = os.fork()
    if not child:
        os._exit(sdy.partition(text).text != expected)
    codes.append(os.waitpid(child, 0)[1])
going = False
for thread in threads:
    thread.join()
sys.exit(any(codes))
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
