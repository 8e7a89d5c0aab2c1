// RUN: sdy-opt %s --sdy-combine-all-reduces | filecheck %s

// Small tensors go together, at the place where the first of them is needed.
// CHECK-LABEL: func.func @small
func.func @small(%arg0: tensor<2x4xf32>, %arg1: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %arg1
  // CHECK-NEXT: %[[A:.*]] = stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.reshape %[[T]] : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 0
  // CHECK-NEXT: %[[R:.*]] = "stablehlo.all_reduce"(%[[C]])
  // CHECK: stablehlo.add
  // CHECK: }) : (tensor<12xf32>) -> tensor<12xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.slice %[[R]] [0:8]
  // CHECK-NEXT: %[[E:.*]] = stablehlo.reshape %[[C]] : (tensor<8xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %[[R]] [8:12]
  // CHECK-NEXT: %[[F:.*]] = stablehlo.reshape %[[S]]
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[E]]
  // CHECK-NEXT: return %[[N]], %[[F]]
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.tanh %arg1 : tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.negate %0 : tensor<2x4xf32>
  return %3, %2 : tensor<2x4xf32>, tensor<4xf32>
}

// The second depends on the first; and a maximum is no sum.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK: "stablehlo.all_reduce"(%arg0)
  // CHECK: "stablehlo.all_reduce"(%arg1)
  // CHECK: "stablehlo.all_reduce"(%{{.*}})
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.all_reduce"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %2, %1 : tensor<8xf32>, tensor<4xf32>
}
