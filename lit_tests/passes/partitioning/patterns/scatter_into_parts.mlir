// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=scatter-into-parts | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Only what is added up is sent.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: %[[P:.*]] = sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x"}>
// CHECK-NEXT: %[[S:.*]] = "stablehlo.scatter"(%[[P]], %arg1, %arg2)
// CHECK:      %[[R:.*]] = sdy.all_reduce {"x"} %[[S]]
// CHECK-NEXT: return %[[R]]
func.func @rows(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x4xf32> {
  %0 = sdy.all_gather [{"x"}, {}] %table out_sharding=<@mesh, [{}, {}]> : tensor<16x4xf32>
  %1 = "stablehlo.scatter"(%0, %i, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// A second user takes the table whole.
// CHECK-LABEL: func.func @used_twice(
// CHECK-NEXT: sdy.all_gather
// CHECK-NOT:  sdy.sharded_to_unreduced
func.func @used_twice(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
  %0 = sdy.all_gather [{"x"}, {}] %table out_sharding=<@mesh, [{}, {}]> : tensor<16x4xf32>
  %1 = "stablehlo.scatter"(%0, %i, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x4xf32>
  return %0, %2 : tensor<16x4xf32>, tensor<16x4xf32>
}

// The results are added up along "y", along which every device has the rows of its own "x".
// CHECK-LABEL: func.func @other_axis(
// CHECK-NEXT: sdy.all_gather
// CHECK-NOT:  sdy.sharded_to_unreduced
func.func @other_axis(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %rows: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x4xf32> {
  %0 = sdy.all_gather [{"x"}, {}] %table out_sharding=<@mesh, [{}, {}]> : tensor<16x4xf32>
  %1 = "stablehlo.scatter"(%0, %i, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %2 = sdy.all_reduce {"y"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// Neutral elements cannot be made for a dynamic size.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT: sdy.all_gather
// CHECK-NOT:  sdy.sharded_to_unreduced
func.func @dynamic(%table: tensor<16x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<8x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16x?xf32> {
  %0 = sdy.all_gather [{"x"}, {}] %table out_sharding=<@mesh, [{}, {}]> : tensor<16x?xf32>
  %1 = "stablehlo.scatter"(%0, %i, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x?xf32>, tensor<8x1xi32>, tensor<8x?xf32>) -> tensor<16x?xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<16x?xf32>
  return %2 : tensor<16x?xf32>
}
