// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-prepare-executable | filecheck %s
// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-prepare-executable='num-devices=8' | filecheck %s --check-prefix=MANY
// RUN: sdy-opt %s --split-input-file --verify-diagnostics --sdy-prepare-executable='embedded=true' | filecheck %s --check-prefix=LOGICAL

// The first mesh with several devices says which device has which number; the others name devices by these numbers.
// CHECK: module attributes {sdy.devices = #sdy.mesh<["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>, sdy.main_type = 
// CHECK-NEXT: sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-NEXT: sdy.mesh @other = <["z"=4], device_ids=[3, 2, 1, 0]>
// CHECK-NEXT: sdy.mesh @last = <[], device_ids=[3]>

// Where ids are logical numbers already the mesh is the one without any.
// LOGICAL: module attributes {sdy.devices = #sdy.mesh<["z"=4]>, sdy.main_type = 
// LOGICAL-NEXT: sdy.mesh @other = <["z"=4]>
// LOGICAL-NEXT: sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
// LOGICAL-NEXT: sdy.mesh @last = <[], device_ids=[0]>
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @other = <["z"=4]>
sdy.mesh @last = <[], device_ids=[0]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// A program without meshes runs alike on all devices.
// CHECK: module attributes {sdy.devices = #sdy.mesh<["devices"=1]>, sdy.main_type = 
// MANY:  module attributes {sdy.devices = #sdy.mesh<["devices"=8]>, sdy.main_type = 
module {
  func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}

// -----

// What is on a mesh of one device is whole on all of them.
// CHECK: sdy.mesh @mesh = <["x"=4]>
// CHECK: sdy.mesh @one = <["a"=1]>
// CHECK: func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
sdy.mesh @one = <["a"=1]>
sdy.mesh @mesh = <["x"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, [{"a"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// Where all ids are given and are logical, the devices are on an axis of their own.
// LOGICAL: module attributes {sdy.devices = #sdy.mesh<["devices"=2]>, sdy.main_type = 
// LOGICAL-NEXT: sdy.mesh @[[D:.*]] = <["devices"=2]>
// LOGICAL-NEXT: sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=4]>
// expected-error@+1 {{has 2 devices, but mesh<["x"=4]> has 4}}
sdy.mesh @other = <["z"=2]>

// -----

sdy.mesh @mesh = <["x"=4]>
// expected-error@+1 {{names device 9, but mesh<["x"=4]> does not have it}}
sdy.mesh @single = <[], device_ids=[9]>
