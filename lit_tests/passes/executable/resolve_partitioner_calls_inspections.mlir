// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-resolve-partitioner-calls | filecheck %s

// Whole axes are told, until the first part of one; a value without a sharding is whole on every device.
// CHECK: module attributes {sdy.inspections = [
// CHECK-SAME: {key = "0", shape = array<i64: 8, 16>, sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{"x"}, {}]>},
// CHECK-SAME: {key = "1", shape = array<i64: 16>, sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{"y"}]>},
// CHECK-SAME: {key = "2", shape = array<i64: 4>, sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{}]>}]}
// CHECK-NOT: InspectSharding
sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>},
                %arg1: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2}]>}, %arg2: tensor<4xf32>) {
  stablehlo.custom_call @InspectSharding(%arg0) {backend_config = "0", has_side_effect = true} : (tensor<8x16xf32>) -> ()
  stablehlo.custom_call @InspectSharding(%arg1) {backend_config = "1", has_side_effect = true} : (tensor<16xf32>) -> ()
  stablehlo.custom_call @InspectSharding(%arg2) {backend_config = "2", has_side_effect = true} : (tensor<4xf32>) -> ()
  return
}

// -----

// The devices are those that are recorded.
// CHECK: sdy.inspections = [{key = "0", shape = array<i64: 8>, sharding = #sdy.sharding<mesh<["d"=4]>, [{"d"}]>}]
module attributes {sdy.devices = #sdy.mesh<["d"=4], device_ids=[3, 2, 1, 0]>} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
    stablehlo.custom_call @InspectSharding(%arg0) {backend_config = "0", has_side_effect = true} : (tensor<8xf32>) -> ()
    return
  }
}

// -----

// JAX has no name for parts of axes, which these are on the first mesh.
// CHECK: key = "3"{{.*}}<mesh<["x"=6]>, [{}, {}]>
sdy.mesh @mesh = <["x"=6]>
sdy.mesh @other = <["a"=2, "b"=3]>

func.func @main(%arg0: tensor<8x9xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}, {"b"}]>}) {
  // CHECK-NOT: InspectSharding
  stablehlo.custom_call @InspectSharding(%arg0) {backend_config = "3", has_side_effect = true} : (tensor<8x9xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["a"=3, "b"=2]>

func.func @main(%arg0: tensor<9xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}]>}) {
  // expected-error@+1 {{asks for the sharding <@other, [{"a"}]>, which does not fit mesh<["x"=2, "y"=3]>}}
  stablehlo.custom_call @InspectSharding(%arg0) {backend_config = "0", has_side_effect = true} : (tensor<9xf32>) -> ()
  return
}
