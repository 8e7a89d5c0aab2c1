// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=equal-collectives | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Gathered once for both users.
// CHECK-LABEL: func.func @twice
func.func @twice(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[G:.*]] = sdy.all_gather [{"x"}] %arg0
  // CHECK-NEXT: stablehlo.add %[[G]], %[[G]]
  %0 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Along other axes it is another collective.
// CHECK-LABEL: func.func @other_axes
func.func @other_axes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: sdy.all_gather [{"x"}, {}] %arg0
  // CHECK-NEXT: sdy.all_gather [{}, {"y"}] %arg0
  %0 = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// What is there before a loop is there in the loop, not the other way round.
// CHECK-LABEL: func.func @loop
func.func @loop(
    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<i1>) -> tensor<8xf32> {
  // CHECK: %[[OUTER:.*]] = sdy.all_gather [{"x"}] %arg0
  %0 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1:2 = stablehlo.while(%x = %0, %c = %arg2) : tensor<8xf32>, tensor<i1>
    cond {
    stablehlo.return %c : tensor<i1>
  } do {
    // CHECK: %[[INNER:.*]] = sdy.all_gather [{"x"}] %arg1
    // CHECK-NEXT: stablehlo.add %[[OUTER]], %[[INNER]]
    %2 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %3 = sdy.all_gather [{"x"}] %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %4 = stablehlo.add %2, %3 : tensor<8xf32>
    stablehlo.return %4, %c : tensor<8xf32>, tensor<i1>
  }
  // CHECK: sdy.all_gather [{"x"}] %arg1
  %5 = sdy.all_gather [{"x"}] %arg1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %6 = stablehlo.add %1#0, %5 : tensor<8xf32>
  return %6 : tensor<8xf32>
}

// Nobody needs these.
// CHECK-LABEL: func.func @unused
func.func @unused(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0
  %0 = sdy.all_gather [{"x"}] %arg0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  %1 = sdy.all_slice [{"y"}] %0 out_sharding=<@mesh, [{"y"}]> : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}
