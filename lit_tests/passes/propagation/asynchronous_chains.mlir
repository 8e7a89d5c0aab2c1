// RUN: sdy-opt %s --sdy-propagation-pipeline | filecheck %s
// RUN: sdy-opt %s --sdy-add-data-flow-edges | filecheck %s --check-prefix=EDGES

sdy.mesh @m = <["a"=2, "b"=2]>

// Shardings pass through what hlo_async starts in both directions: from the operands by way of the product to its
// result, and from the result of the function back to where it is computed. Bundles have none.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {"a"}]>})
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"b"}]>}, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {"a"}]>}) {
  // CHECK:      hlo_async.start(%arg0, %arg1)
  // CHECK-NEXT:   stablehlo.dot {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b"}]>]>}
  // CHECK:      } {sdy.in_shardings = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>, <@m, [{}, {"b"}]>]>} : (
  // EDGES:      hlo_async.start(%arg0, %arg1) thread "main" (%[[X:.*]]: tensor<8x8xf32>, %[[Y:.*]]: tensor<8x8xf32>)
  // EDGES-NEXT:   %[[XE:.*]] = sdy.data_flow_edge %[[X]] : tensor<8x8xf32>
  // EDGES-NEXT:   %[[YE:.*]] = sdy.data_flow_edge %[[Y]] : tensor<8x8xf32>
  // EDGES-NEXT:   stablehlo.dot %[[XE]], %[[YE]]
  %s = hlo_async.start(%a, %b) (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
    %0 = stablehlo.dot %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []>
  // CHECK-NEXT: hlo_async.update %{{.*}} : !hlo_async
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []>
  // CHECK-NEXT: hlo_async.done %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b"}]>]>}
  // EDGES:      %[[D:.*]] = hlo_async.done
  // EDGES-NEXT: sdy.data_flow_edge %[[D]] : tensor<8x8xf32>
  %d = hlo_async.done %u : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], []> -> tensor<8x8xf32>
  // CHECK-NEXT: hlo_async.start(%arg2)
  // CHECK-NEXT:   stablehlo.tanh {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {"a"}]>]>}
  %t = hlo_async.start(%c) (%x: tensor<8x8xf32>) {
    %0 = stablehlo.tanh %x : tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>], [tensor<8x8xf32>], []>
  %e = hlo_async.done %t : !hlo_async.bundle<[tensor<8x8xf32>], [tensor<8x8xf32>], []> -> tensor<8x8xf32>
  return %d, %e : tensor<8x8xf32>, tensor<8x8xf32>
}
