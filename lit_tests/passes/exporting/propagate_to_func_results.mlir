// RUN: sdy-opt %s --sdy-propagate-to-func-results | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @device = <[], device_ids=[3]>

// A result of main gets the sharding of what is returned only if it has none.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  // CHECK-NEXT: return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
  return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
}

// The results of other functions follow what is returned; other attributes stay.
// CHECK-LABEL: func.func private @other
// CHECK-SAME: (%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "out", sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, tensor<8xf32>)
func.func private @other(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %arg1: tensor<8xf32>)
    -> (tensor<8xf32> {jax.result_info = "out", sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  // CHECK-NEXT: return %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  return %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
}

// A value on a single device counts as one without a sharding.
// CHECK-LABEL: func.func private @on_one_device
// CHECK-SAME: (%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func private @on_one_device(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
