// RUN: sdy-opt %s --sdy-convert-async=to=hlo-async | filecheck %s
// RUN: sdy-opt %s | sdy-opt --sdy-convert-async=to=hlo-async --sdy-convert-async=to=stablehlo > %t.back
// RUN: sdy-opt %s > %t.given
// RUN: diff %t.given %t.back

// A collective with a region and frontend attributes, with an op in between.
// CHECK-LABEL: func.func @reduction
func.func @reduction(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[S:.*]] = hlo_async.start(%arg0) thread "main" (%[[X:.*]]: tensor<8xf32>) {
  // CHECK-NEXT:   %[[Y:.*]] = "stablehlo.all_reduce"(%[[X]])
  // CHECK:        hlo_async.return %[[Y]] : tensor<8xf32>
  // CHECK-NEXT: } {mhlo.frontend_attributes = {k = "v"}} : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %y = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %y : tensor<8xf32>
  }) {mhlo.frontend_attributes = {k = "v"}} : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0
  %n = stablehlo.negate %a : tensor<8xf32>
  // CHECK-NEXT: %[[D:.*]] = hlo_async.done %[[S]] {tag} : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
  %d = "stablehlo.async_done"(%f) {tag} : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.add %[[D]], %[[N]]
  %r = stablehlo.add %d, %n : tensor<8xf32>
  return %r : tensor<8xf32>
}

// Several operands; inside a loop.
// CHECK-LABEL: func.func @slice_in_loop
func.func @slice_in_loop(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  // CHECK: hlo_async.start(%iterArg, %{{.*}}, %arg1) thread "main" (%{{.*}}: tensor<8xf32>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<i32>)
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %1 = stablehlo.while(%v = %a) : tensor<8xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %f = "stablehlo.async_start"(%v, %0, %i) ({
      ^bb0(%x: tensor<8xf32>, %u: tensor<2xf32>, %j: tensor<i32>):
        %y = "stablehlo.dynamic_update_slice"(%x, %u, %j) : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
        stablehlo.return %y : tensor<8xf32>
      }) : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> !stablehlo.future<tensor<8xf32>>
      %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
      stablehlo.return %d : tensor<8xf32>
    }
  return %1 : tensor<8xf32>
}
