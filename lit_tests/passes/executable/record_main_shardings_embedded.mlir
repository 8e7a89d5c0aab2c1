// RUN: sdy-opt %s --split-input-file --sdy-record-main-shardings=embedded=true | filecheck %s

// What the mesh has not comes in and goes out as what is nearest to it; results that nothing has reached are whole.
// CHECK: module attributes {
// CHECK-SAME: sdy.given_output_shardings = [#sdy.sharding<mesh<["a"=4], device_ids=[3, 2, 1, 0]>, [{"a"}]>, unit]
// CHECK-SAME: sdy.given_parameters_shardings = [#sdy.sharding<mesh<["a"=4], device_ids=[3, 2, 1, 0]>, [{"a"}]>, unit]
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["a"=4], device_ids=[3, 2, 1, 0]>

// CHECK: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
// CHECK-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
// CHECK-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}]>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}]>}, tensor<8xf32>) {
  // CHECK-NEXT: stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@other, [{"a"}]>]>}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@other, [{"a"}]>]>} : tensor<8xf32>
  return %0, %arg1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Axes that split the devices as those of the mesh do are not among those of another mesh.
// CHECK: module attributes {
// CHECK-NOT: given
// CHECK: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"d"}]>}) -> tensor<8xf32>
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @flat = <["d"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"d"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
