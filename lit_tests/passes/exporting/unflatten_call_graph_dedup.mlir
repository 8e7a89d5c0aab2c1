// RUN: sdy-opt %s --sdy-unflatten-call-graph='dedup-functions-fully=true' | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Shardings do not matter; the clone with the shardings that are called most often takes all calls.
// CHECK-LABEL: func.func @main(
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @g_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = call @g_0(%[[V0]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = call @g_0(%[[V1]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8xf32>
  %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @g_0(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @g_0(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func private @g_0(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "g"} {
  return %arg0 : tensor<8xf32>
}

// As often is not more often: the first one stays. So does one that is called more often, by whoever is called last.
// CHECK-LABEL: func.func @ties(
func.func @ties(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: call @once(%arg0)
  // CHECK-NEXT: call @once(%arg0)
  // CHECK-NEXT: call @twice(%arg0)
  // CHECK-NEXT: call @twice(%arg0)
  // CHECK-NEXT: call @twice(%arg0)
  %0 = call @once(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @once_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @twice(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @twice(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @twice_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @once(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func private @once_0(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "once"} {
  return %arg0 : tensor<8xf32>
}

func.func private @twice(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func private @twice_0(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "twice"} {
  return %arg0 : tensor<8xf32>
}
