// RUN: sdy-opt %s --sdy-propagate-sharding-from-func-to-call | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @device = <[], device_ids=[1]>

// The call takes the callee's result shardings; those that are missing are open.
// CHECK-LABEL: func.func @takes(
func.func @takes(%arg0: tensor<8x4xf32>, %arg1: !stablehlo.token) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[CALL:.*]]:3 = call @mixed(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>, <@mesh, []>, <@mesh, [{"a"}, {"b", ?}p1]>]>, tag = "kept"} : (tensor<8x4xf32>, !stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token, tensor<8x4xf32>)
  // CHECK-NEXT: return %[[CALL]]#0 : tensor<8x4xf32>
  %0:3 = call @mixed(%arg0, %arg1) {tag = "kept"} : (tensor<8x4xf32>, !stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token, tensor<8x4xf32>)
  return %0#0 : tensor<8x4xf32>
}

// A call that has shardings keeps them, even if they say nothing.
// CHECK-LABEL: func.func @keeps(
func.func @keeps(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[CALL:.*]] = call @one(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %[[CALL]] : tensor<8x4xf32>
  %0 = call @one(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Calls in regions count.
// CHECK-LABEL: func.func @nested(
func.func @nested(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%arg1) ({
  // CHECK-NEXT:   %[[CALL:.*]] = func.call @one(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT:   stablehlo.return %[[CALL]] : tensor<8x4xf32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %[[CASE]] : tensor<8x4xf32>
  %0 = "stablehlo.case"(%arg1) ({
    %1 = func.call @one(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    stablehlo.return %1 : tensor<8x4xf32>
  }) : (tensor<i32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// A sharding on a single device is handed on next to others, but not by itself.
// CHECK-LABEL: func.func @maximal(
func.func @maximal(%arg0: tensor<8x4xf32>) {
  // CHECK-NEXT: %{{.*}} = call @on_device(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %{{.*}}:2 = call @on_device_and_mesh(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@device, []>, <@mesh, [{}, {}]>]>} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  // CHECK-NEXT: return
  %0 = call @on_device(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1:2 = call @on_device_and_mesh(%arg0) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// A callee without result shardings leaves the call alone.
// CHECK-LABEL: func.func @nothing(
func.func @nothing(%arg0: tensor<8x4xf32>) {
  // CHECK-NEXT: %{{.*}} = call @none(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return
  %0 = call @none(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func private @mixed(
// CHECK-SAME:  %arg0: tensor<8x4xf32>, %arg1: !stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b", ?}p1]>})
func.func private @mixed(%arg0: tensor<8x4xf32>, %arg1: !stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b", ?}p1]>}) {
  // CHECK-NEXT: return %arg0, %arg1, %arg0 : tensor<8x4xf32>, !stablehlo.token, tensor<8x4xf32>
  return %arg0, %arg1, %arg0 : tensor<8x4xf32>, !stablehlo.token, tensor<8x4xf32>
}
// CHECK-LABEL: func.func private @one(
// CHECK-SAME:  tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>})
func.func private @one(tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>})
// CHECK-LABEL: func.func private @on_device(
// CHECK-SAME:  tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@device, []>})
func.func private @on_device(tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@device, []>})
// CHECK-LABEL: func.func private @on_device_and_mesh(
// CHECK-SAME:  tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@device, []>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
func.func private @on_device_and_mesh(tensor<8x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@device, []>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
// CHECK-LABEL: func.func private @none(
// CHECK-SAME:  tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x4xf32>
func.func private @none(tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x4xf32>

// A dynamic tensor is open.
// CHECK-LABEL: func.func @takes_dynamic(
func.func @takes_dynamic(%arg0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK-NEXT: %[[CALL:.*]]:2 = call @dynamic(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>, <@mesh, [{"a"}]>]>} : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<8xf32>)
  // CHECK-NEXT: return %[[CALL]]#0 : tensor<?x4xf32>
  %0:2 = call @dynamic(%arg0) : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<8xf32>)
  return %0#0 : tensor<?x4xf32>
}
// CHECK-LABEL: func.func private @dynamic(
func.func private @dynamic(tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
