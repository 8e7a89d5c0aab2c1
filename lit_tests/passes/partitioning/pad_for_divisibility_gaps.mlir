// RUN: sdy-opt %s --sdy-pad-for-divisibility | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// Padding that becomes a part of the result of a pad has the padding value.
// Unlike the reference, which leaves it as it is.
// CHECK-LABEL: func.func @pad
func.func @pad(%arg0: tensor<7xf32>) -> tensor<9xf32> {
  // CHECK: %[[V0:.*]] = stablehlo.pad %arg0, %[[CST:.*]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_slice [{"x"}] %[[V0]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK: %[[V6:.*]] = stablehlo.select %[[V4:.*]], %[[V1]], %[[V5:.*]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xi1>, tensor<8xf32>
  // CHECK-NEXT: %[[V7:.*]] = stablehlo.pad %[[V6]], %[[CST_0:.*]], low = [0], high = [2], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
  // CHECK: %[[V9:.*]] = stablehlo.slice %[[V8:.*]] [0:9] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<10xf32>) -> tensor<9xf32>
  // CHECK-NEXT: return %[[V9]] : tensor<9xf32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = stablehlo.constant dense<3.0> : tensor<f32>
  %2 = stablehlo.pad %0, %1, low = [0], high = [2], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>, tensor<f32>) -> tensor<9xf32>
  %3 = sdy.all_gather [{"x"}] %2 out_sharding=<@mesh, [{}]> : tensor<9xf32>
  return %3 : tensor<9xf32>
}

// So it is with zeros, where the padding may be anything.
// CHECK-LABEL: func.func @pad_by_zero
func.func @pad_by_zero(%arg0: tensor<5xf32>) -> tensor<7xf32> {
  // CHECK: %[[EXP:.*]] = stablehlo.exponential
  // CHECK: %[[MASKED:.*]] = stablehlo.select %{{.*}}, %[[EXP]], %{{.*}} {{.*}} : tensor<6xi1>, tensor<6xf32>
  // CHECK: stablehlo.pad %[[MASKED]], %{{.*}}, low = [1], high = [1], interior = [0]
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<5xf32>
  %1 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<5xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.pad %1, %2, low = [1], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<5xf32>, tensor<f32>) -> tensor<7xf32>
  %4 = sdy.all_gather [{"x"}] %3 out_sharding=<@mesh, [{}]> : tensor<7xf32>
  return %4 : tensor<7xf32>
}

// A result that is not padded as the operand is has no place for its padding.
// Unlike the reference, which makes the result larger than its type says.
// CHECK-LABEL: func.func @other_padding
func.func @other_padding(%arg0: tensor<7xf32>) -> tensor<7xf32> {
  // CHECK: %[[GATHERED:.*]] = sdy.all_gather [{"x"}]
  // CHECK-NEXT: %[[WHOLE:.*]] = stablehlo.slice %[[GATHERED]] [0:7]
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[WHOLE]])
  // CHECK: }) {{.*}} : (tensor<7xf32>) -> tensor<7xf32>
  // CHECK-NEXT: return %[[SUM]]
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<7xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// What a collective makes along a dimension is padded afterwards.
// Unlike the reference, which gives the scattered part a type that it does not have.
// CHECK-LABEL: func.func @collective
func.func @collective(%arg0: tensor<2x4xf32>) -> tensor<1x4xf32> {
  // CHECK-NEXT: %[[PART:.*]] = "stablehlo.reduce_scatter"(%arg0)
  // CHECK: }) {{.*}} : (tensor<2x4xf32>) -> tensor<1x4xf32>
  // CHECK: stablehlo.pad %[[PART]], {{.*}} -> tensor<2x4xf32>
  %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}

// Ops of CHLO are padded as others are.
// Unlike the reference, which refuses them.
// CHECK-LABEL: func.func @chlo
func.func @chlo(%arg0: tensor<7xf32>) -> tensor<7xf32> {
  // CHECK: %[[V0:.*]] = stablehlo.pad %arg0, %[[CST:.*]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_slice [{"x"}] %[[V0]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = chlo.erf %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32> -> tensor<8xf32>
  // CHECK: %[[V4:.*]] = stablehlo.slice %[[V3:.*]] [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<7xf32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = chlo.erf %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<7xf32> -> tensor<7xf32>
  %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<7xf32>
  return %2 : tensor<7xf32>
}

// What becomes unreduced is cut to size as what is gathered.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @sharded_to_unreduced
func.func @sharded_to_unreduced(%arg0: tensor<7xf32>) -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK: %[[V0:.*]] = stablehlo.pad %arg0, %[[CST:.*]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_slice [{"x"}] %[[V0]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.sharded_to_unreduced [{"x"}] %[[V1]] out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = stablehlo.slice %[[V2]] [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : (tensor<8xf32>) -> tensor<7xf32>
  // CHECK-NEXT: return %[[V3]] : tensor<7xf32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = sdy.sharded_to_unreduced [{"x"}] %0 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<7xf32>
  return %1 : tensor<7xf32>
}

// Nothing is cut that nobody uses.
// CHECK-LABEL: func.func @unused_sharded_to_unreduced
func.func @unused_sharded_to_unreduced(%arg0: tensor<7xf32>) -> tensor<7xf32> {
  // CHECK: sdy.sharded_to_unreduced {{.*}} : tensor<8xf32>
  // CHECK-NEXT: return %arg0
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = sdy.sharded_to_unreduced [{"x"}] %0 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<7xf32>
  return %arg0 : tensor<7xf32>
}

// A dimension that a dynamic slice takes whole is taken with its padding.
// Unlike the reference, which leaves the size and refuses the result.
// CHECK-LABEL: func.func @dynamic_slice
func.func @dynamic_slice(%arg0: tensor<7x4xf32>, %arg1: tensor<i32>) -> tensor<7x1xf32> {
  // CHECK: %[[V0:.*]] = stablehlo.pad %arg0, %[[CST:.*]], low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_slice [{"x"}, {}] %[[V0]] out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.dynamic_slice %[[V1]], %arg1, %arg1, sizes = [8, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x1xf32>
  // CHECK: %[[V4:.*]] = stablehlo.slice %[[V3:.*]] [0:7, 0:1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x1xf32>) -> tensor<7x1xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<7x1xf32>
  %0 = sdy.all_slice [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<7x4xf32>
  %1 = stablehlo.dynamic_slice %0, %arg1, %arg1, sizes = [7, 1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<7x4xf32>, tensor<i32>, tensor<i32>) -> tensor<7x1xf32>
  %2 = sdy.all_gather [{"x"}, {}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<7x1xf32>
  return %2 : tensor<7x1xf32>
}

// A convolution may leave its window to the defaults.
// Unlike the reference, which crashes.
// CHECK-LABEL: func.func @convolution
func.func @convolution(%arg0: tensor<7x8x4xf32>, %arg1: tensor<3x4x5xf32>) -> tensor<7x6x5xf32> {
  // CHECK: %[[V0:.*]] = stablehlo.pad %arg0, %[[CST:.*]], low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<7x8x4xf32>, tensor<f32>) -> tensor<8x8x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_slice [{"x"}, {}, {}] %[[V0]] out_sharding=<@mesh, [{"x"}, {}, {}]> : tensor<8x8x4xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.convolution(%[[V1]], %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<8x8x4xf32>, tensor<3x4x5xf32>) -> tensor<8x6x5xf32>
  // CHECK: %[[V4:.*]] = stablehlo.slice %[[V3:.*]] [0:7, 0:6, 0:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>]>} : (tensor<8x6x5xf32>) -> tensor<7x6x5xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<7x6x5xf32>
  %0 = sdy.all_slice [{"x"}, {}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}, {}]> : tensor<7x8x4xf32>
  %1 = "stablehlo.convolution"(%0, %arg1) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<7x8x4xf32>, tensor<3x4x5xf32>) -> tensor<7x6x5xf32>
  %2 = sdy.all_gather [{"x"}, {}, {}] %1 out_sharding=<@mesh, [{}, {}, {}]> : tensor<7x6x5xf32>
  return %2 : tensor<7x6x5xf32>
}

// What enters and leaves a computation is padded inside, too.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @computation
func.func @computation(%arg0: tensor<7xf32>) -> tensor<7xf32> {
  // CHECK: %[[V0:.*]] = stablehlo.pad %arg0, %[[CST:.*]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_slice [{"x"}] %[[V0]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.named_computation<"block">(%[[V1]]) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] (%arg1: tensor<8xf32>) {
  // CHECK-NEXT: %[[V5:.*]] = stablehlo.tanh %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: sdy.return %[[V5]] : tensor<8xf32>
  // CHECK: %[[V4:.*]] = stablehlo.slice %[[V3:.*]] [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<7xf32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = sdy.named_computation<"block">(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] (%arg1: tensor<7xf32>) {
    %3 = stablehlo.tanh %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<7xf32>
    sdy.return %3 : tensor<7xf32>
  } : (tensor<7xf32>) -> tensor<7xf32>
  %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<7xf32>
  return %2 : tensor<7xf32>
}

// Updates in the padding have an index outside of the input.
// Unlike the reference, which writes them to the first row.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%arg0: tensor<8xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5xf32>) -> tensor<8xf32> {
  // CHECK: %[[INDICES:.*]] = sdy.all_slice [{"x"}, {}] {{.*}} : tensor<6x1xi32>
  // CHECK: %[[OUTSIDE:.*]] = stablehlo.constant dense<-1> : tensor<i32>
  // CHECK: %[[INSIDE:.*]] = stablehlo.compare LT
  // CHECK: %[[FILL:.*]] = stablehlo.broadcast_in_dim %[[OUTSIDE]]
  // CHECK: %[[MASKED:.*]] = stablehlo.select %[[INSIDE]], %[[INDICES]], %[[FILL]] {{.*}} : tensor<6x1xi1>, tensor<6x1xi32>
  // CHECK: "stablehlo.scatter"(%arg0, %[[MASKED]], {{.*}}
  %0 = sdy.all_slice [{"x"}, {}] %arg1 out_sharding=<@mesh, [{"x"}, {}]> : tensor<5x1xi32>
  %1 = sdy.all_slice [{"x"}] %arg2 out_sharding=<@mesh, [{"x"}]> : tensor<5xf32>
  %2 = "stablehlo.scatter"(%arg0, %0, %1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<8xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// What may be put into the padding is not known: the dimension is gathered without it.
// CHECK-LABEL: func.func private @reduce_by_unknown_body
func.func private @reduce_by_unknown_body(%arg0: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[CUT:.*]] = stablehlo.slice %[[WHOLE]] [0:7]
  // CHECK-NEXT: stablehlo.reduce(%[[CUT]] init: %arg1)
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
   reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
    %1 = stablehlo.atan2 %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// A ragged product without its rule may be sharded in any way: it is computed without padding.
// CHECK-LABEL: func.func @ragged_dot_without_rule
func.func @ragged_dot_without_rule(%arg0: tensor<3x5x7xf32>, %arg1: tensor<3x7x4xf32>, %arg2: tensor<1xi32>) -> tensor<1x3x5x4xf32> {
  // CHECK: %[[LHS:.*]] = stablehlo.slice %{{.*}} [0:3, 0:5, 0:7]
  // CHECK: %[[R:.*]] = "chlo.ragged_dot"(%[[LHS]], %arg1, %arg2) {{.*}} : (tensor<3x5x7xf32>, tensor<3x7x4xf32>, tensor<1xi32>) -> tensor<1x3x5x4xf32>
  // CHECK: stablehlo.pad %[[R]], %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 1, 0]
  %0 = sdy.all_slice [{"x"}, {}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}, {}]> : tensor<3x5x7xf32>
  %1 = "chlo.ragged_dot"(%0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = []>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}, {}]>]>} : (tensor<3x5x7xf32>, tensor<3x7x4xf32>, tensor<1xi32>) -> tensor<1x3x5x4xf32>
  %2 = sdy.all_gather [{}, {}, {"x"}, {}] %1 out_sharding=<@mesh, [{}, {}, {}, {}]> : tensor<1x3x5x4xf32>
  return %2 : tensor<1x3x5x4xf32>
}
