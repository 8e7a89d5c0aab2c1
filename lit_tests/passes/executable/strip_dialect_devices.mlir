// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-strip-dialect | filecheck %s

// All devices that are named are there, and -1 is none.
// CHECK-LABEL: func.func @main
// CHECK: dense<{{\[\[}}0, 1], [2, -1]]>
module attributes {sdy.devices = #sdy.mesh<["x"=3]>} {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {sdy.devices = #sdy.mesh<["x"=2]>} {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{names device 2, but there are 2 devices}}
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {sdy.devices = #sdy.mesh<["devices"=1]>} {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{names device 3, but there is one device}}
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[3, 0]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
