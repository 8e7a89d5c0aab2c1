// RUN: sdy-opt %s --sdy-optimize-local-program=enable-patterns=combine-all-reduces | filecheck %s

// Small tensors go together, at the place where the first of them is needed.
// CHECK-LABEL: func.func @small
func.func @small(%arg0: tensor<2x4xf32>, %arg1: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %arg1
  // CHECK-NEXT: %[[R:.*]]:2 = "stablehlo.all_reduce"(%arg0, %[[T]])
  // CHECK: stablehlo.add
  // CHECK: }) : (tensor<2x4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>)
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[R]]#0
  // CHECK-NEXT: return %[[N]], %[[R]]#1
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
