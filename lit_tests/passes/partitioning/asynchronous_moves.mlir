// RUN: sdy-opt %s --sdy-partition-pipeline --split-input-file --verify-diagnostics | filecheck %s
// RUN: sdy-opt %s --sdy-convert-async=to=marked --split-input-file | filecheck %s --check-prefix=MARKED

// Asynchronous slices, and whatever hlo_async starts, are local again after the partitioner, or made synchronous.

// The slice needs what other devices have.
// CHECK-LABEL: func.func @main
// CHECK-NOT:   async
sdy.mesh @mesh = <["x"=2]>
// MARKED:       module attributes {sdy.asynchronous = {{\[\[}}"stablehlo.slice", "{{.*}}", "19", "10"]]}
// MARKED-LABEL: func.func @main
// MARKED-NEXT:    %[[S:.*]] = stablehlo.slice %arg0 [0:4, 0:8] {sdy.asynchronous = {contexts = [], is_stablehlo, number = 0 : i64, thread = "main", updates = 0 : i64}}
// MARKED-NEXT:    return %[[S]]
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  // expected-warning @+1 {{without a known sharding rule}}
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8x8xf32>):
    // expected-remark @+1 {{'stablehlo.slice' stays synchronous: the partitioner has made other ops of it}}
    %2 = stablehlo.slice %arg1 [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %2 : tensor<4x8xf32>
  }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// A reshard is needed, around the slice.
// CHECK-LABEL: func.func @main(%arg0: tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    "stablehlo.async_start"(%arg0)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: tensor<8x8xf32>):
// CHECK-NEXT:      stablehlo.slice %[[X]] [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<4x8xf32> {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%arg1: tensor<8x8xf32>):
    %2 = stablehlo.slice %arg1 [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %2 : tensor<4x8xf32>
  }) : (tensor<8x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// A product whose operands are gathered, with its thread, update and context; the gather comes before the start.
// CHECK-LABEL: func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<8x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %[[G:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK-NEXT:    %[[S:.*]] = hlo_async.start(%[[G]], %arg1) thread "side" computation "product" (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<8x4xf32>) {
// CHECK-NEXT:      %[[D:.*]] = stablehlo.dot %[[X]], %[[Y]] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:      hlo_async.return %[[D]]
// CHECK-NEXT:    } : (tensor<4x8xf32>, tensor<8x4xf32>) -> !hlo_async.bundle<[tensor<4x8xf32>, tensor<8x4xf32>], [tensor<4x4xf32>], [tensor<i32>]>
// CHECK-NEXT:    %[[U:.*]] = hlo_async.update %[[S]]
// CHECK-NEXT:    %[[R:.*]] = hlo_async.done %[[U]] : !hlo_async.bundle<[tensor<4x8xf32>, tensor<8x4xf32>], [tensor<4x4xf32>], [tensor<i32>]> -> tensor<4x4xf32>
// CHECK-NEXT:    return %[[R]]
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x8xf32> {
  %s = hlo_async.start(%arg0, %arg1) thread "side" computation "product" (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
    %0 = stablehlo.dot %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]>
  %u = hlo_async.update %s : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]>
  %d = hlo_async.done %u : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}
