// RUN: sdy-opt %s --sdy-updates-to-pads | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The inner points, as of `x.at[1:-1].set(u)`: padded, and taken where they were written.
// CHECK-LABEL: func.func @inner
func.func @inner(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<14x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x6xf32> {
  // CHECK:      %[[PADDED:.*]] = stablehlo.pad %arg1, %{{.*}}, low = [1, 0], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // CHECK:      %[[PLACE:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xi32>
  // CHECK:      %[[FIRST:.*]] = stablehlo.compare GE, %[[PLACE]], %{{.*}}
  // CHECK:      %[[LAST:.*]] = stablehlo.compare LT, %[[PLACE]], %{{.*}}
  // CHECK:      %[[INSIDE:.*]] = stablehlo.and %[[FIRST]], %[[LAST]]
  // CHECK:      %[[PLACES:.*]] = stablehlo.broadcast_in_dim %[[INSIDE]], dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // CHECK-NEXT: %[[R:.*]] = stablehlo.select %[[PLACES]], %[[PADDED]], %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %2 = "stablehlo.scatter"(%arg0, %1, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x6xf32>, tensor<1xi32>, tensor<14x6xf32>) -> tensor<16x6xf32>
  return %2 : tensor<16x6xf32>
}

// What is added is padded with zeros. Along a dimension that is not sharded it may be anywhere.
// CHECK-LABEL: func.func @added
func.func @added(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<15x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x8xf32> {
  // CHECK:      %[[ZERO:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  // CHECK:      %[[PADDED:.*]] = stablehlo.pad %arg1, %[[ZERO]], low = [1, 0], high = [0, 1], interior = [0, 0]
  // CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg0, %[[PADDED]]
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %1 = "stablehlo.scatter"(%arg0, %0, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>, tensor<2xi32>, tensor<15x7xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

// Every other point along two dimensions, in the order of the dimensions; a third one has a single row.
// CHECK-LABEL: func.func @steps
func.func @steps(%arg0: tensor<16x3x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, %arg1: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x3x8xi32> {
  // CHECK:      %[[APART:.*]] = stablehlo.reshape %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {"y"}]>]>} : (tensor<8x4xi32>) -> tensor<8x1x4xi32>
  // CHECK:      %[[PADDED:.*]] = stablehlo.pad %[[APART]], %{{.*}}, low = [1, 2, 0], high = [0, 0, 1], interior = [1, 0, 1]
  // CHECK-NEXT: %[[MADE:.*]] = stablehlo.maximum %arg0, %[[PADDED]]
  // CHECK:      stablehlo.remainder
  // CHECK:      %[[R:.*]] = stablehlo.select %{{.*}}, %[[MADE]], %arg0
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.constant dense<[1, 3, 5, 7, 9, 11, 13, 15]> : tensor<8xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x4x1xi32>
  %2 = stablehlo.constant dense<2> : tensor<i32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<8x4x1xi32>
  %4 = stablehlo.constant dense<[0, 2, 4, 6]> : tensor<4xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4xi32>) -> tensor<8x4x1xi32>
  %6 = stablehlo.concatenate %1, %3, %5, dim = 2 : (tensor<8x4x1xi32>, tensor<8x4x1xi32>, tensor<8x4x1xi32>) -> tensor<8x4x3xi32>
  %7 = "stablehlo.scatter"(%arg0, %6, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %8 = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %8 : tensor<i32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {"y"}]>]>} : (tensor<16x3x8xi32>, tensor<8x4x3xi32>, tensor<8x4xi32>) -> tensor<16x3x8xi32>
  return %7 : tensor<16x3x8xi32>
}

// An update in place is moved until it is inside.
// CHECK-LABEL: func.func @slice
func.func @slice(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<15xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  // CHECK: stablehlo.pad %arg1, %{{.*}}, low = [1], high = [0], interior = [0]
  %0 = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %arg0, %arg1, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<15xf32>, tensor<i32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// What every device has, what would be sent as far as if it were gathered, places that are not known, a place that is
// written twice, and a window that is not all inside.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg3: tensor<i32>, %arg4: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  // CHECK-NOT: stablehlo.pad
  // CHECK: stablehlo.dynamic_update_slice
  // CHECK: stablehlo.dynamic_update_slice
  // CHECK: stablehlo.dynamic_update_slice
  // CHECK: "stablehlo.scatter"
  // CHECK: "stablehlo.scatter"
  // CHECK-NOT: stablehlo.pad
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %arg0, %arg1, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<8xf32>, tensor<i32>) -> tensor<16xf32>
  %2 = stablehlo.constant dense<12> : tensor<i32>
  %3 = stablehlo.dynamic_update_slice %1, %arg4, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<4xf32>, tensor<i32>) -> tensor<16xf32>
  %4 = stablehlo.dynamic_update_slice %3, %arg2, %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<8xf32>, tensor<i32>) -> tensor<16xf32>
  %5 = stablehlo.constant dense<[0, 1, 2, 3, 3, 4, 5, 6]> : tensor<8xi32>
  %6 = "stablehlo.scatter"(%4, %5, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<16xf32>
  %7 = stablehlo.constant dense<9> : tensor<1xi32>
  %8 = "stablehlo.scatter"(%6, %7, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<1xi32>, tensor<8xf32>) -> tensor<16xf32>
  return %8 : tensor<16xf32>
}
