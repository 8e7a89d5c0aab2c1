// RUN: sdy-opt %s --sdy-reduce-communication=enable-patterns=narrow-all-reduces | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @looked_up
func.func @looked_up(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x1xi32>)
    -> tensor<8x4xbf16> {
  // CHECK-NEXT: %[[G:.*]] = "stablehlo.gather"(%arg0, %arg1)
  // CHECK-NEXT: %[[C:.*]] = stablehlo.convert %[[G]] {sdy.sharding = {{.*}}unreduced={"x"}
  // CHECK-NEXT: %[[R:.*]] = sdy.all_reduce {"x"} %[[C]] out_sharding=<@mesh, [{}, {}]> : tensor<8x4xbf16>
  // CHECK-NEXT: return %[[R]]
  %0 = "stablehlo.gather"(%table, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}>
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %2 = stablehlo.convert %1 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  return %2 : tensor<8x4xbf16>
}

// Of other sums each part would be rounded.
// CHECK-LABEL: func.func @product
func.func @product(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xbf16> {
  // CHECK: sdy.all_reduce {{.*}} : tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.convert
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %2 = stablehlo.convert %1 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  return %2 : tensor<8x4xbf16>
}

// Somebody needs the larger numbers, too.
// CHECK-LABEL: func.func @both
func.func @both(%table: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x1xi32>)
    -> (tensor<8x4xbf16>, tensor<8x4xf32>) {
  // CHECK: sdy.all_reduce {{.*}} : tensor<8x4xf32>
  // CHECK-NEXT: stablehlo.convert
  %0 = "stablehlo.gather"(%table, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}>
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"x"}>]>}
    : (tensor<16x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %2 = stablehlo.convert %1 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  return %2, %1 : tensor<8x4xbf16>, tensor<8x4xf32>
}
