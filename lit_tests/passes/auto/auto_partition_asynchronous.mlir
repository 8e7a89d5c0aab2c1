// RUN: not sdy-opt %s --sdy-auto-partition 2>&1 | filecheck %s
// RUN: sdy-opt %s --sdy-convert-async --sdy-auto-partition 2>/dev/null | filecheck %s --check-prefix=SYNCHRONOUS

sdy.mesh @mesh = <["x"=2, "y"=2]>

// The body of a start has one op, which leaves no room for what a plan says of values in it.
// SYNCHRONOUS: stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh,
// SYNCHRONOUS-NOT: hlo_async
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: auto_partition_asynchronous.mlir:[[# @LINE + 1]]:8: error: 'hlo_async.start' op is asynchronous, which automatic partitioning does not support: use sdy-convert-async before it
  %s = hlo_async.start(%arg0, %arg1) computation "product" (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
    %0 = stablehlo.dot %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    hlo_async.return %0 : tensor<8x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<8x8xf32>, tensor<8x8xf32>], [tensor<8x8xf32>], [tensor<i32>]> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}
