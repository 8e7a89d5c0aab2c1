// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=idle-reshards --split-input-file | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline --split-input-file | filecheck %s --check-prefix=LOCAL

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The reshard changes nothing; what the user or a plan wrote stays, and so does what moves data.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:  %[[X:.*]] = stablehlo.negate %arg0
// CHECK-NEXT:  %[[GIVEN:.*]] = sdy.reshard %[[X]] <@mesh, [{"x"}]> {sdy.given} : tensor<8xf32>
// CHECK-NEXT:  %[[Y:.*]] = sdy.reshard %[[X]] <@mesh, [{"y"}]> : tensor<8xf32>
// CHECK-NEXT:  return %[[X]], %[[GIVEN]], %[[Y]]
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>
  %2 = sdy.reshard %0 <@mesh, [{"x"}]> {sdy.given} : tensor<8xf32>
  %3 = sdy.reshard %0 <@mesh, [{"y"}]> : tensor<8xf32>
  return %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>

// As JAX writes a shift in a function that is manual along "x" alone: each op has a constraint that asks for nothing.
// LOCAL-LABEL: func.func @main
// LOCAL:       %[[LAST:.*]] = stablehlo.slice %arg0 [0:2, 7:8, 0:16] : (tensor<2x8x16xf32>) -> tensor<2x1x16xf32>
// LOCAL-NEXT:  "stablehlo.collective_permute"(%[[LAST]])
// LOCAL-NOT:   stablehlo.all_
func.func @main(%arg0: tensor<8x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) -> tensor<8x16x16xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}, {?}]>] manual_axes={"x"} (%arg1: tensor<2x16x16xf32>) {
    %1 = stablehlo.slice %arg1 [0:2, 15:16, 0:16] : (tensor<2x16x16xf32>) -> tensor<2x1x16xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x16xf32>
    %3 = stablehlo.slice %arg1 [0:2, 0:15, 0:16] : (tensor<2x16x16xf32>) -> tensor<2x15x16xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{?}, {?}, {?}]> : tensor<2x15x16xf32>
    %5 = stablehlo.concatenate %2, %4, dim = 1 : (tensor<2x1x16xf32>, tensor<2x15x16xf32>) -> tensor<2x16x16xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{?}, {?}, {?}]> : tensor<2x16x16xf32>
    sdy.return %6 : tensor<2x16x16xf32>
  } : (tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  return %0 : tensor<8x16x16xf32>
}
