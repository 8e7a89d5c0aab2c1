// RUN: sdy-opt %s --sdy-per-instruction-partitioning='filter=func=main' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<i32>, %arg3: tensor<8xf32>) -> (tensor<8xf32>, tensor<19xf32>, tensor<8xf32>) {
  // Called functions come along under names of their own, and so do those that they call.
  // CHECK: sdy.manual_computation(%arg0) {{.*}} (%[[PART:.*]]: tensor<4xf32>) {
  // CHECK-NEXT: func.call @outer_0(%[[PART]])
  %0 = call @outer(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // The operands of a concatenation are gathered one after the other, each behind the removal of its padding.
  // CHECK: sdy.manual_computation({{.*}}) {{.*}} (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<4xf32>) {
  // CHECK-NEXT: "stablehlo.all_gather"(%[[A]])
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[B]]
  // CHECK-NEXT: "stablehlo.all_gather"(%[[SLICE]])
  %1 = stablehlo.concatenate %arg0, %arg1, %arg0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>, tensor<3xf32>, tensor<8xf32>) -> tensor<19xf32>
  // Values that regions use become operands, those of inner regions first. Collectives that meet in a region combine.
  // CHECK: %[[NEGATE:.*]] = stablehlo.negate %arg3
  // CHECK: sdy.manual_computation(%arg2, %arg0, %arg2, %arg3, %[[NEGATE]])
  // CHECK: stablehlo.while
  // CHECK: stablehlo.while
  // CHECK: "stablehlo.reduce_scatter"
  // CHECK-NOT: "stablehlo.all_reduce"
  // CHECK: return
  %2 = stablehlo.negate %arg3 : tensor<8xf32>
  %3:2 = stablehlo.while(%a = %arg2, %b = %arg0) : tensor<i32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>}
  cond {
    %4 = stablehlo.compare LT, %a, %arg2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4:2 = stablehlo.while(%c = %a, %d = %2) : tensor<i32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}]>]>}
    cond {
      %5 = stablehlo.compare LT, %c, %arg2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      stablehlo.return %c, %arg3 : tensor<i32>, tensor<8xf32>
    }
    %5 = sdy.replicated_to_unreduced {"x"} %4#1 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
    %6 = sdy.all_reduce {"x"} %5 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %7 = sdy.reshard %6 <@mesh, [{"x"}]> : tensor<8xf32>
    stablehlo.return %a, %7 : tensor<i32>, tensor<8xf32>
  }
  return %0, %1, %3#1 : tensor<8xf32>, tensor<19xf32>, tensor<8xf32>
}

// CHECK: func.func private @outer_0(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: call @inner_1(%arg0)
// CHECK: func.func private @inner_1(%arg0: tensor<4xf32>) -> tensor<4xf32> {
func.func private @outer(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = call @inner(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func private @inner(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %arg0 : tensor<8xf32>
}
