// RUN: sdy-opt %s --split-input-file --sdy-prepare-executable=embedded=true | filecheck %s

// A range of the devices that the axes of the first mesh split alike is written with these, in sub-axes if need be.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}
// CHECK-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}]>}
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @flat = <["d"=8]>
sdy.mesh @parts = <["a"=2, "b"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"d"}]>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@parts, [{"a"}]>}) {
  // CHECK-NEXT: sdy.sharding_constraint %arg0 <@mesh, [{}], replicated={"x":(2)2, "y"}> : tensor<8xf32>
  %0 = sdy.sharding_constraint %arg0 <@parts, [{}], replicated={"b"}> : tensor<8xf32>
  // CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"}
  %1 = sdy.manual_computation(%arg0) in_shardings=[<@flat, [{"d"}]>] out_shardings=[<@flat, [{"d"}]>] manual_axes={"d"} (%arg2: tensor<1xf32>) {
    sdy.return %arg2 : tensor<1xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Meshes with the devices in another order stay, and those on whose axes regions are manual that the first has in part.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@order, [{"d"}]>}
// CHECK-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@parts, [{"a"}]>}
sdy.mesh @mesh = <["x"=8]>
sdy.mesh @order = <["d"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @parts = <["a"=2, "b"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@order, [{"d"}]>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@parts, [{"a"}]>}) {
  // CHECK: manual_axes={"a"}
  %1 = sdy.manual_computation(%arg1) in_shardings=[<@parts, [{"a"}]>] out_shardings=[<@parts, [{"a"}]>] manual_axes={"a"} (%arg2: tensor<4xf32>) {
    sdy.return %arg2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}
