// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// The devices along a sharded contracting dimension sum their products.
// CHECK-LABEL: func.func @dot_general
// CHECK-SAME: (%arg0: tensor<4x2xf32>{{.*}}, %arg1: tensor<2x6xf32>{{.*}}) -> (tensor<4x6xf32>{{.*}}) {
func.func @dot_general(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[DOT_GENERAL:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[DOT_GENERAL]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<4x6xf32>
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// A result that is meant to stay a partial value is not summed.
// CHECK-LABEL: func.func @dot_unreduced
// CHECK-SAME: (%arg0: tensor<4x2xf32>{{.*}}, %arg1: tensor<2x6xf32>{{.*}}) -> (tensor<4x6xf32>{{.*}}) {
func.func @dot_unreduced(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[DOT_GENERAL:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>} : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  // CHECK-NEXT: return %[[DOT_GENERAL]] : tensor<4x6xf32>
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// Nor is one that a reduce_scatter sums.
// CHECK-LABEL: func.func @dot_then_reduce_scatter
// CHECK-SAME: (%arg0: tensor<4x2xf32>{{.*}}, %arg1: tensor<2x6xf32>{{.*}}) -> (tensor<4x3xf32>{{.*}}) {
func.func @dot_then_reduce_scatter(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[DOT_GENERAL:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>} : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  // CHECK-NEXT: %[[RS:.*]] = "stablehlo.reduce_scatter"(%[[DOT_GENERAL]]) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: return %[[RS]] : tensor<4x3xf32>
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = sdy.reduce_scatter [{}, {"y"}] %0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// A reduction over a sharded dimension is completed with its own body.
// CHECK-LABEL: func.func @reduce_max
// CHECK-SAME: (%arg0: tensor<4x2xf32>{{.*}}) -> (tensor<4xf32>{{.*}}) {
func.func @reduce_max(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %[[REDUCE:.*]] = stablehlo.reduce(%arg0 init: %[[C]]) applies stablehlo.maximum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[REDUCE]]) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
  // CHECK-NEXT: %[[MAXIMUM:.*]] = stablehlo.maximum %arg1, %arg2 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[MAXIMUM]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<4xf32>
  %0 = sdy.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.maximum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// An init value that is not neutral counts once: on the first device along the reduced axes.
// Unlike the reference, which counts it once per device and once more.
// CHECK-LABEL: func.func @reduce_with_init
// CHECK-SAME: (%arg0: tensor<4x2xf32>{{.*}}, %arg1: tensor<f32>) -> (tensor<4xf32>{{.*}}) {
func.func @reduce_with_init(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  // CHECK-NEXT: %[[DS:.*]] = stablehlo.dynamic_slice %[[C_2]], %[[ID]], sizes = [1] : (tensor<4xi1>, tensor<ui32>) -> tensor<1xi1>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[DS]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[R]], %arg1, %[[C]] : tensor<i1>, tensor<f32>
  // CHECK-NEXT: %[[REDUCE:.*]] = stablehlo.reduce(%arg0 init: %[[SEL]]) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[REDUCE]]) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<4xf32>
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Results of several values are gathered along a new dimension and reduced again.
// CHECK-LABEL: func.func @argmax
// CHECK-SAME: (%arg0: tensor<4xf32>{{.*}}, %arg1: tensor<4xi32>{{.*}}) -> (tensor<f32>, tensor<i32>) {
func.func @argmax(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<f32>, tensor<i32>) {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-NEXT: %[[REDUCE:.*]]:2 = stablehlo.reduce(%arg0 init: %[[C]]), (%arg1 init: %[[C_2]]) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  // CHECK-NEXT: reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<i32>, %arg5: tensor<i32>)  {
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare GE, %arg2, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[CMP]], %arg2, %arg4 : tensor<i1>, tensor<f32>
  // CHECK-NEXT: %[[SEL_2:.*]] = stablehlo.select %[[CMP]], %arg3, %arg5 : tensor<i1>, tensor<i32>
  // CHECK-NEXT: stablehlo.return %[[SEL]], %[[SEL_2]] : tensor<f32>, tensor<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[REDUCE]]#0 : (tensor<f32>) -> tensor<1xf32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.all_gather"(%[[R]]) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %[[R_2:.*]] = stablehlo.reshape %[[REDUCE]]#1 : (tensor<i32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[GATHER_2:.*]] = "stablehlo.all_gather"(%[[R_2]]) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
  // CHECK-NEXT: %[[REDUCE_2:.*]]:2 = stablehlo.reduce(%[[GATHER]] init: %[[C]]), (%[[GATHER_2]] init: %[[C_2]]) across dimensions = [0] : (tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  // CHECK-NEXT: reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<i32>, %arg5: tensor<i32>)  {
  // CHECK-NEXT: %[[CMP_2:.*]] = stablehlo.compare GE, %arg2, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: %[[SEL_3:.*]] = stablehlo.select %[[CMP_2]], %arg2, %arg4 : tensor<i1>, tensor<f32>
  // CHECK-NEXT: %[[SEL_4:.*]] = stablehlo.select %[[CMP_2]], %arg3, %arg5 : tensor<i1>, tensor<i32>
  // CHECK-NEXT: stablehlo.return %[[SEL_3]], %[[SEL_4]] : tensor<f32>, tensor<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[REDUCE_2]]#0, %[[REDUCE_2]]#1 : tensor<f32>, tensor<i32>
  %0 = sdy.constant dense<0xFF800000> : tensor<f32>
  %1 = sdy.constant dense<0> : tensor<i32>
  %2:2 = stablehlo.reduce(%arg0 init: %0), (%arg1 init: %1) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>)  {
    %3 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
    %5 = stablehlo.select %3, %c, %d : tensor<i1>, tensor<i32>
    stablehlo.return %4, %5 : tensor<f32>, tensor<i32>
  }
  return %2#0, %2#1 : tensor<f32>, tensor<i32>
}

// A convolution sums over sharded input features, and has as many groups as a device has of them.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: (%arg0: tensor<2x8x8x2xf32>{{.*}}, %arg1: tensor<3x3x2x8xf32>{{.*}}) -> (tensor<2x6x6x8xf32>{{.*}}) {
func.func @convolution(%arg0: tensor<4x8x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}, {"x"}]>}, %arg1: tensor<3x3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {}]>}) -> (tensor<4x6x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}, {}]>}) {
  // CHECK-NEXT: %[[CONVOLUTION:.*]] = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = {{\[\[}}0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x2xf32>, tensor<3x3x2x8xf32>) -> tensor<2x6x6x8xf32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[CONVOLUTION]]) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  // CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg2, %arg3 : tensor<f32>
  // CHECK-NEXT: stablehlo.return %[[ADD]] : tensor<f32>
  // CHECK-NEXT: }) : (tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<2x6x6x8xf32>
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}, {}, {}]>]>} : (tensor<4x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x6x6x8xf32>
  return %0 : tensor<4x6x6x8xf32>
}

// One element per device: XLA does not combine it with an init value, so that happens before.
// CHECK-LABEL: func.func @reduce_of_single_elements
func.func @reduce_of_single_elements(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[START:.*]] = stablehlo.select {{.*}}, %arg1, %[[ZERO]] : tensor<i1>, tensor<f32>
  // CHECK-NEXT: %[[STARTS:.*]] = stablehlo.broadcast_in_dim %[[START]], dims = [] : (tensor<f32>) -> tensor<1xf32>
  // CHECK-NEXT: %[[ELEMENT:.*]] = stablehlo.add %arg0, %[[STARTS]] : tensor<1xf32>
  // CHECK-NEXT: stablehlo.reduce(%[[ELEMENT]] init: %[[ZERO]]) applies stablehlo.add across dimensions = [0]
  // CHECK-NEXT: "stablehlo.all_reduce"
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Of a body that may be anything no neutral element is known: flags say that the init value counts on the first device.
// CHECK-LABEL: func.func @reduce_by_unknown_body
func.func @reduce_by_unknown_body(%arg0: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<f32>) -> tensor<3xf32> {
  // CHECK-NEXT: %[[ALL:.*]] = stablehlo.constant dense<true> : tensor<4x3xi1>
  // CHECK-NEXT: stablehlo.partition_id
  // CHECK-NEXT: stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  // CHECK:      %[[FIRST:.*]] = stablehlo.reshape %{{.*}} : (tensor<1xi1>) -> tensor<i1>
  // CHECK-NEXT: %[[PART:.*]]:2 = stablehlo.reduce(%arg0 init: %arg1), (%[[ALL]] init: %[[FIRST]]) across dimensions = [0]
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) (%[[A_COUNTS:.*]]: tensor<i1>, %[[B_COUNTS:.*]]: tensor<i1>)
  // CHECK-NEXT:   %[[BOTH:.*]] = stablehlo.atan2 %[[A]], %[[B]]
  // CHECK-NEXT:   %[[A_OR_BOTH:.*]] = stablehlo.select %[[B_COUNTS]], %[[BOTH]], %[[A]]
  // CHECK-NEXT:   %[[CHOSEN:.*]] = stablehlo.select %[[A_COUNTS]], %[[A_OR_BOTH]], %[[B]]
  // CHECK-NEXT:   %[[EITHER:.*]] = stablehlo.or %[[A_COUNTS]], %[[B_COUNTS]]
  // CHECK-NEXT:   stablehlo.return %[[CHOSEN]], %[[EITHER]]
  // CHECK:      %[[COLUMN:.*]] = stablehlo.reshape %[[PART]]#0 : (tensor<3xf32>) -> tensor<3x1xf32>
  // CHECK-NEXT: %[[PARTS:.*]] = "stablehlo.all_gather"(%[[COLUMN]]) {{.*}} -> tensor<3x2xf32>
  // CHECK-NEXT: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<3x2xi1>
  // CHECK-NEXT: %[[FALSE:.*]] = stablehlo.constant dense<false> : tensor<i1>
  // CHECK-NEXT: %[[TOTAL:.*]]:2 = stablehlo.reduce(%[[PARTS]] init: %arg1), (%[[TRUE]] init: %[[FALSE]]) across dimensions = [1]
  // CHECK:      return %[[TOTAL]]#0
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<3xf32>
   reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
    %1 = stablehlo.atan2 %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<3xf32>
}
