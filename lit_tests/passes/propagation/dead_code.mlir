// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2]>

func.func @main() {
  return
}

// Unused ops disappear, the last one first, after they passed shardings on.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}
// CHECK-NEXT:    return %arg0
func.func @chain(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  %2 = stablehlo.custom_call @pure(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %arg0 : tensor<8x8xf32>
}

// Ops with effects stay.
// CHECK-LABEL: func.func @effects
func.func @effects(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.custom_call @print(%arg0) {has_side_effect = true}
  %0 = stablehlo.custom_call @print(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_constraint
  %1 = sdy.sharding_constraint %arg0 <@mesh, [{?}]> : tensor<8xf32>
  // CHECK-NEXT: call @main
  func.call @main() : () -> ()
  // CHECK-NEXT: return
  return %arg0 : tensor<8xf32>
}

// A loop goes with everything in it, unless there is an effect inside.
// CHECK-LABEL: func.func @loops
func.func @loops(%arg0: tensor<i32>) -> tensor<i32> {
  // CHECK-NEXT: stablehlo.while
  // CHECK-COUNT-1: stablehlo.custom_call
  // CHECK-NOT: stablehlo.while
  %0 = stablehlo.while(%i = %arg0) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.custom_call @print(%i) {has_side_effect = true} : (tensor<i32>) -> tensor<i32>
    stablehlo.return %n : tensor<i32>
  }
  %1 = stablehlo.while(%i = %arg0) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  // CHECK: return %arg0
  return %arg0 : tensor<i32>
}

// Of ops that compute nothing themselves, those that say something about shardings stay, and so do those that talk to
// other devices or draw random numbers.
// CHECK-LABEL: func.func @neither_computed_nor_erased
func.func @neither_computed_nor_erased(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<f32>, %arg2: tensor<1xi64>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.all_gather
  %0 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.rng
  %1 = stablehlo.rng %arg1, %arg1, %arg2, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.collective_permute
  %2 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.optimization_barrier
  %3 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
  // CHECK-NEXT: sdy.data_flow_edge
  %4 = sdy.data_flow_edge %3 : tensor<8xf32>
  // CHECK-NEXT: return
  %5 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  %6 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8xf32>
  %7 = sdy.constant dense<1.0> : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// A computation whose body has edges has an effect by that.
// CHECK-LABEL: func.func @computations
func.func @computations(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.named_computation<"with_edge">
  // CHECK-NOT: sdy.named_computation
  %0 = sdy.named_computation<"with_edge">(%arg0) (%x: tensor<8xf32>) {
    %2 = sdy.data_flow_edge %x : tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"without">(%arg0) (%x: tensor<8xf32>) {
    sdy.return %x : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: return %arg0
  return %arg0 : tensor<8xf32>
}

// Transfers from and to the host stay, though nobody uses what they return.
// CHECK-LABEL: func.func @transfers
func.func @transfers(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) {
  // CHECK-NEXT: "stablehlo.outfeed"
  %0 = "stablehlo.outfeed"(%arg0, %arg1) {outfeed_config = ""} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK-NEXT: "stablehlo.infeed"
  %1:2 = "stablehlo.infeed"(%arg1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  // CHECK-NEXT: "stablehlo.send"
  %2 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK-NEXT: "stablehlo.recv"
  %3:2 = "stablehlo.recv"(%arg1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  // CHECK-NEXT: return
  return
}
