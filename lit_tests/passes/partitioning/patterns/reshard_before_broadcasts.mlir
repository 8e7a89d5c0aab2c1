// RUN: sdy-opt %s --sdy-place-reshards=enable-patterns=reshard-before-broadcasts | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// What is smaller is moved.
// CHECK-LABEL: func.func @bias
func.func @bias(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<64x8xf32> {
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[REPEATED:.*]] = stablehlo.broadcast_in_dim %[[MOVED]], dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : (tensor<8xf32>) -> tensor<64x8xf32>
  // CHECK-NEXT: return %[[REPEATED]]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<8xf32>) -> tensor<64x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"y"}, {"x"}]> : tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}

// A dimension of size 1 that is repeated has no axes; what others need of the broadcast stays.
// CHECK-LABEL: func.func @pairs
func.func @pairs(%arg0: tensor<1x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) -> (tensor<64x8x16xf32>, tensor<64x8x16xf32>) {
  // CHECK-NEXT: %[[HERE:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2]
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}, {}]> : tensor<1x8x16xf32>
  // CHECK-NEXT: %[[THERE:.*]] = stablehlo.broadcast_in_dim %[[MOVED]], dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}, {}]>]>}
  // CHECK-NEXT: return %[[HERE]], %[[THERE]]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>} : (tensor<1x8x16xf32>) -> tensor<64x8x16xf32>
  %1 = sdy.reshard %0 <@mesh, [{"y"}, {"x"}, {}]> : tensor<64x8x16xf32>
  return %0, %1 : tensor<64x8x16xf32>, tensor<64x8x16xf32>
}

// Of a dimension that is repeated, parts are gathered by repeating once more: nothing is sent.
// CHECK-LABEL: func.func @repeated
func.func @repeated(%arg0: tensor<8xf32>) -> tensor<64x8xf32> {
  // CHECK-NEXT: %[[REPEATED:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  // CHECK-NEXT: return %[[REPEATED]]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8xf32>) -> tensor<64x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}

// A broadcast that each device takes a part of sends nothing; one that only reorders is no larger; partial values stay.
// CHECK-LABEL: func.func @stays
func.func @stays(%arg0: tensor<8xf32>, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<64x8xf32>, tensor<8x1x16xf32>, tensor<64x8xf32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0
  // CHECK-NEXT: sdy.reshard %[[A]]
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1
  // CHECK-NEXT: sdy.reshard %[[B]]
  // CHECK-NEXT: %[[C:.*]] = stablehlo.broadcast_in_dim %arg2
  // CHECK-NEXT: sdy.reshard %[[C]]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<64x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}, {}]> : tensor<64x8xf32>
  %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
  %3 = sdy.reshard %2 <@mesh, [{}, {}, {"x"}]> : tensor<8x1x16xf32>
  %4 = stablehlo.broadcast_in_dim %arg2, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<8xf32>) -> tensor<64x8xf32>
  %5 = sdy.reshard %4 <@mesh, [{}, {}], unreduced={"x"}> : tensor<64x8xf32>
  return %1, %3, %5 : tensor<64x8xf32>, tensor<8x1x16xf32>, tensor<64x8xf32>
}
