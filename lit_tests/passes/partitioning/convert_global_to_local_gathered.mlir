// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// What an op needs as a whole is gathered before it, and its result sliced behind it: here an operand that is sharded in
// another way than the result.
// Unlike the reference, which adds parts that do not belong together.
// CHECK-LABEL: func.func @operands_differ
// CHECK-SAME: (%arg0: tensor<4xf32>{{.*}}, %arg1: tensor<4xf32>{{.*}}) -> (tensor<4xf32>{{.*}}) {
func.func @operands_differ(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[GATHER]], %[[R]], sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[DS_2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  // CHECK-NEXT: return %[[ADD]] : tensor<4xf32>
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The sorted dimension, also by its default number.
// Unlike the reference, which sorts every part by itself.
// CHECK-LABEL: func.func @sort
// CHECK-SAME: (%arg0: tensor<2x4xf32>{{.*}}) -> (tensor<2x4xf32>{{.*}}) {
func.func @sort(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[SORT:.*]] = "stablehlo.sort"(%[[GATHER]]) ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[CMP]] : tensor<i1>
  // CHECK-NEXT: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[0, 4, 0, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[SORT]], %[[C]], %[[R]], sizes = [2, 4] : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  // CHECK-NEXT: return %[[DS_2]] : tensor<2x4xf32>
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// An op without a sharding rule, of which nothing is known.
// Unlike the reference, which calls it with parts.
// CHECK-LABEL: func.func @custom_call
// CHECK-SAME: (%arg0: tensor<4xf32>{{.*}}) -> (tensor<4xf32>{{.*}}) {
func.func @custom_call(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[CUSTOM_CALL:.*]] = stablehlo.custom_call @sdy_testonly(%[[GATHER]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[CUSTOM_CALL]], %[[R]], sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[DS_2]] : tensor<4xf32>
  %0 = stablehlo.custom_call @sdy_testonly(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A reshard that is left between two meshes with different axes.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @reshard
// CHECK-SAME: (%arg0: tensor<4xf32>{{.*}}) -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=4]>, [{"z"}]>}) {
func.func @reshard(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=4]>, [{"z"}]>}) {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 2, 4, 6]> : tensor<4xi32>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C]], %[[ID]], sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK-NEXT: %[[DS_2:.*]] = stablehlo.dynamic_slice %[[GATHER]], %[[R]], sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  // CHECK-NEXT: return %[[DS_2]] : tensor<2xf32>
  %0 = sdy.reshard %arg0 <mesh<["z"=4]>, [{"z"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Six elements in two parts, padded to eight because there will be four: the fourth element changes its part.
// Unlike the reference, which pads part by part and loses it.
// CHECK-LABEL: func.func @pad_for_more_parts
func.func @pad_for_more_parts(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg0) {{.*}} : (tensor<3xf32>) -> tensor<6xf32>
  // CHECK: %[[PAD:.*]] = stablehlo.pad %[[GATHER]], %{{.*}}, low = [0], high = [2], interior = [0] {{.*}} -> tensor<8xf32>
  // CHECK: %[[DS:.*]] = stablehlo.dynamic_slice %[[PAD]], %{{.*}}, sizes = [4]
  // CHECK: return %[[DS]] : tensor<4xf32>
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.pad %arg0, %0, low = [0], high = [2], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Elements that leave one part for the next.
// Unlike the reference, which shifts each part by itself.
// CHECK-LABEL: func.func @shifted
func.func @shifted(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%arg0) {{.*}} : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %[[GATHER]], %arg1, low = [1], high = [-1], interior = [0]
  // CHECK: stablehlo.dynamic_slice %[[PAD]]
  %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [-1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
