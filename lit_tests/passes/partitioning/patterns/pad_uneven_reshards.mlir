// RUN: sdy-opt %s --sdy-place-reshards=enable-patterns=pad-uneven-reshards | filecheck %s
// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s --check-prefix=LOCAL

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Four parts of 2 rows are not two parts of 3: "y" moves to the columns of 8 rows, and one row crosses the border.
// CHECK-LABEL: func.func @main
// LOCAL-LABEL: func.func @main
func.func @main(%arg0: tensor<6x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK: %[[N:.*]] = stablehlo.negate
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00>
  // CHECK-NEXT: %[[P:.*]] = stablehlo.pad %[[N]], %[[ZERO]], low = [0, 0], high = [2, 0], interior = [0, 0] {sdy.any_padding, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>} : (tensor<6x32xf32>, tensor<f32>) -> tensor<8x32xf32>
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %[[P]] <@mesh, [{"x"}, {"y"}]> : tensor<8x32xf32>
  // CHECK-NEXT: stablehlo.slice %[[R]] [0:6, 0:32] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}
  // LOCAL-NOT: all_gather
  // LOCAL: "stablehlo.all_to_all"
  // LOCAL: "stablehlo.collective_permute"
  // LOCAL-NOT: all_gather
  // LOCAL-NOT: any_padding
  // LOCAL: return
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", "y"}, {}]> : tensor<6x32xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>} : tensor<6x32xf32>
  %2 = sdy.reshard %1 <@mesh, [{"x"}, {"y"}]> : tensor<6x32xf32>
  return %2 : tensor<6x32xf32>
}

// Where sizes divide, and where all is gathered, nothing is padded.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8x32xf32>, %arg1: tensor<6x32xf32>) -> (tensor<8x32xf32>, tensor<6x32xf32>) {
  // CHECK-NOT: stablehlo.pad
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>} : tensor<8x32xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}, {"y"}]> : tensor<8x32xf32>
  %2 = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>} : tensor<6x32xf32>
  %3 = sdy.reshard %2 <@mesh, [{}, {}]> : tensor<6x32xf32>
  return %1, %3 : tensor<8x32xf32>, tensor<6x32xf32>
}
