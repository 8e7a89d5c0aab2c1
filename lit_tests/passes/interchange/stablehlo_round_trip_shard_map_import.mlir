// RUN: sdy-opt %s --split-input-file --xla-sdy-import-shardings --xla-sdy-stablehlo-round-trip-shard-map-import | filecheck %s

// All axes are manual; what a value does not name is replicated. What the body says of shardings goes.
// CHECK-LABEL: func.func @full
func.func @full(%arg0: tensor<8x8xf32>) -> tensor<8x2xf32> {
  // CHECK-NEXT: %[[M:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"_axis_0"}, {"_axis_1"}]>] out_shardings=[<@mesh, [{"_axis_0"}, {}], replicated={"_axis_1"}>] manual_axes={"_axis_0", "_axis_1"} (%[[X:.*]]: tensor<4x2xf32>) {
  // CHECK-NEXT:   %[[S:.*]] = stablehlo.sine %[[X]] : tensor<4x2xf32>
  // CHECK-NEXT:   sdy.return %[[S]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[M]]
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<4x2xf32>
  %2 = call @shmap_body(%1) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x2xf32>) -> tensor<8x2xf32>
  return %4 : tensor<8x2xf32>
}
// CHECK-NOT: @shmap_body
func.func private @shmap_body(%arg0: tensor<4x2xf32> {mhlo.sharding = "{manual}"}) -> (tensor<4x2xf32> {mhlo.sharding = "{manual}"}) {
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{manual}"} : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// Some axes are manual; constraints of the body keep the others, and so do functions that it calls.
// CHECK-LABEL: func.func @partial
func.func @partial(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"_axis_0", ?}, {?}]>] out_shardings=[<@mesh, [{"_axis_0", ?}, {?}]>] manual_axes={"_axis_0"} (%[[X:.*]]: tensor<4x8xf32>) {
  // CHECK-NEXT:   %[[C:.*]] = stablehlo.custom_call @Sharding(%[[X]]) {backend_config = "", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"_axis_1"}]>]>}
  // CHECK-NEXT:   %[[H:.*]] = func.call @h(%[[C]])
  // CHECK-NEXT:   sdy.return %[[H]]
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = call @shmap_body(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
func.func private @shmap_body(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = call @h(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func private @h(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
func.func private @h(%arg0: tensor<4x8xf32> {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"}) -> tensor<4x8xf32> {
  // CHECK-NEXT: stablehlo.sine %arg0 : tensor<4x8xf32>
  %0 = stablehlo.sine %arg0 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Inlined bodies, one inside the other, with a constant and a scalar from outside; the outer one has the smaller group.
// CHECK-LABEL: func.func @nested
func.func @nested(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %arg1: tensor<f32>) -> tensor<8x8xf32> {
  // CHECK:      sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"_axis_0"}, {"_axis_1"}]>, <@mesh, [], replicated={"_axis_0"}>] out_shardings=[<@mesh, [{"_axis_0", ?}, {?}]>] manual_axes={"_axis_0"} (%[[X:.*]]: tensor<4x8xf32>, %[[K:.*]]: tensor<f32>) {
  // CHECK-NEXT:   %[[ONE:.*]] = stablehlo.constant
  // CHECK-NEXT:   %[[B:.*]] = stablehlo.broadcast_in_dim %[[K]]
  // CHECK-NEXT:   %[[A0:.*]] = stablehlo.add %[[X]], %[[ONE]]
  // CHECK-NEXT:   %[[A:.*]] = stablehlo.multiply %[[A0]], %[[B]]
  // CHECK-NEXT:   %[[M:.*]] = sdy.manual_computation(%[[A]]) in_shardings=[<@mesh, [{?}, {"_axis_1", ?}]>] out_shardings=[<@mesh, [{?}, {"_axis_1", ?}]>] manual_axes={"_axis_1"} (%[[Y:.*]]: tensor<4x2xf32>) {
  // CHECK-NEXT:     %[[S:.*]] = stablehlo.sine %[[Y]]
  // CHECK-NEXT:     sdy.return %[[S]]
  // CHECK-NEXT:   }
  // CHECK-NEXT:   sdy.return %[[M]]
  %one = stablehlo.constant dense<1.0> : tensor<4x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %sum = stablehlo.add %1, %one : tensor<4x8xf32>
  %k = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %2 = stablehlo.multiply %sum, %k : tensor<4x8xf32>
  %4 = call @inner(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}
func.func private @inner(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.sine %1 {mhlo.sharding = "{manual}"} : tensor<4x2xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"} : (tensor<4x2xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// Without tiles the devices are one axis.
// CHECK: sdy.mesh @mesh = <["_axis_0"=4]>
module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @no_tiles
  func.func @no_tiles(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK-NEXT: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}], replicated={"_axis_0"}>] out_shardings=[<@mesh, [{}], replicated={"_axis_0"}>] manual_axes={"_axis_0"}
    %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.sine %0 : tensor<8xf32>
    %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}

// -----

// In the body of a loop, with a value from around it.
// CHECK-LABEL: func.func @in_a_loop
func.func @in_a_loop(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK:      stablehlo.while(%[[I:.*]] = %{{.*}}, %[[V:.*]] = %arg0)
  // CHECK:        sdy.manual_computation(%[[V]], %arg1) in_shardings=[<@mesh, [{"_axis_0"}, {"_axis_1"}]>, <@mesh, [{"_axis_0"}, {"_axis_1"}]>] out_shardings=[<@mesh, [{"_axis_0"}, {"_axis_1"}]>] manual_axes={"_axis_0", "_axis_1"}
  // CHECK-NEXT:     stablehlo.add
  // CHECK-NOT:  SPMD
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %c_1 = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %v = %arg0) : tensor<i32>, tensor<8x8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.custom_call @Sharding(%v) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %2 = stablehlo.custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<4x2xf32>
      %3 = stablehlo.custom_call @Sharding(%arg1) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %4 = stablehlo.custom_call @SPMDFullToShardShape(%3) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<4x2xf32>
      %5 = stablehlo.add %2, %4 : tensor<4x2xf32>
      %6 = stablehlo.custom_call @Sharding(%5) {mhlo.sharding = "{manual}"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
      %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<4x2xf32>) -> tensor<8x8xf32>
      %8 = stablehlo.add %i, %c_1 : tensor<i32>
      stablehlo.return %8, %7 : tensor<i32>, tensor<8x8xf32>
    }
  return %0#1 : tensor<8x8xf32>
}

// -----

// A body that takes nothing.
// CHECK-LABEL: func.func @without_operands
func.func @without_operands() -> tensor<8xf32> {
  // CHECK-NEXT: %[[M:.*]] = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"_axis_0"}]>] manual_axes={"_axis_0"} () {
  // CHECK-NEXT:   %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4xf32>
  // CHECK-NEXT:   sdy.return %[[I]]
  // CHECK-NEXT: } : () -> tensor<8xf32>
  // CHECK-NEXT: return %[[M]]
  %0 = call @made() : () -> tensor<4xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @made() -> tensor<4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// HLO has no order but that of data: what uses one result, here up to the second value that goes in, moves behind.
// CHECK-LABEL: func.func @used_before_all_is_computed
func.func @used_before_all_is_computed(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[O:.*]] = stablehlo.cosine %arg0
  // CHECK-NEXT: %[[M:.*]]:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"_axis_0"}]>] out_shardings=[<@mesh, [{"_axis_0"}]>, <@mesh, [{"_axis_0"}]>] manual_axes={"_axis_0"} (%[[X:.*]]: tensor<4xf32>) {
  // CHECK-NEXT:   %[[S:.*]] = stablehlo.sine %[[X]]
  // CHECK-NEXT:   %[[N:.*]] = stablehlo.negate %[[S]]
  // CHECK-NEXT:   sdy.return %[[S]], %[[N]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[M]]#0, %[[O]]
  // CHECK-NEXT: %[[B:.*]] = stablehlo.abs %[[A]]
  // CHECK-NEXT: return %[[B]], %[[M]]#1
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %2 = stablehlo.sine %1 : tensor<4xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %4 = stablehlo.cosine %arg0 : tensor<8xf32>
  %5 = stablehlo.add %3, %4 : tensor<8xf32>
  %6 = stablehlo.abs %5 : tensor<8xf32>
  %7 = stablehlo.negate %2 : tensor<4xf32>
  %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %6, %8 : tensor<8xf32>, tensor<8xf32>
}

// -----

// One piece after the other, which share the conversion of what they take and a value made of constants.
// CHECK-LABEL: func.func @shared
func.func @shared(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[F:.*]] = sdy.manual_computation(%arg0) {{.*}} (%[[X:.*]]: tensor<4xf32>) {
  // CHECK-NEXT:   %[[C:.*]] = stablehlo.constant
  // CHECK-NEXT:   %[[A:.*]] = stablehlo.add %[[X]], %[[C]]
  // CHECK-NEXT:   sdy.return %[[A]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[G:.*]] = sdy.manual_computation(%arg0, %[[F]]) {{.*}} (%[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4xf32>) {
  // CHECK-NEXT:   %[[D:.*]] = stablehlo.constant
  // CHECK-NEXT:   %[[P:.*]] = stablehlo.multiply %[[Z]], %[[D]]
  // CHECK-NEXT:   %[[Q:.*]] = stablehlo.subtract %[[P]], %[[Y]]
  // CHECK-NEXT:   sdy.return %[[Q]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[G]]
  %c = stablehlo.constant {mhlo.sharding = "{manual}"} dense<2.0> : tensor<4xf32>
  %k = stablehlo.custom_call @Sharding(%c) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %2 = stablehlo.add %1, %k : tensor<4xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %4 = stablehlo.custom_call @SPMDFullToShardShape(%3) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %5 = stablehlo.multiply %4, %k : tensor<4xf32>
  %6 = stablehlo.subtract %5, %1 : tensor<4xf32>
  %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}

// -----

// A piece inside another in one block, as where XLA has inlined all calls: what is behind the inner one, and what is made
// of nothing there, belong to the outer one.
// CHECK-LABEL: func.func @nested_in_one_block
func.func @nested_in_one_block(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[M:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"_axis_0"}, {}]>] out_shardings=[<@mesh, [{"_axis_0"}, {}]>] manual_axes={"_axis_0"} (%[[X:.*]]: tensor<4x8xf32>) {
  // CHECK-NEXT:   %[[I:.*]] = sdy.manual_computation(%[[X]]) in_shardings=[<@mesh, [{}, {"_axis_1"}]>] out_shardings=[<@mesh, [{}, {"_axis_1"}]>] manual_axes={"_axis_1"} (%[[Y:.*]]: tensor<4x2xf32>) {
  // CHECK-NEXT:     %[[S:.*]] = stablehlo.sine %[[Y]]
  // CHECK-NEXT:     sdy.return %[[S]]
  // CHECK-NEXT:   }
  // CHECK-NEXT:   %[[N:.*]] = stablehlo.negate %[[I]]
  // CHECK-NEXT:   %[[J:.*]] = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{}, {"_axis_1"}]>] manual_axes={"_axis_1"} () {
  // CHECK-NEXT:     %[[O:.*]] = stablehlo.iota dim = 1 : tensor<4x2xf32>
  // CHECK-NEXT:     sdy.return %[[O]]
  // CHECK-NEXT:   }
  // CHECK-NEXT:   %[[R:.*]] = stablehlo.add %[[N]], %[[J]]
  // CHECK-NEXT:   sdy.return %[[R]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[M]]
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<4x8xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.sine %3 {mhlo.sharding = "{manual}"} : tensor<4x2xf32>
  %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"} : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %6 = stablehlo.negate %5 : tensor<4x8xf32>
  %7 = stablehlo.iota dim = 1 {mhlo.sharding = "{manual}"} : tensor<4x2xf32>
  %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"} : (tensor<4x2xf32>) -> tensor<4x8xf32>
  %9 = stablehlo.add %6, %8 : tensor<4x8xf32>
  %10 = stablehlo.custom_call @Sharding(%9) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %11 = stablehlo.custom_call @SPMDShardToFullShape(%10) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %11 : tensor<8x8xf32>
}

// -----

// Both results of a call that takes nothing come from one computation, whatever stands between their conversions.
// CHECK-LABEL: func.func @two_of_nothing
func.func @two_of_nothing() -> tensor<8xf32> {
  // CHECK-NEXT: %[[M:.*]]:2 = sdy.manual_computation() in_shardings=[] {{.*}} () {
  // CHECK-NEXT:   %[[I:.*]] = stablehlo.iota
  // CHECK-NEXT:   %[[E:.*]] = stablehlo.exponential %[[I]]
  // CHECK-NEXT:   sdy.return %[[I]], %[[E]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[S:.*]] = stablehlo.sine %[[M]]#0
  // CHECK-NEXT: stablehlo.add %[[S]], %[[M]]#1
  %0:2 = call @two() : () -> (tensor<4xf32>, tensor<4xf32>)
  %1 = stablehlo.custom_call @Sharding(%0#0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %3 = stablehlo.sine %2 : tensor<8xf32>
  %4 = stablehlo.custom_call @Sharding(%0#1) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %6 = stablehlo.add %3, %5 : tensor<8xf32>
  return %6 : tensor<8xf32>
}
func.func private @two() -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What takes nothing and gives nothing has no conversions: its effects say that they are on each device. One text is for
// all results of a call.
// CHECK-LABEL: func.func @effects_alone
func.func @effects_alone(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"_axis_0"} () {
  // CHECK-NEXT:   %[[P:.*]] = stablehlo.partition_id
  // CHECK-NEXT:   stablehlo.custom_call @foo(%[[P]]) {has_side_effect = true} : (tensor<ui32>) -> ()
  // CHECK-NEXT:   sdy.return
  // CHECK-NEXT: }
  call @effects() : () -> ()
  // CHECK:      sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"_axis_0"} () {
  // CHECK-NEXT:   %[[C:.*]] = stablehlo.constant dense<1>
  // CHECK-NEXT:   %[[R:.*]]:2 = stablehlo.custom_call @foo(%[[C]]) {has_side_effect = true}
  // CHECK-NEXT:   stablehlo.custom_call @bar(%[[R]]#0) {has_side_effect = true}
  // CHECK-NEXT:   sdy.return
  // CHECK-NEXT: }
  // CHECK:      return %arg0
  %c = stablehlo.constant dense<1> : tensor<ui32>
  %0:2 = stablehlo.custom_call @foo(%c) {has_side_effect = true, mhlo.sharding = "{manual}"} : (tensor<ui32>) -> (tensor<ui32>, tensor<4xf32>)
  stablehlo.custom_call @bar(%0#0) {has_side_effect = true, mhlo.sharding = "{manual}"} : (tensor<ui32>) -> ()
  return %arg0 : tensor<8xf32>
}
func.func private @effects() {
  %0 = stablehlo.partition_id : tensor<ui32>
  stablehlo.custom_call @foo(%0) {has_side_effect = true, mhlo.sharding = "{manual}"} : (tensor<ui32>) -> ()
  return
}

// -----

// Tokens, which nothing converts, go in and out.
// CHECK-LABEL: func.func @token
func.func @token(%arg0: !stablehlo.token, %arg1: tensor<8xf32>) -> (!stablehlo.token, tensor<8xf32>) {
  // CHECK-NEXT: %[[M:.*]]:2 = sdy.manual_computation(%arg1, %arg0) {{.*}} (%[[X:.*]]: tensor<4xf32>, %[[T:.*]]: !stablehlo.token) {
  // CHECK-NEXT:   %[[U:.*]]:2 = stablehlo.custom_call @foo(%[[T]], %[[X]]) {has_side_effect = true}
  // CHECK-NEXT:   %[[V:.*]] = stablehlo.custom_call @bar(%[[U]]#0) {has_side_effect = true}
  // CHECK-NEXT:   sdy.return %[[U]]#1, %[[V]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[M]]#1, %[[M]]#0
  %0 = stablehlo.custom_call @Sharding(%arg1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %2:2 = stablehlo.custom_call @foo(%arg0, %1) {has_side_effect = true, mhlo.sharding = "{manual}"} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
  %3 = stablehlo.custom_call @bar(%2#0) {has_side_effect = true, mhlo.sharding = "{manual}"} : (!stablehlo.token) -> !stablehlo.token
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%2#1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %3, %4 : !stablehlo.token, tensor<8xf32>
}
