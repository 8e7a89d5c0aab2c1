// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true local-updates=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A window at a known place is written by the devices that have it.
// CHECK-LABEL: func.func @set
func.func @set(%arg0: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<3x4xf32>) -> tensor<16x4xf32> {
  // CHECK:      %[[INDEX:.*]] = stablehlo.constant dense<5> : tensor<i32>
  // CHECK:      %[[SET:.*]] = stablehlo.dynamic_update_slice %arg0, %arg1, %[[INDEX]], %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  // CHECK-NEXT: %[[SAME:.*]] = sdy.reshard %[[SET]] <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: return %[[SAME]]
  %0 = stablehlo.constant dense<5> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %2 = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<16x4xf32>
  %3 = "stablehlo.scatter"(%2, %1, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    stablehlo.return %arg3 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<16x4xf32>, tensor<1xi32>, tensor<3x4xf32>) -> tensor<16x4xf32>
  %4 = sdy.reshard %3 <@mesh, [{"x"}, {}]> : tensor<16x4xf32>
  return %4 : tensor<16x4xf32>
}

// A window that may reach out of the tensor is left out then. Zeros are added where there is none.
// CHECK-LABEL: func.func @add
func.func @add(%arg0: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<3x4xf32>, %arg2: tensor<1xi32>) -> tensor<16x4xf32> {
  // CHECK:      %[[INDEX:.*]] = stablehlo.reshape %{{.*}} : (tensor<1xi32>) -> tensor<i32>
  // CHECK:      %[[UPDATE:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %arg1, %[[INDEX]], %{{.*}}
  // CHECK:      %[[SUM:.*]] = stablehlo.add %arg0, %[[UPDATE]]
  // CHECK:      stablehlo.compare GE, %[[INDEX]]
  // CHECK:      stablehlo.compare LE, %[[INDEX]]
  // CHECK:      %[[INSIDE:.*]] = stablehlo.and
  // CHECK-NEXT: stablehlo.select %[[INSIDE]], %[[SUM]], %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  %0 = sdy.reshard %arg0 <@mesh, [{}, {}]> : tensor<16x4xf32>
  %1 = "stablehlo.scatter"(%0, %arg2, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %3 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<16x4xf32>, tensor<1xi32>, tensor<3x4xf32>) -> tensor<16x4xf32>
  %2 = sdy.reshard %1 <@mesh, [{"x"}, {}]> : tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}
