// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=reshard-before-products | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The parts of the factor have fewer elements than those of the sum.
// CHECK-LABEL: func.func @scattered
func.func @scattered(%arg0: tensor<16x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %arg1 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %arg0, %[[MOVED]], contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  // CHECK-NEXT: return %[[PRODUCT]]
  %0 = sdy.all_slice [{}, {"x"}] %arg0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %2 = sdy.reduce_scatter [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// Both factors are in parts, and much smaller than the sum; it is transposed before it is scattered.
// CHECK-LABEL: func.func @gradient
func.func @gradient(%arg0: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<64x64xf32> {
  // CHECK-DAG: %[[A:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]> : tensor<4x64xf32>
  // CHECK-DAG: %[[B:.*]] = sdy.reshard %arg1 <@mesh, [{}, {"y"}]> : tensor<4x64xf32>
  // CHECK: %[[PRODUCT:.*]] = stablehlo.dot_general %[[B]], %[[A]], contracting_dims = [0] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>}
  // CHECK-NEXT: %[[TURNED:.*]] = stablehlo.transpose %[[PRODUCT]], dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}
  // CHECK-NEXT: return %[[TURNED]]
  %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}], unreduced={"x"}>]>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = sdy.reduce_scatter [{"x"}, {}] %1 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// What all devices need is made in parts of rows, and gathered.
// CHECK-LABEL: func.func @whole
func.func @whole(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %arg1: tensor<8x8xf32>) -> tensor<16x8xf32> {
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %arg0 <@mesh, [{"y", "x"}, {}]> : tensor<16x8xf32>
  // CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %[[MOVED]], %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", "x"}, {}]>]>}
  // CHECK-NEXT: %[[GATHERED:.*]] = sdy.reshard %[[PRODUCT]] <@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  // CHECK-NEXT: return %[[GATHERED]]
  %0 = sdy.all_slice [{"x"}, {}] %arg1 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// A factor would be gathered; it is no smaller than what is scattered; parts would be uneven; others need the parts.
// CHECK-LABEL: func.func @stays
func.func @stays(
    %arg0: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg2: tensor<2x8xf32>,
    %arg3: tensor<8x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %arg4: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x8xf32>, tensor<2x64xf32>, tensor<3x128xf32>, tensor<64x8xf32>, tensor<64x8xf32>) {
  // CHECK: sdy.all_reduce
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<64x8xf32>
  // CHECK: sdy.reduce_scatter
  %2 = sdy.all_slice [{}, {"x"}] %arg2 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x8xf32>
  %3 = stablehlo.dot_general %2, %arg0, contracting_dims = [1] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<2x8xf32>, tensor<64x8xf32>) -> tensor<2x64xf32>
  %4 = sdy.reduce_scatter [{}, {"x"}] %3 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x64xf32>
  // CHECK: sdy.all_reduce
  %5 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<3x8xf32>, tensor<8x128xf32>) -> tensor<3x128xf32>
  %6 = sdy.all_reduce {"x"} %5 out_sharding=<@mesh, [{}, {}]> : tensor<3x128xf32>
  // CHECK: sdy.reduce_scatter
  %7 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %8 = sdy.reduce_scatter [{"x"}, {}] %7 out_sharding=<@mesh, [{"x"}, {}]> : tensor<64x8xf32>
  return %1, %4, %6, %7, %8 : tensor<64x8xf32>, tensor<2x64xf32>, tensor<3x128xf32>, tensor<64x8xf32>, tensor<64x8xf32>
}

// A number has no dimension along which it could be made in parts.
// CHECK-LABEL: func.func @number
func.func @number(%arg0: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
  // CHECK: sdy.all_reduce
  %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, []> : tensor<f32>
  return %1 : tensor<f32>
}
