// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s

// Which shardings have to do with each other: those on one mesh, whatever its name.

sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @twin = <["a"=2, "b"=2]>
sdy.mesh @other = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @empty = <[]>
sdy.mesh @single = <[], device_ids=[0]>

func.func @main() {
  return
}

// Equal meshes are one mesh. What is written has the name of the first.
// CHECK-LABEL: func.func @equal_meshes
// CHECK-SAME:    %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @equal_meshes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@twin, [{?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}<@mesh, [{"a", ?}]>
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Another order of devices makes another mesh.
// CHECK-LABEL: func.func @other_devices
func.func @other_devices(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"a", ?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.add %arg0, %arg1 : tensor<8xf32>
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A mesh without axes agrees with any.
// CHECK-LABEL: func.func @empty_mesh
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}
func.func @empty_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@empty, [{?}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}<@mesh, [{"a", ?}]>
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A value on a single device keeps its op out.
// CHECK-LABEL: func.func @single_device
func.func @single_device(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.add {{.*}}<@single, []>
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@single, []>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
