// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=flatten-all-reduces | filecheck %s

// Small tensors go one behind the other.
// CHECK-LABEL: func.func @small
func.func @small(%arg0: tensor<2x4xf32>, %arg1: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 0
  // CHECK-NEXT: %[[R:.*]] = "stablehlo.all_reduce"(%[[C]])
  // CHECK: stablehlo.add
  // CHECK: }) : (tensor<12xf32>) -> tensor<12xf32>
  // CHECK-NEXT: %[[D:.*]] = stablehlo.slice %[[R]] [0:8]
  // CHECK-NEXT: %[[E:.*]] = stablehlo.reshape %[[D]] : (tensor<8xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %[[R]] [8:12]
  // CHECK-NEXT: %[[F:.*]] = stablehlo.reshape %[[S]]
  // CHECK-NEXT: return %[[E]], %[[F]]
  %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<4xf32>
}

// What is large is not copied.
// CHECK-LABEL: func.func @large
func.func @large(%arg0: tensor<100x100xf32>, %arg1: tensor<4xf32>) -> (tensor<100x100xf32>, tensor<4xf32>) {
  // CHECK-NEXT: "stablehlo.all_reduce"(%arg0, %arg1)
  %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<100x100xf32>, tensor<4xf32>) -> (tensor<100x100xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<100x100xf32>, tensor<4xf32>
}
