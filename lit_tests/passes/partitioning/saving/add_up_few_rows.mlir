// RUN: sdy-opt %s --sdy-add-up-few-rows | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// One of four devices has the row: its bits are added to zeros.
// CHECK-LABEL: func.func @one_row
func.func @one_row(%arg0: tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x6xf32> {
  // CHECK-NEXT: %[[BITS:.*]] = stablehlo.bitcast_convert %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // CHECK-NEXT: %[[PLACED:.*]] = sdy.sharded_to_unreduced [{"x"}, {}] %[[BITS]] out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<1x6xi32>
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x"} %[[PLACED]] out_sharding=<@mesh, [{}, {}]> : tensor<1x6xi32>
  // CHECK-NEXT: %[[ROW:.*]] = stablehlo.bitcast_convert %[[SUM]]
  // CHECK-NEXT: return %[[ROW]]
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}

// Whole numbers are their own bits; what stays sharded does so.
// CHECK-LABEL: func.func @part
func.func @part(%arg0: tensor<1x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<1x6xi32> {
  // CHECK-NEXT: %[[PLACED:.*]] = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}>
  // CHECK-NEXT: sdy.all_reduce {"x"} %[[PLACED]] out_sharding=<@mesh, [{}, {"y"}]>
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<1x6xi32>
  return %0 : tensor<1x6xi32>
}

// Half of the devices have rows, one of two has: to gather them sends no more. Nor do rows that all have.
// CHECK-LABEL: func.func @enough
func.func @enough(
    %arg0: tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg1: tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %arg2: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x6xf32>, tensor<1x6xf32>, tensor<4x6xf32>) {
  // CHECK-COUNT-3: sdy.all_gather
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<2x6xf32>
  %1 = sdy.all_gather [{"y"}, {}] %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<1x6xf32>
  %2 = sdy.all_gather [{"x"}, {}] %arg2 out_sharding=<@mesh, [{}, {}]> : tensor<4x6xf32>
  return %0, %1, %2 : tensor<2x6xf32>, tensor<1x6xf32>, tensor<4x6xf32>
}

// Smaller numbers are widened to be added up, and complex ones have no bits.
// CHECK-LABEL: func.func @other_numbers
func.func @other_numbers(
    %arg0: tensor<1x6xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg1: tensor<1x6xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg2: tensor<1x6xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1x6xbf16>, tensor<1x6xi1>, tensor<1x6xcomplex<f32>>) {
  // CHECK-COUNT-3: sdy.all_gather
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<1x6xbf16>
  %1 = sdy.all_gather [{"x"}, {}] %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<1x6xi1>
  %2 = sdy.all_gather [{"x"}, {}] %arg2 out_sharding=<@mesh, [{}, {}]> : tensor<1x6xcomplex<f32>>
  return %0, %1, %2 : tensor<1x6xbf16>, tensor<1x6xi1>, tensor<1x6xcomplex<f32>>
}

// In a comparison a zero is a zero: the numbers themselves are added up.
// CHECK-LABEL: func.func @compared
func.func @compared(%arg0: tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x6xi1> {
  // CHECK-NEXT: %[[PLACED:.*]] = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<1x6xf32>
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x"} %[[PLACED]] out_sharding=<@mesh, [{}, {}]> : tensor<1x6xf32>
  // CHECK-NEXT: stablehlo.compare LT, %[[SUM]], %[[SUM]], FLOAT
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<1x6xf32>
  %1 = stablehlo.compare LT, %0, %0, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
  return %1 : tensor<1x6xi1>
}

// In a total order -0.0 comes before 0.0.
// CHECK-LABEL: func.func @in_total_order
func.func @in_total_order(%arg0: tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x6xi1> {
  // CHECK: sdy.all_reduce {"x"} {{.*}} : tensor<1x6xi32>
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<1x6xf32>
  %1 = stablehlo.compare LT, %0, %0, TOTALORDER : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
  return %1 : tensor<1x6xi1>
}
