// RUN: sdy-opt %s --sdy-add-up-bits | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @looked_up
func.func @looked_up(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x1xi32>)
    -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[FOUND:.*]] = "stablehlo.gather"(%arg0, %arg1)
  // CHECK-NEXT: %[[BITS:.*]] = stablehlo.bitcast_convert %[[FOUND]] {{.*}}[{}, {}], unreduced={"x"}>]>} : (tensor<8x4xf32>) -> tensor<8x4xi32>
  // CHECK-NEXT: %[[MOVED:.*]] = sdy.all_reduce {"x"} %[[BITS]] out_sharding=<@mesh, [{}, {}]> : tensor<8x4xi32>
  // CHECK-NEXT: %[[ALL:.*]] = stablehlo.bitcast_convert %[[MOVED]] {{.*}}[{}, {}]>]>} : (tensor<8x4xi32>) -> tensor<8x4xf32>
  // CHECK-NEXT: return %[[ALL]]
  %0 = "stablehlo.gather"(%table, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}>
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @scattered
func.func @scattered(%table: tensor<16x4xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x1xi32>)
    -> (tensor<8x4xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: %[[MOVED:.*]] = sdy.reduce_scatter [{"x"}, {}] %{{.*}} out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xi64>
  // CHECK-NEXT: stablehlo.bitcast_convert %[[MOVED]] {{.*}}[{"x"}, {}]>]>} : (tensor<8x4xi64>) -> tensor<8x4xf64>
  %0 = "stablehlo.gather"(%table, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}>
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xf64>, tensor<8x1xi32>) -> tensor<8x4xf64>
  %1 = sdy.reduce_scatter [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf64>
  return %1 : tensor<8x4xf64>
}

// Backends widen integers of 16 bits to add them up.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%table: tensor<16x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x1xi32>)
    -> tensor<8x4xbf16> {
  // CHECK: sdy.all_reduce {{.*}} : tensor<8x4xbf16>
  %0 = "stablehlo.gather"(%table, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}>
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xbf16>, tensor<8x1xi32>) -> tensor<8x4xbf16>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xbf16>
  return %1 : tensor<8x4xbf16>
}

// The user's own sum of what all devices have: several numbers are added.
// CHECK-LABEL: func.func @of_copies
func.func @of_copies(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x1xi32>)
    -> tensor<8x4xf32> {
  // CHECK: sdy.all_reduce {{.*}} : tensor<8x4xf32>
  %0 = "stablehlo.gather"(%table, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}>
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
  %1 = sdy.all_reduce {"x", "y"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// A table of partial values: every device may have a part of each number.
// CHECK-LABEL: func.func @of_parts
func.func @of_parts(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}, %i: tensor<8x1xi32>)
    -> tensor<8x4xf32> {
  // CHECK: sdy.all_reduce {{.*}} : tensor<8x4xf32>
  %0 = "stablehlo.gather"(%table, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}>
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x", "y"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
  %1 = sdy.all_reduce {"x", "y"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
