// RUN: sdy-opt %s --sdy-convert-async=to=marked | filecheck %s
// RUN: sdy-opt %s > %t.given
// RUN: sdy-opt %s --sdy-convert-async=to=marked | sdy-opt --sdy-convert-async=to=restored > %t.back
// RUN: diff %t.given %t.back

// CHECK: module attributes {sdy.asynchronous = {{\[\[}}"stablehlo.tanh", {{.*}}], ["stablehlo.slice", {{.*}}]]}

// CHECK-LABEL: func.func @any
func.func @any(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %arg0 {sdy.asynchronous = {computation = "w", contexts = [tensor<i32>], number = 0 : i64, thread = "side", updates = 1 : i64}, tag} : tensor<8xf32>
  // CHECK-NEXT: return %[[T]]
  %s = hlo_async.start(%a) thread "side" computation "w" (%x: tensor<8xf32>) {
    %0 = stablehlo.tanh %x {tag} : tensor<8xf32>
    hlo_async.return %0 : tensor<8xf32>
  } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], [tensor<i32>]>
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], [tensor<i32>]>
  %d = hlo_async.done %u : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], [tensor<i32>]> -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// Of StableHLO's, slices.
// CHECK-LABEL: func.func @stablehlo
func.func @stablehlo(%a: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // The done stands apart, and comes back to where it is used.
  // CHECK-NEXT: stablehlo.slice %arg0 [0:4] {sdy.asynchronous = {contexts = [], is_late, is_stablehlo, number = 1 : i64, thread = "main", updates = 0 : i64}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %y = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %y : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  // CHECK-NEXT: "stablehlo.async_start"
  %g = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %y = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %y : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %1 = "stablehlo.async_done"(%g) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<8xf32>
}
