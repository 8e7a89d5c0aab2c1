// RUN: sdy-opt %s --sdy-insert-explicit-reshards='enable-full-version=true mark-partial-result-with-unreduced-axes=true' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// A sharding has one reduction, so a partial sum whose other axes are unreduced by a maximum is not marked.
// Unlike the reference, whose result does not verify.
// CHECK-LABEL: func.func @sum
func.func @sum(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"y"}>}) {
  // CHECK-NEXT: %[[V0:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"y"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = sdy.all_reduce {"x"} %[[V0]] out_sharding=<@mesh, [{}], unreduced=max{"y"}> : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8xf32>
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"y"}>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
