// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

// Without edges nothing crosses a data-flow op, but what is inside and behind it is sharded with its own lists.

sdy.mesh @mesh = <["a"=2, "b"=2]>

func.func @main() {
  return
}

// The loop variable has the sharding of the result.
// CHECK-LABEL: func.func @loop
func.func @loop(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>, <@mesh, [{?}]>]>}
  // CHECK: stablehlo.tanh {{.*}}[{"a", ?}]
  %0:2 = stablehlo.while(%x = %arg0, %y = %arg1) : tensor<8xf32>, tensor<8xf32>
  cond {
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %t = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
    stablehlo.return %t, %y : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @named_computation
func.func @named_computation(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{"a", ?}]>] (
  %0 = sdy.named_computation<"f">(%arg0) (%x: tensor<8xf32>) {
    %1 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The manual axes of all in_shardings are put back when one of them is written.
// CHECK-LABEL: func.func @manual_computation
func.func @manual_computation(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: in_shardings=[<@mesh, [{"a", "b", ?}]>, <@mesh, [{"a"}]>]
  // CHECK-NEXT: stablehlo.tanh {{.*}}[{"b", ?}]
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a", ?}]>, <@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%x: tensor<4xf32>, %y: tensor<4xf32>) {
    %1 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>} : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Arguments of reduction bodies and the like have no sharding.
// CHECK-LABEL: func.func @reduction_body
func.func @reduction_body(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (
  // CHECK: stablehlo.maximum %arg2, %arg3 : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    %2 = stablehlo.add %1, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// Entries of a list that are not for tensors are empty.
// CHECK-LABEL: func.func @token
func.func @token(%arg0: tensor<8xf32>, %arg1: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
  // CHECK: stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>, <@mesh, []>]>}
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, !stablehlo.token
  %1 = stablehlo.tanh %0#0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}]>]>} : tensor<8xf32>
  return %1, %0#1 : tensor<8xf32>, !stablehlo.token
}
