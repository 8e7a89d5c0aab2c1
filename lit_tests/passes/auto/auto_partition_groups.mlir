// RUN: sdy-opt %s --split-input-file --sdy-auto-partition='verify=0 machine="flops=1e12 bandwidth=1e9 memory_bandwidth=1e11"' | filecheck %s

// What is to be sharded alike is, where it pays for all of it.

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg2: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
func.func @main(%x: tensor<4096x64xf32>, %w: tensor<64x64xf32>, %y: tensor<4096x64xf32>)
    -> (tensor<4096x64xf32>, tensor<4096x64xf32>) {
  // CHECK: stablehlo.dot_general {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
  sdy.sharding_group %0 group_id=0 : tensor<4096x64xf32>
  sdy.sharding_group %y group_id=0 : tensor<4096x64xf32>
  return %0, %y : tensor<4096x64xf32>, tensor<4096x64xf32>
}

// -----

// One member is as the user says, and so are the others.

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<4096x64xf32>, %y: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> tensor<4096x64xf32> {
  // CHECK: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  %0 = stablehlo.tanh %x : tensor<4096x64xf32>
  sdy.sharding_group %0 group_id=0 : tensor<4096x64xf32>
  sdy.sharding_group %y group_id=0 : tensor<4096x64xf32>
  return %0 : tensor<4096x64xf32>
}

// -----

// What a function says of its arguments and results holds where it is called.

sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
func.func @main(%x: tensor<4096x64xf32>) -> tensor<4096x64xf32> {
  %0 = call @f(%x) : (tensor<4096x64xf32>) -> tensor<4096x64xf32>
  return %0 : tensor<4096x64xf32>
}
func.func private @f(%x: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  %0 = stablehlo.tanh %x : tensor<4096x64xf32>
  return %0 : tensor<4096x64xf32>
}
