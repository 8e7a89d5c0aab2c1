// RUN: sdy-opt %s --split-input-file --sdy-inline-calls=calls=unreduced | filecheck %s
// RUN: sdy-opt %s --split-input-file --sdy-partition-pipeline | filecheck %s --check-prefix=LOCAL

sdy.mesh @mesh = <["x"=2]>

// What the function returns as it is stays sharded, though it is made unreduced in the function.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>
// LOCAL-LABEL: func.func @main(
// LOCAL-SAME: %[[A:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>)
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[A]]
  // CHECK-NEXT: %[[U:.*]] = sdy.sharding_constraint %[[N]] <@mesh, [{}], unreduced={"x"}>
  // CHECK-NEXT: return %[[N]], %[[U]]
  // LOCAL: %[[N:.*]] = stablehlo.negate %[[A]] : tensor<4xf32>
  // LOCAL: %[[U:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %[[N]]
  // LOCAL: return %[[N]], %[[U]]
  %0:2 = call @outer(%arg0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @outer(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1:2 = call @inner(%0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @inner(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  return %arg0, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

// Only the call with an unreduced operand goes.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>
// LOCAL-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[C:.*]] = call @double(%[[A]])
  // CHECK-NEXT: %[[U:.*]] = sdy.sharding_constraint %[[A]]
  // CHECK-NEXT: %[[D:.*]] = stablehlo.add %[[U]], %[[U]]
  // CHECK-NEXT: %[[E:.*]] = sdy.sharding_constraint %[[D]]
  // CHECK-NEXT: return %[[C]], %[[E]]
  %0 = call @double(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.sharding_constraint %arg0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  %2 = call @double(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
  return %0, %3 : tensor<8xf32>, tensor<8xf32>
}
func.func private @double(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

// A function that says how its argument is sharded stays one.
// CHECK-LABEL: func.func @main
// LOCAL-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  // CHECK-NEXT: call @whole
  // LOCAL: stablehlo.all_reduce
  %0 = call @whole(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @whole(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
