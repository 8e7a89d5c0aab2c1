// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// A splat becomes one of the local shape; of other constants a device takes its part.
// CHECK-LABEL: func.func @constants
// CHECK-SAME: () -> (tensor<2xf32>{{.*}}, tensor<2xf32>{{.*}}) {
func.func @constants() -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<[0, 0, 2, 2]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_3]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[R]], sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  // CHECK-NEXT: return %[[C]], %[[DS_2]] : tensor<2xf32>, tensor<2xf32>
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  %1 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Complex constants too.
// CHECK-LABEL: func.func @complex_constant
// CHECK-SAME: () -> (tensor<1xcomplex<f32>>{{.*}}) {
func.func @complex_constant() -> (tensor<2xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f32>>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[C]], %[[R]], sizes = [1] : (tensor<2xcomplex<f32>>, tensor<i32>) -> tensor<1xcomplex<f32>>
  // CHECK-NEXT: return %[[DS_2]] : tensor<1xcomplex<f32>>
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// Of elements without values each device makes those it has.
// CHECK-LABEL: func.func @without_values
// CHECK-SAME: () -> (tensor<2x4xf32>{{.*}}) {
func.func @without_values() -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {
  // CHECK-NEXT: %[[MADE:.*]] = stablehlo.custom_call @AllocateBuffer() {{.*}} : () -> tensor<2x4xf32>
  // CHECK-NEXT: return %[[MADE]]
  %0 = stablehlo.custom_call @AllocateBuffer() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", "x"}, {}]>]>} : () -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Counting along a sharded dimension starts at the device's offset.
// CHECK-LABEL: func.func @iota
// CHECK-SAME: () -> (tensor<2x4xi64>{{.*}}) {
func.func @iota() -> (tensor<8x4xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<2x4xi64>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 4, 2, 6]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[R]] : (tensor<i32>) -> tensor<i64>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[CONVERT]], dims = [] : (tensor<i64>) -> tensor<2x4xi64>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[IOTA]], %[[B]] : tensor<2x4xi64>
  // CHECK-NEXT: return %[[ADD]] : tensor<2x4xi64>
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", "x"}, {}]>]>} : tensor<8x4xi64>
  return %0 : tensor<8x4xi64>
}

// Sums of numbers that bf16 has only rounded would be others.
// CHECK-LABEL: func.func @rounded_iota
func.func @rounded_iota() -> (tensor<1204xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<602xi32>
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[IOTA]], %{{.*}} : tensor<602xi32>
  // CHECK-NEXT: %[[ROUNDED:.*]] = stablehlo.convert %[[SUM]] : (tensor<602xi32>) -> tensor<602xbf16>
  // CHECK-NEXT: return %[[ROUNDED]]
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<1204xbf16>
  return %0 : tensor<1204xbf16>
}

// Every part draws its numbers from a state of its own; the new state is that of the first part.
// CHECK-LABEL: func.func @rng_bit_generator
// CHECK-SAME: (%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x4xui32>{{.*}}) {
func.func @rng_bit_generator(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<8x8xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 3801824426178300716, 7279650877546595303, 718562520007760078]> : tensor<4xui64>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xui64>, tensor<ui32>) -> tensor<1xui64>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xui64>) -> tensor<ui64>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[R]], dims = [] : (tensor<ui64>) -> tensor<2xui64>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[B]] : tensor<2xui64>
  // CHECK-NEXT: %[[RNG_BIT_GENERATOR:.*]], %[[RNG_BIT_GENERATOR_2:.*]] = stablehlo.rng_bit_generator %[[ADD]], algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x4xui32>)
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[true, false, false, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[DS_2]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<0> : tensor<2xui64>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[R_2]], %[[RNG_BIT_GENERATOR]], %[[C_3]] : tensor<i1>, tensor<2xui64>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[SEL]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<ui64>, %arg2: tensor<ui64>):
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %arg1, %arg2 : tensor<ui64>
  // CHECK-NEXT: stablehlo.return %[[ADD_2]] : tensor<ui64>
  // CHECK-NEXT: }) : (tensor<2xui64>) -> tensor<2xui64>
  // CHECK-NEXT: return %[[SUM]], %[[RNG_BIT_GENERATOR_2]] : tensor<2xui64>, tensor<4x4xui32>
  %0:2 = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"x"}, {"y"}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x8xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<8x8xui32>
}

// A constant of StableHLO may be sharded as well.
// Unlike the reference, which wants sdy.constant.
// CHECK-LABEL: func.func @stablehlo_constant
// CHECK-SAME: () -> (tensor<2xf32>{{.*}}) {
func.func @stablehlo_constant() -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK-NEXT: return %[[C]] : tensor<2xf32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The size of a dimension is that of the whole program.
// Unlike the reference, which answers with the local size.
// CHECK-LABEL: func.func @get_dimension_size
// CHECK-SAME: (%arg0: tensor<4x4xf32>{{.*}}) -> tensor<i32> {
func.func @get_dimension_size(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<i32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<8> : tensor<i32>
  // CHECK-NEXT: return %[[C]] : tensor<i32>
  %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<8x4xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Of numbers that all devices have alike none is taken from another device.
// CHECK-LABEL: func.func @replicated_rng
func.func @replicated_rng(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[SHAPE:.*]] = stablehlo.constant
  // CHECK-NEXT: %[[RNG:.*]] = stablehlo.rng %arg0, %arg1, %[[SHAPE]], distribution = UNIFORM
  // CHECK-NEXT: return %[[RNG]]
  %0 = stablehlo.constant dense<8> : tensor<1xi64>
  %1 = stablehlo.rng %arg0, %arg1, %0, distribution = UNIFORM {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
