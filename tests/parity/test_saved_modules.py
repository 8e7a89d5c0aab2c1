"""The export pipeline saves the modules that the reference saves, under the same names, with the same content."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdy
from tests.oracle import reference, reference_print, requires_reference

PROGRAM = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>},
                %b: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x32xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
"""

STAGE = "partitioner-stage=convert-global-to-local"

OPTIONS = [
    "",
    "avoid-export-for-partitioning=true",
    "enable-insert-explicit-collectives=true",
    "partitioner-stage=optimize-collectives",
    f"{STAGE} enable-per-instruction-partitioning=true per-instruction-partitioning-filter=dot",
]


def saved(folder: Path) -> dict[str, str]:
    return {file.name: reference_print(file.read_text()) for file in sorted(folder.iterdir())}


@requires_reference
@pytest.mark.parametrize("options", OPTIONS)
def test_saved_modules_equal_those_of_the_reference(options: str, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    reference(PROGRAM, f"sdy-export-pipeline{{dump-directory={theirs} {options}}}")
    sdy.run(sdy.parse(PROGRAM), f"sdy-export-pipeline{{dump-directory={ours} {options}}}")
    assert saved(ours) == saved(theirs)
    assert saved(ours)
