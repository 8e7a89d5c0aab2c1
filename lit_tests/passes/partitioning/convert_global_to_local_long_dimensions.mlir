// RUN: sdy-opt %s --sdy-convert-global-to-local | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// An index of 32 bits, compared with where parts begin and end.
// CHECK-LABEL: func.func @updated
func.func @updated(%arg0: tensor<3221225472xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<1xi8>, %arg2: tensor<i32>) -> (tensor<3221225472xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[INDEX:.*]] = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<i64>
  // CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i64>
  // CHECK-NEXT: %[[LAST:.*]] = stablehlo.constant dense<3221225471> : tensor<i64>
  // CHECK-NEXT: stablehlo.clamp %[[ZERO]], %[[INDEX]], %[[LAST]] : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<3221225472xi8>, tensor<1xi8>, tensor<i32>) -> tensor<3221225472xi8>
  return %0 : tensor<3221225472xi8>
}

// Numbers that f32 rounds are counted in whole ones.
// CHECK-LABEL: func.func @counted
func.func @counted() -> (tensor<3221225472xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: stablehlo.iota dim = 0 : tensor<1610612736xi64>
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<3221225472xf32>
  return %0 : tensor<3221225472xf32>
}

// The type of the index holds all places in the dimension, not those in a part with margins as wide as the update.
// CHECK-LABEL: func.func @narrow_index
func.func @narrow_index(%arg0: tensor<100xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<90xf32>, %arg2: tensor<i8>) -> (tensor<100xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK:      %[[LOCAL:.*]] = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<i8>
  // CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %[[LOCAL]] : (tensor<i8>) -> tensor<i32>
  // CHECK-NEXT: %[[END:.*]] = stablehlo.constant dense<140> : tensor<i32>
  // CHECK-NEXT: %[[START:.*]] = stablehlo.minimum %[[WIDE]], %[[END]] : tensor<i32>
  // CHECK:      stablehlo.dynamic_update_slice %{{.*}}, %arg1, %[[START]] : (tensor<230xf32>, tensor<90xf32>, tensor<i32>) -> tensor<230xf32>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<100xf32>, tensor<90xf32>, tensor<i8>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}
