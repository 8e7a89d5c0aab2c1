// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// An axis that a tensor is unreduced over, or explicitly replicated over, cannot shard it: the factor loses the axis.
// Unlike the reference, whose result does not verify.
// CHECK-LABEL: func.func @unreduced
func.func @unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %arg1 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = stablehlo.add %[[V0]], %[[V1]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8xf32>
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"x"}>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The same with an operand.
// CHECK-LABEL: func.func @replicated
func.func @replicated(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], replicated={"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[V0:.*]] = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = stablehlo.add %[[V0]], %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V1]] <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V2]] : tensor<8xf32>
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
