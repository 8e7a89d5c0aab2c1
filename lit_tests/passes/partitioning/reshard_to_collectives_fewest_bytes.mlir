// RUN: sdy-opt %s --sdy-reshard-to-collectives=fewest-bytes=true | filecheck %s
// RUN: sdy-opt %s --sdy-reshard-to-collectives | filecheck %s --check-prefix=REFERENCE

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Two moves send 5/4 of what a device has; the reference's permute and two moves send twice what it has.
// CHECK-LABEL: func.func @both_move(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_to_all [{"y"}: 0->2] %arg0 out_sharding=<@mesh, [{}, {"x"}, {"y"}]> : tensor<8x32x16xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.all_to_all [{"x"}: 1->0] %[[V0]] out_sharding=<@mesh, [{"x"}, {}, {"y"}]> : tensor<8x32x16xf32>
// CHECK-NEXT:  return %[[V1]] : tensor<8x32x16xf32>
// REFERENCE-LABEL: func.func @both_move(
// REFERENCE:         sdy.collective_permute
// REFERENCE-COUNT-2: sdy.all_to_all
func.func @both_move(%arg0: tensor<8x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}) -> tensor<8x32x16xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}, {"y"}]> : tensor<8x32x16xf32>
  return %0 : tensor<8x32x16xf32>
}

// 12 rows have parts of 2 rows on 8 devices, of 6 on 2: the columns hold all axes meanwhile.
// CHECK-LABEL: func.func @uneven(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_to_all [{"y", "x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<12x64xf32>
// CHECK-NEXT:  %[[V1:.*]] = sdy.collective_permute %[[V0]] out_sharding=<@mesh, [{}, {"x", "y"}]> : tensor<12x64xf32>
// CHECK-NEXT:  %[[V2:.*]] = sdy.all_to_all [{"y"}: 1->0] %[[V1]] out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<12x64xf32>
// CHECK-NEXT:  return %[[V2]] : tensor<12x64xf32>
// REFERENCE-LABEL: func.func @uneven(
// REFERENCE:         sdy.all_gather [{"y", "x"}, {}] %arg0
func.func @uneven(%arg0: tensor<12x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) -> tensor<12x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<12x64xf32>
  return %0 : tensor<12x64xf32>
}

// One collective stays as it is.
// CHECK-LABEL: func.func @one_move(
// CHECK-NEXT:  %[[V0:.*]] = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<64x64xf32>
// CHECK-NEXT:  return %[[V0]] : tensor<64x64xf32>
func.func @one_move(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
