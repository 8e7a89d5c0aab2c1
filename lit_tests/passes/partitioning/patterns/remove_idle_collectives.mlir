// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=idle-collectives | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// Every device would send to itself.
// CHECK-LABEL: func.func @idle
func.func @idle(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: return %arg0, %arg0
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}>
      : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A device that nobody sends to gets zeros.
// CHECK-LABEL: func.func @not_all_devices
func.func @not_all_devices(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[R:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-NEXT: return %[[R]]
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[1, 1]]> : tensor<1x2xi64>}>
      : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @exchange
func.func @exchange(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%arg0)
  // CHECK-NEXT: %[[R:.*]] = "stablehlo.all_reduce"(%arg0)
  // CHECK: return %[[P]], %[[R]]
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
      : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
