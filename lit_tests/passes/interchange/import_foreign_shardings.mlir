// RUN: sdy-opt %s --split-input-file --sdy-import-foreign-shardings --verify-diagnostics | filecheck %s

// Strings count before tiles.
// CHECK:       sdy.mesh @mesh = <["_axis_0"=2]>
// CHECK-LABEL: func.func @strings(%arg0: tensor<2x2x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}p0, {}, {}, {}]>})
module @strings attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22_axis_0\22=2]>}"}, mhlo.is_dynamic = false} {
  func.func @strings(%arg0: tensor<2x2x2x2xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22_axis_0\22}p0, {}, {}, {}]>"}, mhlo.sharding = "{devices=[1,2]<=[2]}"}) {
    return
  }
}

// -----

// CHECK:       sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: func.func @named(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg1: tensor<8xf32>)
func.func @named(%arg0: tensor<8xf32> {mhlo.sharding = "{mesh['a'=2], [{'a'}]}"}, %arg1: tensor<8xf32> {mhlo.sharding = "{replicated}"}) {
  return
}

// -----

// CHECK-LABEL: func.func @tiles(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>})
func.func @tiles(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  return
}

// -----

// Shardings of the dialect count alone.
sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: func.func @native(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
// expected-warning@+1 {{the sharding "{devices=[2]<=[2]}" is dropped: the module has shardings of sdy}}
func.func @native(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}", sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  return
}

// -----

// A number of devices and nothing that is cut: everything is on all of them.
// CHECK: sdy.mesh @mesh = <["devices"=4]>
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @replicated(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.sine %arg0 {mhlo.sharding = "{unknown}"} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Neither does a module that is not sharded become one for a single device.
// CHECK: sdy.mesh @mesh = <["devices"=4]>
// CHECK-LABEL: func.func @unsharded(
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @unsharded(%arg0: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}

// -----

// Where there is one device all is on it, as JAX says where memories differ.
// CHECK-NOT: sdy.mesh
// CHECK-LABEL: func.func @for_one_device(%arg0: tensor<8xf32> {mhlo.memory_kind = "device"}) -> (tensor<8xf32> {mhlo.memory_kind = "pinned_host"})
module attributes {mhlo.num_partitions = 1 : i32} {
  func.func @for_one_device(%arg0: tensor<8xf32> {mhlo.memory_kind = "device", mhlo.sharding = "{maximal device=0}"}) -> (tensor<8xf32> {mhlo.memory_kind = "pinned_host", mhlo.sharding = "{maximal device=0}"}) {
    return %arg0 : tensor<8xf32>
  }
}

// -----

// Serialized shardings: tiles by iota, tiles in an order of their own, and no byte at all, which is replicated.
// CHECK:       sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=2], device_ids=[3, 1, 2, 0]>
// CHECK-LABEL: func.func @serialized(
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0", "_axis_1"}]>}
// CHECK-SAME:    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {}]>}
// CHECK-SAME:    %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}
func.func @serialized(
    %arg0: tensor<8xf32> {mhlo.sharding = "\08\03\1A\01\04\22\04\03\01\02\00"},
    %arg1: tensor<8x8xf32> {mhlo.sharding = "\08\03\1A\03\02\01\02\22\04\03\01\02\00\30\01"},
    %arg2: tensor<8xf32> {mhlo.sharding = ""}) {
  return
}

// -----

// expected-error@+1 {{cannot read the sharding "\08\FF\FE": unexpected character at column 1}}
func.func @damaged(%arg0: tensor<8xf32> {mhlo.sharding = "\08\FF\FE"}) {
  return
}

// -----

// expected-error@+1 {{has shardings, but no number of devices}}
module {
  func.func @no_devices(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.sine %arg0 {mhlo.sharding = "{unknown}"} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// expected-error@+1 {{has shardings for 2 devices, but is for 4}}
module attributes {mhlo.num_partitions = 4 : i32, mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2]>}"}} {
}

// -----

// Nothing to import.
// CHECK-LABEL: func.func @plain(%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func @plain(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// Where nothing is cut a constraint constrains nothing.
// CHECK: sdy.mesh @mesh = <["devices"=4]>
// CHECK-LABEL: func.func @constrained(
// CHECK-NEXT: return %arg0
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @constrained(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
