// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s
// RUN: sdy-opt %s --sdy-propagate-to-func-results | filecheck %s --check-prefix=RESULTS

// Functions of several blocks, of which the reference takes what the first one ends with for a return: its results do
// not verify, or are left as they are.
sdy.mesh @mesh = <["x"=4, "y"=2]>

// Every return gets its reshards.
// CHECK-LABEL: func.func @main
func.func @main(%arg0: i1, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  // CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  // CHECK: %[[FIRST:.*]] = sdy.reshard %arg1 <@mesh, [{"y"}]>
  // CHECK-NEXT: return %[[FIRST]]
  return %arg1 : tensor<8xf32>
^bb2:
  // CHECK: %[[ABS:.*]] = stablehlo.abs
  // CHECK-NEXT: %[[SECOND:.*]] = sdy.reshard %[[ABS]] <@mesh, [{"y"}]>
  // CHECK-NEXT: return %[[SECOND]]
  %0 = stablehlo.abs %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A result is sharded like what is returned, if all blocks return values that are sharded alike.
// RESULTS: func.func private @returns
// RESULTS-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32>)
func.func private @returns(%arg0: i1, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  cf.cond_br %arg0, ^bb1(%arg2 : tensor<8xf32>), ^bb2
^bb1(%0: tensor<8xf32>):
  return %arg1, %0 : tensor<8xf32>, tensor<8xf32>
^bb2:
  return %arg1, %arg1 : tensor<8xf32>, tensor<8xf32>
}
