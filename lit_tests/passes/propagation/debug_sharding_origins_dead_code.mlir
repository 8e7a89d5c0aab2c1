// RUN: sdy-opt %s --sdy-basic-propagate='debug-sharding-origins=true' | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// An op that is propagated through before it dies leaves no trace.
// Unlike the reference, which crashes.
// CHECK-LABEL: func.func @dead
func.func @dead(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>, sdy.sharding_origins = [{x = "input: 0"}]} : tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  %2 = stablehlo.abs %arg0 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
