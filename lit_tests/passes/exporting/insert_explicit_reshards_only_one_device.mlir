// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s

sdy.mesh @device = <[], device_ids=[3]>

// Without a mesh of several devices there is nowhere to move from or to.
// CHECK-LABEL: func.func @only_one_device(
func.func @only_one_device(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return
}
