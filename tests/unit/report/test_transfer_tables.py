"""Tables of what is sent: the largest first, with shares, cut after some rows, wrapped to a width."""

from __future__ import annotations

import sdy
from sdy.report.transfer_tables import share_text, transfer_table

TEXT = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %c: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = stablehlo.tanh %b : tensor<64x64xf32> loc("jit(f)/a_layer_with_a_name/tanh"("f.py":4:7))
  %2 = stablehlo.sine %c : tensor<64x64xf32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
"""


def test_the_largest_come_first_with_their_share() -> None:
    report = sdy.communication(TEXT)
    lines = report.table().splitlines()
    assert lines[0].split()[:9] == "id collective axes group times bytes per device share".split()
    sent = [int(line.split()[5].replace(",", "")) for line in lines[1:4]]
    assert sent == sorted(sent, reverse=True) == [8192, 8192, 384]
    assert [line.split()[6:8] for line in lines[1:4]] == [["48.9", "%"], ["48.9", "%"], ["2.3", "%"]]
    assert [one.id for one in report.transfers] == ["c0", "c1", "c2"], "the report itself is in program order"


def test_the_rest_is_counted() -> None:
    report = sdy.communication(TEXT)
    lines = report.table(most=1).splitlines()
    assert lines[2] == "... and 2 more, 8,576 bytes (51.1 %)"
    assert lines[4].split()[-2:] == ["device", "share"]
    assert "more" not in report.table(most=None)


def test_a_line_is_as_wide_as_the_terminal() -> None:
    report = sdy.communication(TEXT)
    listing = transfer_table(report.transfers, width=90)
    assert all(len(line) <= 90 for line in listing.splitlines())
    words = listing.split()
    assert words.count("[{},") == report.table().split().count("[{},"), "nothing is cut off"
    narrow = transfer_table(report.transfers, width=10)
    assert max(map(len, narrow.splitlines())) <= 64 and narrow.splitlines()[1].startswith("    serves")


def test_one_line() -> None:
    report = sdy.communication(TEXT)
    assert report.summary == "3 collectives, 16,768 bytes sent by each device: 100.0 % all_gather"
    assert sdy.communication("func.func @main() { return }").summary == "no communication"
    assert share_text(0, 0) == ""
