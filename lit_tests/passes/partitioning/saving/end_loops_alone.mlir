// RUN: sdy-opt %s --sdy-end-loops-alone | filecheck %s

// CHECK-LABEL: func.func @batch
// CHECK: %[[ANY:.*]] = stablehlo.reduce
// CHECK-NEXT: stablehlo.return %[[ANY]]
// CHECK-NOT: all_reduce
// CHECK: return
func.func @batch(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>, %limit: tensor<f32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %0:3 = stablehlo.while(%x = %arg1, %m = %arg0, %l = %limit) : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  cond {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %false = stablehlo.constant dense<false> : tensor<i1>
    %any = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    %all = "stablehlo.all_reduce"(%any) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %or = stablehlo.or %a, %b : tensor<i1>
      stablehlo.return %or : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %all : tensor<i1>
  } do {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %half = stablehlo.multiply %x, %bound : tensor<2xf32>
    %next = stablehlo.select %p, %half, %x : tensor<2xi1>, tensor<2xf32>
    %ps = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
    %twice = stablehlo.add %m, %m : tensor<2x3xf32>
    %rows = stablehlo.select %ps, %twice, %m : tensor<2x3xi1>, tensor<2x3xf32>
    stablehlo.return %next, %rows, %l : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2x3xf32>
}

// Other devices would be waited for in the body.
// CHECK-LABEL: func.func @sends
// CHECK: "stablehlo.all_reduce"
// CHECK: "stablehlo.collective_permute"
func.func @sends(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>, %limit: tensor<f32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %0:3 = stablehlo.while(%x = %arg1, %m = %arg0, %l = %limit) : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  cond {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %false = stablehlo.constant dense<false> : tensor<i1>
    %any = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    %all = "stablehlo.all_reduce"(%any) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %or = stablehlo.or %a, %b : tensor<i1>
      stablehlo.return %or : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %all : tensor<i1>
  } do {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %half = stablehlo.multiply %x, %bound : tensor<2xf32>
    %sent = "stablehlo.collective_permute"(%m) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %next = stablehlo.select %p, %half, %x : tensor<2xi1>, tensor<2xf32>
    %ps = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
    %twice = stablehlo.add %m, %sent : tensor<2x3xf32>
    %rows = stablehlo.select %ps, %twice, %m : tensor<2x3xi1>, tensor<2x3xf32>
    stablehlo.return %next, %rows, %l : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2x3xf32>
}

// What is done goes on changing as long as anything of the batch goes on.
// CHECK-LABEL: func.func @changes
// CHECK: "stablehlo.all_reduce"
func.func @changes(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>, %limit: tensor<f32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %0:3 = stablehlo.while(%x = %arg1, %m = %arg0, %l = %limit) : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  cond {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %false = stablehlo.constant dense<false> : tensor<i1>
    %any = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    %all = "stablehlo.all_reduce"(%any) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %or = stablehlo.or %a, %b : tensor<i1>
      stablehlo.return %or : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %all : tensor<i1>
  } do {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %half = stablehlo.multiply %x, %bound : tensor<2xf32>
    %next = stablehlo.select %p, %half, %x : tensor<2xi1>, tensor<2xf32>
    %ps = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
    %twice = stablehlo.add %m, %m : tensor<2x3xf32>
    %rows = stablehlo.select %ps, %m, %twice : tensor<2x3xi1>, tensor<2x3xf32>
    stablehlo.return %next, %rows, %l : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2x3xf32>
}

// Elements are chosen by another condition than the loop goes on by.
// CHECK-LABEL: func.func @other_condition
// CHECK: "stablehlo.all_reduce"
func.func @other_condition(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>, %limit: tensor<f32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %0:3 = stablehlo.while(%x = %arg1, %m = %arg0, %l = %limit) : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  cond {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %false = stablehlo.constant dense<false> : tensor<i1>
    %any = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    %all = "stablehlo.all_reduce"(%any) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %or = stablehlo.or %a, %b : tensor<i1>
      stablehlo.return %or : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %all : tensor<i1>
  } do {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GE, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %half = stablehlo.multiply %x, %bound : tensor<2xf32>
    %next = stablehlo.select %p, %half, %x : tensor<2xi1>, tensor<2xf32>
    %ps = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
    %twice = stablehlo.add %m, %m : tensor<2x3xf32>
    %rows = stablehlo.select %ps, %twice, %m : tensor<2x3xi1>, tensor<2x3xf32>
    stablehlo.return %next, %rows, %l : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2x3xf32>
}

// A call may do anything.
// CHECK-LABEL: func.func @calls
// CHECK: "stablehlo.all_reduce"
func.func @calls(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>, %limit: tensor<f32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %0:3 = stablehlo.while(%x = %arg1, %m = %arg0, %l = %limit) : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  cond {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %false = stablehlo.constant dense<false> : tensor<i1>
    %any = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    %all = "stablehlo.all_reduce"(%any) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %or = stablehlo.or %a, %b : tensor<i1>
      stablehlo.return %or : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %all : tensor<i1>
  } do {
    %bound = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %p = stablehlo.compare GT, %x, %bound, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %half = stablehlo.multiply %x, %bound : tensor<2xf32>
    %called = stablehlo.custom_call @anything(%m) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %next = stablehlo.select %p, %half, %x : tensor<2xi1>, tensor<2xf32>
    %ps = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
    %twice = stablehlo.add %m, %m : tensor<2x3xf32>
    %rows = stablehlo.select %ps, %twice, %m : tensor<2x3xi1>, tensor<2x3xf32>
    stablehlo.return %next, %rows, %l : tensor<2xf32>, tensor<2x3xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2x3xf32>
}
