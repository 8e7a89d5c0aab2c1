// RUN: sdy-opt %s --sdy-insert-func-call-reshards | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// A result that the callee returns otherwise is resharded to what the call had; openness alone is taken over.
// CHECK-LABEL: func.func @call_with_other_shardings(
func.func @call_with_other_shardings(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]]:2 = call @sharded(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]]#0 <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]], %[[V0]]#1 : tensor<8xf32>, tensor<8xf32>
  %0:2 = call @sharded(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"x", ?}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// A call without shardings is meant to be replicated. Each reshard goes right behind the call, so the last comes first.
// CHECK-LABEL: func.func @call_without_shardings(
func.func @call_without_shardings(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]]:2 = call @sharded(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]]#1 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = sdy.reshard %[[V0]]#0 <@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %[[V2]], %[[V1]] : tensor<8xf32>, tensor<8xf32>
  %0:2 = call @sharded(%arg0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// A callee without result shardings returns replicated tensors; no sharding at all is left alone.
// CHECK-LABEL: func.func @callee_without_shardings(
func.func @callee_without_shardings(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = call @plain(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.reshard %[[V0]] <@mesh, [{"y"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = call @plain(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<8xf32>, tensor<8xf32>
  %0 = call @plain(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @plain(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// No reshard can mend differing unreduced axes.
// CHECK-LABEL: func.func @unreduced(
func.func @unreduced(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = call @returns_unreduced(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<8xf32>
  %0 = call @returns_unreduced(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A call without a sharding gets a replicated one there.
// CHECK-LABEL: func.func @unreduced_in_the_callee_only(
func.func @unreduced_in_the_callee_only(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: call @returns_unreduced(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
  // CHECK-NEXT: return
  %0 = call @returns_unreduced(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// Values that are unreduced alike are resharded like others.
// CHECK-LABEL: func.func @unreduced_alike(
func.func @unreduced_alike(%arg0: tensor<8xf32>) {
  // CHECK-NEXT: %[[V0:.*]] = call @returns_unreduced(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"y"}>]>}
  // CHECK-NEXT: sdy.reshard %[[V0]] <@mesh, [{"x"}], unreduced={"y"}> : tensor<8xf32>
  // CHECK-NEXT: return
  %0 = call @returns_unreduced(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}], unreduced={"y"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @sharded(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
}

func.func private @plain(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func private @returns_unreduced(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}) {
  return %arg0 : tensor<8xf32>
}
