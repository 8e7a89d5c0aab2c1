// RUN: sdy-opt %s --split-input-file --verify-diagnostics --xla-sdy-stablehlo-export-manual-reduction-collectives | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=4]>

// All axes are manual in the computation; those that a value does not name are replicated.
// CHECK-LABEL: func.func @all_reduce
func.func @all_reduce(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[M:.*]] = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}], unreduced={"b"}>] out_shardings=[<@mesh, [{"a"}, {}], replicated={"b"}>] manual_axes={"a", "b"} (%[[X:.*]]: tensor<4x8xf32>) {
  // CHECK-NEXT:   %[[R:.*]] = "stablehlo.all_reduce"(%[[X]]) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  // CHECK:          stablehlo.add
  // CHECK:        sdy.return %[[R]] : tensor<4x8xf32>
  // CHECK-NEXT: }
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: return %[[M]]
  return %0 : tensor<8x8xf32>
}

// Channels go on from those that there are. Dimensions are scattered one after the other; a maximum is one here, too.
// CHECK-LABEL: func.func @reduce_scatter
func.func @reduce_scatter(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"a", "b"}>}) -> tensor<8x8xf32> {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK:      sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}], unreduced=max{"a", "b"}>] out_shardings=[<@mesh, [{"b"}, {"a"}]>] manual_axes={"a", "b"} (%[[X:.*]]: tensor<8x8xf32>) {
  // CHECK:        %[[R:.*]] = "stablehlo.reduce_scatter"(%[[X]]) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}>
  // CHECK:          stablehlo.maximum
  // CHECK:        "stablehlo.reduce_scatter"(%[[R]]) <{channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, replica_groups = dense<{{\[\[}}0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}>
  // CHECK:        (tensor<2x8xf32>) -> tensor<2x4xf32>
  %1 = sdy.reduce_scatter max [{"b"}, {"a"}] %arg0 out_sharding=<@mesh, [{"b"}, {"a"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Where an axis does not divide its dimension only those that are reduced along are manual.
// CHECK-LABEL: func.func @ragged
func.func @ragged(%arg0: tensor<7x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) -> tensor<7x8xf32> {
  // CHECK-NEXT: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}], unreduced={"b"}>] out_shardings=[<@mesh, [{"a"}, {}], replicated={"b"}>] manual_axes={"b"} (%{{.*}}: tensor<7x8xf32>) {
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// A value that is not partial stays for the partitioner.
// CHECK-LABEL: func.func @not_partial
func.func @not_partial(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: sdy.all_reduce {"b"} %arg0
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Parts of several sizes are padded to one, and what is too much is cut off.
// CHECK-LABEL: func.func @uneven_parts
func.func @uneven_parts(%arg0: tensor<7x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}], unreduced={"a"}>}) -> tensor<7x8xf32> {
  // CHECK-NEXT: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[P:.*]] = stablehlo.pad %arg0, %[[Z]], low = [0, 0], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {}], unreduced={"a"}>]>}
  // CHECK-NEXT: %[[M:.*]] = sdy.manual_computation(%[[P]]) in_shardings=[<@mesh, [{"b"}, {}], unreduced={"a"}>] out_shardings=[<@mesh, [{"b", "a"}, {}]>] manual_axes={"a", "b"} (%{{.*}}: tensor<2x8xf32>) {
  // CHECK:        (tensor<2x8xf32>) -> tensor<1x8xf32>
  // CHECK:      } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.slice %[[M]] [0:7, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", "a"}, {}]>]>}
  // CHECK-NEXT: return %[[C]]
  %0 = sdy.reduce_scatter [{"a"}, {}] %arg0 out_sharding=<@mesh, [{"b", "a"}, {}]> : tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @parts_of_wholes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  // expected-error@+1 {{makes a whole value partial, which no sharding text can express}}
  %1 = sdy.reshard %arg1 <@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  // expected-error@+1 {{makes a whole value partial, which no sharding text can express}}
  %2 = sdy.replicated_to_unreduced {"b"} %arg1 out_sharding=<@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %3 = stablehlo.dot %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}], unreduced={"b"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{makes a whole value partial, which no sharding text can express}}
  %4 = stablehlo.dot %arg1, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"b"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
