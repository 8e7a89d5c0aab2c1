// RUN: sdy-opt %s --sdy-unflatten-call-graph | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Calls of clones with equal shardings go to the one that is called first; other clones stay apart.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @g_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = call @g_0(%[[V0]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = call @g_1(%[[V1]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8xf32>
  %0 = call @g_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @g_1(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// The notes of flattening go, functions without callers stay.
// CHECK-LABEL: func.func private @g
// CHECK-SAME: (%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// CHECK-LABEL: func.func private @g_0
// CHECK-SAME: (%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
func.func private @g_0(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "g"} {
  // CHECK-NEXT: return %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// CHECK-LABEL: func.func private @g_1
// CHECK-SAME: (%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32>
func.func private @g_1(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "g"} {
  // CHECK-NEXT: return %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}
