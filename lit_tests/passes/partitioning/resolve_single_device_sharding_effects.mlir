// RUN: sdy-opt %s --split-input-file --verify-diagnostics '--sdy-resolve-single-device-sharding=effects=true' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>

// An op without results is executed by its device alone.
// CHECK-LABEL: func.func @no_result
func.func @no_result(%arg0: tensor<8xf32>) {
  // CHECK: "stablehlo.if"(%{{.*}}) ({
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
  // CHECK-NEXT: stablehlo.return
  // CHECK-NEXT: }, {
  // CHECK-NEXT: stablehlo.return
  // CHECK-NEXT: }) : (tensor<i1>) -> ()
  // CHECK-NEXT: return
  stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>) -> ()
  return
}

// The others hand on the token that the op would have waited for.
// CHECK-LABEL: func.func @token
func.func @token(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> !stablehlo.token {
  // CHECK: %[[IF:.*]] = "stablehlo.if"(%{{.*}}) ({
  // CHECK-NEXT: %[[SENT:.*]] = "stablehlo.send"(%arg0, %arg1) <{{.*}}> : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK-NEXT: stablehlo.return %[[SENT]] : !stablehlo.token
  // CHECK-NEXT: }, {
  // CHECK-NEXT: stablehlo.return %arg1 : !stablehlo.token
  // CHECK-NEXT: }) : (tensor<i1>) -> !stablehlo.token
  // CHECK-NEXT: return %[[IF]] : !stablehlo.token
  %0 = sdy.reshard %arg0 <@device_1, []> : tensor<8xf32>
  %1 = "stablehlo.send"(%0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return %1 : !stablehlo.token
}

// CHECK-LABEL: func.func @several_tokens
func.func @several_tokens(%arg0: !stablehlo.token, %arg1: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
  // CHECK: %[[IF:.*]]:2 = "stablehlo.if"(%{{.*}}) ({
  // CHECK: }, {
  // CHECK-NEXT: %[[NOTHING:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[BOTH:.*]] = stablehlo.after_all %arg0, %arg1 : !stablehlo.token
  // CHECK-NEXT: stablehlo.return %[[NOTHING]], %[[BOTH]] : tensor<f32>, !stablehlo.token
  // CHECK: %[[ALL:.*]] = sdy.all_reduce {"x", "y"} %[[IF]]#0
  // CHECK-NEXT: return %[[ALL]], %[[IF]]#1
  %0:2 = stablehlo.custom_call @f(%arg0, %arg1) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>, <@device_1, []>]>} : (!stablehlo.token, !stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<f32>, !stablehlo.token
}

// What the same device takes next stays there; what others take, too, is handed out beside that.
// CHECK-LABEL: func.func @chain
func.func @chain(%arg0: tensor<8xf32>) -> tensor<4xf32> {
  // CHECK: %[[FIRST:.*]]:2 = "stablehlo.if"(%{{.*}}) ({
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0)
  // CHECK-NOT: sdy.all_reduce
  // CHECK: %[[SECOND:.*]] = "stablehlo.if"(%{{.*}}) ({
  // CHECK-NEXT: stablehlo.custom_call @g(%[[FIRST]]#0, %[[FIRST]]#1)
  // CHECK: %[[ALL:.*]] = sdy.all_reduce {"x", "y"} %[[SECOND]]
  // CHECK-NEXT: return %[[ALL]]
  %0:2 = stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>, <@device_1, []>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  %1 = sdy.reshard %0#1 <@device_1, []> : tensor<4xf32>
  %2 = stablehlo.custom_call @g(%0#0, %1) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @chain_and_others
func.func @chain_and_others() -> tensor<8xf32> {
  // CHECK: %[[FIRST:.*]] = "stablehlo.if"(%{{.*}}) ({
  // CHECK: %[[ALL:.*]] = sdy.all_reduce {"x", "y"} %[[FIRST]]
  // CHECK: stablehlo.custom_call @g(%[[FIRST]])
  // CHECK: return %[[ALL]]
  %0 = stablehlo.custom_call @f() {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : () -> tensor<8xf32>
  stablehlo.custom_call @g(%0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<8xf32>) -> ()
  return %0 : tensor<8xf32>
}

// A result that nobody uses is not sent around.
// CHECK-LABEL: func.func @unused
// CHECK-NOT: sdy.all_reduce
func.func @unused() {
  // CHECK: return
  %0 = stablehlo.custom_call @f() {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : () -> tensor<f32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>
sdy.mesh @device_2 = <[], device_ids=[2]>

func.func @two_devices(%arg0: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.custom_call' op is executed on several single devices: 1, 2}}
  %0:2 = stablehlo.custom_call @f(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>, <@device_2, []>]>} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>

// Device 1 cannot act for those with another coordinate along x.
func.func @manual(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    // expected-error @+1 {{'stablehlo.negate' op is on a single device, in a region that is manual on the axes 'x'}}
    %1 = stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>

// In the regions of what one device executes nothing communicates: it would wait for the others.
// CHECK-LABEL: func.func @captured
func.func @captured(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<i1>) -> tensor<8xf32> {
  // CHECK:      %[[WHOLE:.*]] = sdy.all_gather [{"x"}] %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: "stablehlo.if"(%{{.*}}) ({
  // CHECK-NEXT:   %[[IF:.*]] = "stablehlo.if"(%arg2) ({
  // CHECK-NEXT:     stablehlo.return %arg0 : tensor<8xf32>
  // CHECK-NEXT:   }, {
  // CHECK-NEXT:     %[[S:.*]] = stablehlo.sine %[[WHOLE]] : tensor<8xf32>
  // CHECK-NEXT:     stablehlo.return %[[S]] : tensor<8xf32>
  // CHECK-NEXT:   }) : (tensor<i1>) -> tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[IF]] : tensor<8xf32>
  %0 = sdy.reshard %arg0 <@device_1, []> : tensor<8xf32>
  %1 = "stablehlo.if"(%arg2) ({
    stablehlo.return %0 : tensor<8xf32>
  }, {
    %2 = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : tensor<8xf32>
    %3 = sdy.reshard %2 <@device_1, []> : tensor<8xf32>
    stablehlo.return %3 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<i1>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>

func.func @sharded_inside(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  %0 = "stablehlo.if"(%arg1) ({
    stablehlo.return %arg0 : tensor<8xf32>
  }, {
    // expected-error @+1 {{is sharded, in an op that a single device executes}}
    %1 = stablehlo.sine %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : (tensor<i1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
