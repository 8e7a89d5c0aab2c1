// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Devices that have nothing to add to a maximum have minus infinity.
// Unlike the reference, which aborts.
// CHECK-LABEL: func.func @replicated_to_unreduced
func.func @replicated_to_unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.dynamic_slice %[[C]], %[[V0]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.reshape %[[V1]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[CST:.*]] = stablehlo.constant dense<0xFF800000> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.select %[[V2]], %arg0, %[[CST]] : tensor<i1>, tensor<8xf32>
  // CHECK-NEXT: return %[[V3]] : tensor<8xf32>
  %0 = sdy.replicated_to_unreduced {"x"} %arg0 out_sharding=<@mesh, [{}], unreduced=max{"x"}> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The largest number of 64 bits without a sign is not a number with a sign.
// Unlike the reference, which aborts.
// CHECK-LABEL: func.func @minimum_of_unsigned
func.func @minimum_of_unsigned(%arg0: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=min{"x"}>}) {
  // CHECK: stablehlo.constant dense<18446744073709551615> : tensor<2xui64>
  %0 = sdy.replicated_to_unreduced {"x"} %arg0 out_sharding=<@mesh, [{}], unreduced=min{"x"}> : tensor<2xui64>
  return %0 : tensor<2xui64>
}

// So have those that are not the first along the axes of the updates.
// Unlike the reference, which takes the lowest finite number.
// CHECK-LABEL: func.func @scatter_max
func.func @scatter_max(%arg0: tensor<8xf32>, %arg1: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CST:.*]] = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.broadcast_in_dim %[[CST]], dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.dynamic_slice %[[C]], %[[V1]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.reshape %[[V2]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.select %[[V3]], %arg0, %[[V0]] : tensor<i1>, tensor<8xf32>
  // CHECK-NEXT: %[[V5:.*]] = "stablehlo.scatter"(%[[V4]], %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT: %[[V7:.*]] = stablehlo.maximum %arg3, %arg4 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[V7]] : tensor<f32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V6:.*]] = "stablehlo.all_reduce"(%[[V5]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT: %[[V7:.*]] = stablehlo.maximum %arg3, %arg4 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[V7]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V6]] : tensor<8xf32>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Devices with one part draw the same random numbers: those of the first one.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @rng
func.func @rng(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<8> : tensor<1xi64>
  // CHECK-NEXT: %[[C_0:.*]] = stablehlo.constant dense<4> : tensor<1xi64>
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.rng %arg0, %arg1, %[[C_0]], distribution = UNIFORM {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_1:.*]] = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.dynamic_slice %[[C_1]], %[[V1]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.reshape %[[V2]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[CST:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.select %[[V3]], %[[V0]], %[[CST]] : tensor<i1>, tensor<4xf32>
  // CHECK-NEXT: %[[V5:.*]] = "stablehlo.all_reduce"(%[[V4]]) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[V6:.*]] = stablehlo.add %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[V6]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[V5]] : tensor<4xf32>
  %0 = stablehlo.constant dense<[8]> : tensor<1xi64>
  %1 = stablehlo.rng %arg0, %arg1, %0, distribution = UNIFORM {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Updates for a sharded dimension that the indices do not name go to the device that has its first element.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @scatter_inserted
func.func @scatter_inserted(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<4x1xi32>, %arg2: tensor<4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  // CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK-NEXT: %[[V5:.*]] = stablehlo.add %arg3, %arg4 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[V5]] : tensor<f32>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.dynamic_slice %[[C]], %[[V1]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.reshape %[[V2]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[V4:.*]] = stablehlo.select %[[V3]], %[[V0]], %arg0 : tensor<i1>, tensor<4x4xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<4x4xf32>
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// An update that spans the rows can only be written at index 0, on every device: the index stays as it is.
// Unlike the reference, which subtracts where the device's rows begin, and writes on the first device only.
// CHECK-LABEL: func.func @scatter_whole
// CHECK-SAME: (%arg0: tensor<4x2xf32>{{.*}}, %arg1: tensor<1xi32>, %arg2: tensor<4x2xf32>{{.*}})
func.func @scatter_whole(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<1xi32>, %arg2: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = "stablehlo.scatter"(%arg0, %arg1, %arg2)
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x2xf32>, tensor<1xi32>, tensor<8x2xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// What is to be a partial sum is counted by the first device along the axes only.
// Unlike the reference, where all count it.
// CHECK-LABEL: func.func @iota_left_unreduced
func.func @iota_left_unreduced() -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<4xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[FIRST:.*]] = stablehlo.reshape %[[V1]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.select %[[FIRST]], %[[IOTA]], %[[ZERO]] : tensor<i1>, tensor<4xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<4xf32>
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The largest of equal values is what they are: all devices may count it. Unlike the reference, which aborts.
// CHECK-LABEL: func.func @constant_left_unreduced
func.func @constant_left_unreduced() -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced=max{"x"}>}) {
  // CHECK-NEXT: %[[CST:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<4xf32>
  // CHECK-NEXT: return %[[CST]] : tensor<4xf32>
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced=max{"x"}>]>} dense<3.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Along dimensions that are not sharded all offsets are one constant.
// CHECK-LABEL: func.func @sharded_to_unreduced
func.func @sharded_to_unreduced(%arg0: tensor<2x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<2x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[WHOLE:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<2x4x8xf32>
  // CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK:      %[[OFFSET:.*]] = stablehlo.reshape %{{.*}} : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.dynamic_update_slice %[[WHOLE]], %arg0, %[[ZERO]], %[[OFFSET]], %[[ZERO]]
  // CHECK-NEXT: return %[[V0]]
  %0 = sdy.sharded_to_unreduced [{}, {"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// Of a top-k along another dimension each device computes its part.
// CHECK-LABEL: func.func @top_k
func.func @top_k(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[VALUES:.*]], %{{.*}} = chlo.top_k(%arg0, k = 2) {{.*}} : tensor<4x16xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  // CHECK-NEXT: return %[[VALUES]] : tensor<4x2xf32>
  %0:2 = chlo.top_k(%arg0, k = 2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>} : tensor<8x16xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
  return %0#0 : tensor<8x2xf32>
}
