// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=known-windows | filecheck %s
// RUN: sdy-opt %s --sdy-split-ops=enable-patterns=known-windows | filecheck %s --check-prefix=SPLIT

sdy.mesh @mesh = <["x"=4]>

// Rows 1 to 30; a window from row 7 on would not fit into 32 rows, and moves.
// CHECK-LABEL: func.func @rows
func.func @rows(%arg0: tensor<32x8xf32>) -> (tensor<30x8xf32>, tensor<30x8xf32>) {
  // CHECK: %[[S:.*]] = stablehlo.slice %arg0 [1:31, 0:8]
  // CHECK: %[[T:.*]] = stablehlo.slice %arg0 [2:32, 0:8]
  // CHECK-NEXT: return %[[S]], %[[T]]
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c7 = stablehlo.constant dense<7> : tensor<1xi32>
  %i = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %0 = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 30, 8>}> : (tensor<32x8xf32>, tensor<1xi32>) -> tensor<30x8xf32>
  %1 = "stablehlo.gather"(%arg0, %c7) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 30, 8>}> : (tensor<32x8xf32>, tensor<1xi32>) -> tensor<30x8xf32>
  return %0, %1 : tensor<30x8xf32>, tensor<30x8xf32>
}

// One row, as often as there are indices.
// CHECK-LABEL: func.func @repeated
func.func @repeated(%arg0: tensor<32x8xf32>) -> tensor<8x3xf32> {
  // CHECK: %[[S:.*]] = stablehlo.slice %arg0 [5:6, 0:8]
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[S]] : (tensor<1x8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %[[R]], dims = [0] : (tensor<8xf32>) -> tensor<8x3xf32>
  %c = stablehlo.constant dense<5> : tensor<3x1xi32>
  %0 = "stablehlo.gather"(%arg0, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<3x1xi32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// Of each row of a batch the same elements; the batch comes last in the result.
// CHECK-LABEL: func.func @batch
func.func @batch(%arg0: tensor<6x32xf32>) -> tensor<30x6xf32> {
  // CHECK: %[[S:.*]] = stablehlo.slice %arg0 [0:6, 1:31]
  // CHECK-NEXT: stablehlo.transpose %[[S]], dims = [1, 0]
  %c = stablehlo.constant dense<1> : tensor<6x1xi32>
  %0 = "stablehlo.gather"(%arg0, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 30>}> : (tensor<6x32xf32>, tensor<6x1xi32>) -> tensor<30x6xf32>
  return %0 : tensor<30x6xf32>
}

// The index is a variable that the loop leaves as it is.
// CHECK-LABEL: func.func @in_loop
func.func @in_loop(%arg0: tensor<32xf32>) -> tensor<32xf32> {
  // CHECK: stablehlo.while
  // CHECK: stablehlo.slice %{{.*}} [1:31]
  %c = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %c, %k = %n, %x = %arg0) : tensor<1xi32>, tensor<i32>, tensor<32xf32>
  cond {
    %most = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %k, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 30>}> : (tensor<32xf32>, tensor<1xi32>) -> tensor<30xf32>
    %2 = stablehlo.pad %1, %zero, low = [2], high = [0], interior = [0] : (tensor<30xf32>, tensor<f32>) -> tensor<32xf32>
    %3 = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %i, %3, %2 : tensor<1xi32>, tensor<i32>, tensor<32xf32>
  }
  return %0#2 : tensor<32xf32>
}

// Windows at two places, and one at an unknown place, stay.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<32xf32>, %arg1: tensor<1xi32>) -> (tensor<2x30xf32>, tensor<30xf32>) {
  // CHECK: "stablehlo.gather"
  // CHECK: "stablehlo.gather"
  %c = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%arg0, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 30>}> : (tensor<32xf32>, tensor<2x1xi32>) -> tensor<2x30xf32>
  %1 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 30>}> : (tensor<32xf32>, tensor<1xi32>) -> tensor<30xf32>
  return %0, %1 : tensor<2x30xf32>, tensor<30xf32>
}

// A sum is padded by what changes no number, -0.0.
// SPLIT-LABEL: func.func @add
func.func @add(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<32xf32> {
  // SPLIT: %[[ZERO:.*]] = stablehlo.constant dense<-0.000000e+00>
  // SPLIT-NEXT: %[[P:.*]] = stablehlo.pad %arg1, %[[ZERO]], low = [1], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // SPLIT-NEXT: stablehlo.add %arg0, %[[P]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // SPLIT-NEXT: return
  %c = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%arg0, %c, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>, tensor<1xi32>, tensor<30xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// What is written is taken where it is written: from element 2 on.
// SPLIT-LABEL: func.func @write
func.func @write(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<32xf32> {
  // SPLIT: %[[P:.*]] = stablehlo.pad %arg1, %{{.*}}, low = [2], high = [0], interior = [0]
  // SPLIT: %[[I:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // SPLIT: %[[GE:.*]] = stablehlo.compare GE, %[[I]], %{{.*}} {sdy.sharding
  // SPLIT-NEXT: %[[PLACES:.*]] = stablehlo.broadcast_in_dim %[[GE]], dims = [0]
  // SPLIT-NEXT: stablehlo.select %[[PLACES]], %[[P]], %arg0 {sdy.sharding
  // SPLIT-NEXT: return
  %c = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>, tensor<30xf32>, tensor<i32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// An update that every device has, and one at an unknown place, stay.
// SPLIT-LABEL: func.func @not_exchanged
func.func @not_exchanged(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<30xf32>, %arg2: tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg3: tensor<i32>) -> (tensor<32xf32>, tensor<32xf32>) {
  // SPLIT: stablehlo.dynamic_update_slice %arg0, %arg1
  // SPLIT: stablehlo.dynamic_update_slice %arg0, %arg2
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>, tensor<30xf32>, tensor<i32>) -> tensor<32xf32>
  %1 = stablehlo.dynamic_update_slice %arg0, %arg2, %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<32xf32>, tensor<30xf32>, tensor<i32>) -> tensor<32xf32>
  return %0, %1 : tensor<32xf32>, tensor<32xf32>
}
