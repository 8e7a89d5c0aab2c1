// RUN: sdy-opt %s --sdy-partition-pipeline | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// A collective that devices start in a manual computation, or a slice of what all of them have, stays as it is.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<4xf32>, %arg1: tensor<8xf32>) -> (tensor<4xf32>, tensor<6xf32>)
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<8xf32>, tensor<6xf32>) {
  // CHECK-NEXT: %[[START:.*]] = "stablehlo.async_start"(%arg0) ({
  // CHECK:        "stablehlo.all_reduce"
  // CHECK:      }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.async_done"(%[[START]])
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg2: tensor<4xf32>) {
    %3 = "stablehlo.async_start"(%arg2) ({
    ^bb0(%arg3: tensor<4xf32>):
      %5 = "stablehlo.all_reduce"(%arg3) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %6 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %5 : tensor<4xf32>
    }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
    %4 = "stablehlo.async_done"(%3) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    sdy.return %4 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK:      %[[START_SLICE:.*]] = "stablehlo.async_start"(%arg1) ({
  // CHECK:      }) : (tensor<8xf32>) -> !stablehlo.future<tensor<6xf32>>
  // CHECK-NEXT: %[[SLICE:.*]] = "stablehlo.async_done"(%[[START_SLICE]])
  // CHECK-NEXT: return %[[SUM]], %[[SLICE]]
  %1 = "stablehlo.async_start"(%arg1) ({
  ^bb0(%arg2: tensor<8xf32>):
    %3 = stablehlo.slice %arg2 [0:6] : (tensor<8xf32>) -> tensor<6xf32>
    stablehlo.return %3 : tensor<6xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<6xf32>>
  %2 = "stablehlo.async_done"(%1) : (!stablehlo.future<tensor<6xf32>>) -> tensor<6xf32>
  return %0, %2 : tensor<8xf32>, tensor<6xf32>
}
