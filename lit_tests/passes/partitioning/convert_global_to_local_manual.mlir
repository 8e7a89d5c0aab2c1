// RUN: sdy-opt %s -sdy-convert-global-to-local=enable-rgv3=false -split-input-file -verify-diagnostics | filecheck %s

// Collectives made for ops in manual computations stay within the free axes: device (a, b, c) sends to (c, b, a).
// Unlike the reference, whose permute crosses "b" wherever it lies between the two others.

// CHECK-LABEL: func.func @permute
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 0], [1, 4], [2, 2], [3, 6], [4, 1], [5, 5], [6, 3], [7, 7]]>
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
func.func @permute(%arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "c"}]>}) -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b", "c"}]>] out_shardings=[<@mesh, [{"b", "a"}]>] manual_axes={"b"} (%arg1: tensor<4xi32>) {
    %1 = sdy.collective_permute %arg1 out_sharding=<@mesh, [{"a"}]> : tensor<4xi32>
    sdy.return %1 : tensor<4xi32>
  } : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// A function that is called in a manual computation.

// CHECK-LABEL: func.func private @moved
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 0], [1, 4], [2, 2], [3, 6], [4, 1], [5, 5], [6, 3], [7, 7]]>
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
func.func private @moved(%arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}]>}) -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"a"}]> : tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @permute_in_function(%arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "c"}]>}) -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b", "c"}]>] out_shardings=[<@mesh, [{"b", "a"}]>] manual_axes={"b"} (%arg1: tensor<4xi32>) {
    %1 = func.call @moved(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<4xi32>) -> tensor<4xi32>
    sdy.return %1 : tensor<4xi32>
  } : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// Sub-axes that no common factors of the axis split: parts are matched within each part of the manual axis.

// CHECK-LABEL: func.func @permute_of_sub_axes
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 0], [1, 3], [2, 1], [3, 4], [4, 2], [5, 5], [6, 6], [7, 9], [8, 7], [9, 10], [10, 8], [11, 11]]>
sdy.mesh @mesh = <["m"=2, "x"=6]>
func.func @permute_of_sub_axes(%arg0: tensor<12xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"m", "x":(1)3}]>}) -> (tensor<12xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"m", "x":(2)3}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"m", "x":(1)3}]>] out_shardings=[<@mesh, [{"m", "x":(2)3}]>] manual_axes={"m"} (%arg1: tensor<6xi32>) {
    %1 = sdy.collective_permute %arg1 out_sharding=<@mesh, [{"x":(2)3}]> : tensor<6xi32>
    sdy.return %1 : tensor<6xi32>
  } : (tensor<12xi32>) -> tensor<12xi32>
  return %0 : tensor<12xi32>
}

// -----

// Each part along the manual axis draws numbers of its own; copies along "c" draw the same.

// CHECK-LABEL: func.func @rng
// CHECK: stablehlo.rng
// CHECK: "stablehlo.all_reduce"
// CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]>
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
func.func @rng(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}]>}) {
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, []>, <@mesh, []>] out_shardings=[<@mesh, [{"b", "a"}]>] manual_axes={"b"} (%arg2: tensor<f32>, %arg3: tensor<f32>) {
    %1 = stablehlo.constant dense<[4]> : tensor<1xi64>
    %2 = stablehlo.rng %arg2, %arg3, %1, distribution = UNIFORM {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<f32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A mesh that numbers its devices otherwise along the manual axis.

sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @other = <["a"=2, "b"=2], device_ids=[1, 0, 3, 2]>
func.func @crossing(%arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}]>}) -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b", "a"}]>] out_shardings=[<@mesh, [{"b", "a"}]>] manual_axes={"b"} (%arg1: tensor<4xi32>) {
    // expected-error@+1 {{would be partitioned by a collective that crosses the manual axis 'b'}}
    %1 = sdy.collective_permute %arg1 out_sharding=<@other, [{"a"}]> : tensor<4xi32>
    sdy.return %1 : tensor<4xi32>
  } : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
