// RUN: sdy-opt %s --sdy-pad-for-divisibility | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Seven elements on two devices become eight, and seven again where they are gathered.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%arg0: tensor<7xf32>) -> tensor<7xf32> {
func.func @elementwise(%arg0: tensor<7xf32>) -> tensor<7xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ALL_SLICE:.*]] = sdy.all_slice [{"x"}] %[[PAD]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[ALL_SLICE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  // CHECK-NEXT: %[[GATHER:.*]] = sdy.all_gather [{"x"}] %[[NEGATE]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[GATHER]] [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  // CHECK-NEXT: return %[[SLICE]] : tensor<7xf32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<7xf32>
  %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<7xf32>
  return %2 : tensor<7xf32>
}

// Elements without values are made as many as there are.
// CHECK-LABEL: func.func @without_values
// CHECK-NEXT: %[[MADE:.*]] = stablehlo.custom_call @AllocateBuffer() {{.*}} : () -> tensor<8xf32>
// CHECK-NEXT: sdy.all_gather [{"x"}] %[[MADE]]
func.func @without_values() -> tensor<7xf32> {
  %0 = stablehlo.custom_call @AllocateBuffer() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : () -> tensor<7xf32>
  %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<7xf32>
  return %1 : tensor<7xf32>
}

// Padding that could be anything is replaced by zeros before it is summed in a product.
// CHECK-LABEL: func.func @dot_general
// CHECK-SAME: (%arg0: tensor<4x5xf32>, %arg1: tensor<5x3xf32>) -> tensor<4x3xf32> {
func.func @dot_general(%arg0: tensor<4x5xf32>, %arg1: tensor<5x3xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C]], low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK-NEXT: %[[ALL_SLICE:.*]] = sdy.all_slice [{}, {"y"}] %[[PAD]] out_sharding=<@mesh, [{}, {"y"}]> : tensor<4x6xf32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD_2:.*]] = stablehlo.pad %arg1, %[[C_2]], low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<6x3xf32>
  // CHECK-NEXT: %[[ALL_SLICE_2:.*]] = sdy.all_slice [{"y"}, {}] %[[PAD_2]] out_sharding=<@mesh, [{"y"}, {}]> : tensor<6x3xf32>
  // CHECK-NEXT: %[[EXPONENTIAL:.*]] = stablehlo.exponential %[[ALL_SLICE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x6xf32>
  // CHECK-NEXT: %[[C_3:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x6xi32>
  // CHECK-NEXT: %[[C_4:.*]] = stablehlo.constant dense<5> : tensor<i32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C_4]], dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<i32>) -> tensor<4x6xi32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare LT, %[[IOTA]], %[[B]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
  // CHECK-NEXT: %[[B_2:.*]] = stablehlo.broadcast_in_dim %[[C_3]], dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<f32>) -> tensor<4x6xf32>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[CMP]], %[[EXPONENTIAL]], %[[B_2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x6xi1>, tensor<4x6xf32>
  // CHECK-NEXT: %[[DOT_GENERAL:.*]] = stablehlo.dot_general %[[SEL]], %[[ALL_SLICE_2]], contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>} : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"y"} %[[DOT_GENERAL]] out_sharding=<@mesh, [{}, {}]> : tensor<4x3xf32>
  // CHECK-NEXT: return %[[SUM]] : tensor<4x3xf32>
  %0 = sdy.all_slice [{}, {"y"}] %arg0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<4x5xf32>
  %1 = sdy.all_slice [{"y"}, {}] %arg1 out_sharding=<@mesh, [{"y"}, {}]> : tensor<5x3xf32>
  %2 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x5xf32>
  %3 = stablehlo.dot_general %2, %1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>} : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %4 = sdy.all_reduce {"y"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<4x3xf32>
  return %4 : tensor<4x3xf32>
}

// Zeros are fine for a sum that starts from the constant zero.
// CHECK-LABEL: func.func @reduce_of_zeros
// CHECK-SAME: (%arg0: tensor<7xf32>) -> tensor<f32> {
func.func @reduce_of_zeros(%arg0: tensor<7xf32>) -> tensor<f32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C_2]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ALL_SLICE:.*]] = sdy.all_slice [{"x"}] %[[PAD]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[REDUCE:.*]] = stablehlo.reduce(%[[ALL_SLICE]] init: %[[C]]) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce {"x"} %[[REDUCE]] out_sharding=<@mesh, []> : tensor<f32>
  // CHECK-NEXT: return %[[SUM]] : tensor<f32>
  %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, []> : tensor<f32>
  return %2 : tensor<f32>
}

// A maximum takes its init value as padding.
// CHECK-LABEL: func.func @reduce_max
// CHECK-SAME: (%arg0: tensor<7xf32>, %arg1: tensor<f32>) -> tensor<f32> {
func.func @reduce_max(%arg0: tensor<7xf32>, %arg1: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ALL_SLICE:.*]] = sdy.all_slice [{"x"}] %[[PAD]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xi32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<7> : tensor<i32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C_2]], dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<i32>) -> tensor<8xi32>
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare LT, %[[IOTA]], %[[B]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  // CHECK-NEXT: %[[B_2:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[SEL:.*]] = stablehlo.select %[[CMP]], %[[ALL_SLICE]], %[[B_2]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xi1>, tensor<8xf32>
  // CHECK-NEXT: %[[REDUCE:.*]] = stablehlo.reduce(%[[SEL]] init: %arg1) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=max{"x"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: %[[SUM:.*]] = sdy.all_reduce max {"x"} %[[REDUCE]] out_sharding=<@mesh, []> : tensor<f32>
  // CHECK-NEXT: return %[[SUM]] : tensor<f32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = stablehlo.reduce(%0 init: %arg1) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=max{"x"}>]>} : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
  %2 = sdy.all_reduce max {"x"} %1 out_sharding=<@mesh, []> : tensor<f32>
  return %2 : tensor<f32>
}

// A move between dimensions pads the one and cuts the other.
// CHECK-LABEL: func.func @all_to_all
// CHECK-SAME: (%arg0: tensor<7x5xf32>) -> tensor<7x5xf32> {
func.func @all_to_all(%arg0: tensor<7x5xf32>) -> tensor<7x5xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C]], low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<8x5xf32>
  // CHECK-NEXT: %[[ALL_SLICE:.*]] = sdy.all_slice [{"x"}, {}] %[[PAD]] out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x5xf32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD_2:.*]] = stablehlo.pad %[[ALL_SLICE]], %[[C_2]], low = [0, 0], high = [0, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8x6xf32>
  // CHECK-NEXT: %[[A2A:.*]] = sdy.all_to_all [{"x"}: 0->1] %[[PAD_2]] out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x6xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[A2A]] [0:7, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x6xf32>) -> tensor<7x6xf32>
  // CHECK-NEXT: %[[GATHER:.*]] = sdy.all_gather [{}, {"x"}] %[[SLICE]] out_sharding=<@mesh, [{}, {}]> : tensor<7x6xf32>
  // CHECK-NEXT: %[[SLICE_2:.*]] = stablehlo.slice %[[GATHER]] [0:7, 0:5] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<7x6xf32>) -> tensor<7x5xf32>
  // CHECK-NEXT: return %[[SLICE_2]] : tensor<7x5xf32>
  %0 = sdy.all_slice [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<7x5xf32>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<7x5xf32>
  %2 = sdy.all_gather [{}, {"x"}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<7x5xf32>
  return %2 : tensor<7x5xf32>
}

// Constants are extended with zeros, splats with themselves, indices are kept out of the padding.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%arg0: tensor<4x1xi32>) -> tensor<4x2xbf16> {
func.func @gather(%arg0: tensor<4x1xi32>) -> tensor<4x2xbf16> {
  // CHECK-NEXT: %[[C:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<4x2xbf16>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<2> : tensor<1xi32>
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C_2]], dims = [1] : (tensor<1xi32>) -> tensor<4x1xi32>
  // CHECK-NEXT: %[[MINIMUM:.*]] = stablehlo.minimum %arg0, %[[B]] : tensor<4x1xi32>
  // CHECK-NEXT: %[[GATHER:.*]] = "stablehlo.gather"(%[[C]], %[[MINIMUM]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<4x2xbf16>, tensor<4x1xi32>) -> tensor<4x2xbf16>
  // CHECK-NEXT: return %[[GATHER]] : tensor<4x2xbf16>
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %1 = "stablehlo.gather"(%0, %arg0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<3x2xbf16>, tensor<4x1xi32>) -> tensor<4x2xbf16>
  return %1 : tensor<4x2xbf16>
}

// The index of an update is kept out of the padding.
// Unlike the reference, which writes into it.
// CHECK-LABEL: func.func @dynamic_update_slice
// CHECK-SAME: (%arg0: tensor<7xf32>, %arg1: tensor<1xf32>, %arg2: tensor<i32>) -> tensor<7xf32> {
func.func @dynamic_update_slice(%arg0: tensor<7xf32>, %arg1: tensor<1xf32>, %arg2: tensor<i32>) -> tensor<7xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C]], low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ALL_SLICE:.*]] = sdy.all_slice [{"x"}] %[[PAD]] out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[C_2:.*]] = stablehlo.constant dense<6> : tensor<i32>
  // CHECK-NEXT: %[[MINIMUM:.*]] = stablehlo.minimum %arg2, %[[C_2]] : tensor<i32>
  // CHECK-NEXT: %[[DYNAMIC_UPDATE_SLICE:.*]] = stablehlo.dynamic_update_slice %[[ALL_SLICE]], %arg1, %[[MINIMUM]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<1xf32>, tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[GATHER:.*]] = sdy.all_gather [{"x"}] %[[DYNAMIC_UPDATE_SLICE]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[GATHER]] [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  // CHECK-NEXT: return %[[SLICE]] : tensor<7xf32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = stablehlo.dynamic_update_slice %0, %arg1, %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>, tensor<1xf32>, tensor<i32>) -> tensor<7xf32>
  %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<7xf32>
  return %2 : tensor<7xf32>
}

// An op that mixes the elements of a padded dimension is computed without padding.
// Unlike the reference, which refuses.
// CHECK-LABEL: func.func @reshape
// CHECK-SAME: (%arg0: tensor<7x4xf32>) -> tensor<28xf32> {
func.func @reshape(%arg0: tensor<7x4xf32>) -> tensor<28xf32> {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[PAD:.*]] = stablehlo.pad %arg0, %[[C]], low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  // CHECK-NEXT: %[[ALL_SLICE:.*]] = sdy.all_slice [{"x"}, {}] %[[PAD]] out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[GATHER:.*]] = sdy.all_gather [{"x"}, {}] %[[ALL_SLICE]] out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[GATHER]] [0:7, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x4xf32>) -> tensor<7x4xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[SLICE]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7x4xf32>) -> tensor<28xf32>
  // CHECK-NEXT: %[[GATHER_2:.*]] = sdy.all_gather [{"x"}] %[[R]] out_sharding=<@mesh, [{}]> : tensor<28xf32>
  // CHECK-NEXT: return %[[GATHER_2]] : tensor<28xf32>
  %0 = sdy.all_slice [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<7x4xf32>
  %1 = stablehlo.reshape %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7x4xf32>) -> tensor<28xf32>
  %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<28xf32>
  return %2 : tensor<28xf32>
}

// So is one that would put something behind the padding.
// Unlike the reference, which leaves the padding in the middle.
// CHECK-LABEL: func.func @concatenate
func.func @concatenate(%arg0: tensor<7xf32>, %arg1: tensor<4xf32>) -> tensor<11xf32> {
  // CHECK:      %[[GATHERED:.*]] = sdy.all_gather [{"x"}] %{{.*}} out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[WHOLE:.*]] = stablehlo.slice %[[GATHERED]] [0:7]
  // CHECK-NEXT: %[[JOINED:.*]] = stablehlo.concatenate %[[WHOLE]], %arg1, dim = 0 {{.*}} -> tensor<11xf32>
  // CHECK:      %[[PADDED:.*]] = stablehlo.pad %[[JOINED]], {{.*}} -> tensor<12xf32>
  // CHECK-NEXT: sdy.all_slice [{"x"}] %[[PADDED]]
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = stablehlo.concatenate %0, %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>, tensor<4xf32>) -> tensor<11xf32>
  %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<11xf32>
  return %2 : tensor<11xf32>
}

// Behind an exponential, padding is ones. That zeros are added along another dimension does not change it.
// CHECK-LABEL: func.func @older_padding
func.func @older_padding(%arg0: tensor<7x8x7xf32>, %arg1: tensor<7x3xf32>) -> (tensor<8x7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}], unreduced={"x"}>}) {
  // CHECK: %[[EXP:.*]] = stablehlo.exponential %{{.*}} : tensor<8x8x7xf32>
  // CHECK: %[[PAD:.*]] = stablehlo.pad %[[EXP]], {{.*}} high = [0, 0, 1]
  // CHECK: %[[TO:.*]] = sdy.all_to_all [{"y"}: 1->2] %[[PAD]]
  // CHECK: %[[IOTA:.*]] = stablehlo.iota dim = 0
  // CHECK: %[[SEL:.*]] = stablehlo.select %{{.*}}, %[[TO]], %{{.*}} : tensor<8x8x8xi1>, tensor<8x8x8xf32>
  // CHECK: stablehlo.dot_general %[[SEL]],
  %0 = sdy.all_slice [{"x"}, {"y"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}, {}]> : tensor<7x8x7xf32>
  %1 = stablehlo.exponential %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}, {}]>]>} : tensor<7x8x7xf32>
  %2 = sdy.all_to_all [{"y"}: 1->2] %1 out_sharding=<@mesh, [{"x"}, {}, {"y"}]> : tensor<7x8x7xf32>
  %3 = sdy.all_slice [{"x"}, {}] %arg1 out_sharding=<@mesh, [{"x"}, {}]> : tensor<7x3xf32>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [0] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}, {}], unreduced={"x"}>]>} : (tensor<7x8x7xf32>, tensor<7x3xf32>) -> tensor<8x7x3xf32>
  %5 = sdy.all_gather [{}, {"y"}, {}] %4 out_sharding=<@mesh, [{}, {}, {}], unreduced={"x"}> : tensor<8x7x3xf32>
  return %5 : tensor<8x7x3xf32>
}

// Of a partial value every device masks its part: where the padding is, is known to all, and no partial value itself.
// Unlike the reference, which marks it as one.
// CHECK-LABEL: func.func @partial_value
func.func @partial_value(%arg0: tensor<8x7xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>}) {
  // CHECK: %[[DOT:.*]] = stablehlo.dot_general {{.*}}, unreduced={"x"}>]>} {{.*}} -> tensor<8xf32>
  // CHECK: %[[IOTA:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xi32>
  // CHECK: %[[LIMIT:.*]] = stablehlo.broadcast_in_dim {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>}
  // CHECK: %[[BELOW:.*]] = stablehlo.compare LT, %[[IOTA]], %[[LIMIT]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>}
  // CHECK: %[[FILL:.*]] = stablehlo.broadcast_in_dim {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>}
  // CHECK: stablehlo.select %[[BELOW]], %[[DOT]], %[[FILL]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>}
  %0 = sdy.all_slice [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x7xf32>
  %1 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>} : (tensor<8xf32>, tensor<8x7xf32>) -> tensor<7xf32>
  %2 = stablehlo.constant dense<3.0> : tensor<f32>
  %3 = stablehlo.pad %1, %2, low = [0], high = [3], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}], unreduced={"x"}>]>} : (tensor<7xf32>, tensor<f32>) -> tensor<10xf32>
  return %3 : tensor<10xf32>
}

// A constant without elements stays without.
// CHECK-LABEL: func.func @empty_constant
func.func @empty_constant() -> (tensor<0x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  // CHECK-NEXT: %[[C:.*]] = sdy.constant {{.*}} dense<> : tensor<0x8xi32>
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} dense<> : tensor<0x7xi32>
  %1 = sdy.all_gather [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<0x7xi32>
  %2 = stablehlo.constant dense<0> : tensor<i32>
  %3 = stablehlo.pad %1, %2, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<0x7xi32>, tensor<i32>) -> tensor<0x8xi32>
  return %3 : tensor<0x8xi32>
}

// A barrier that says nothing hands on what it gets; where nothing is said of what is returned either, that is gathered.
// CHECK-LABEL: func.func @behind_a_barrier
func.func @behind_a_barrier(%arg0: tensor<7xf32>, %arg1: tensor<i32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  // CHECK: %[[B:.*]] = sdy.propagation_barrier %{{.*}} allowed_direction=BACKWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<7xf32>
  // CHECK: %[[CASE:.*]] = "stablehlo.case"(%arg1)
  // CHECK-NEXT: %[[G:.*]] = sdy.all_gather [{"x"}] %[[B]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %[[G]] [0:7]
  // CHECK-NEXT: stablehlo.return %[[S]] : tensor<7xf32>
  %2 = "stablehlo.case"(%arg1) ({
    stablehlo.return %1 : tensor<7xf32>
  }) : (tensor<i32>) -> tensor<7xf32>
  // CHECK: %[[G:.*]] = sdy.all_gather [{"x"}] %[[B]] out_sharding=<@mesh, [{}]> : tensor<8xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.slice %[[G]] [0:7]
  // CHECK-NEXT: return %[[S]], %[[CASE]] : tensor<7xf32>, tensor<7xf32>
  return %1, %2 : tensor<7xf32>, tensor<7xf32>
}

// Padding that is never read may be anything.
// CHECK-LABEL: func.func @any_padding
func.func @any_padding(%arg0: tensor<7xf32>) -> tensor<8xf32> {
  // CHECK: %[[N:.*]] = stablehlo.negate
  // CHECK-NEXT: %[[P:.*]] = stablehlo.pad %[[N]], %{{.*}}, low = [0], high = [0], interior = [0] {sdy.any_padding, {{.*}}} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: sdy.all_gather [{"x"}] %[[P]]
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<7xf32>
  %2 = stablehlo.pad %1, %zero, low = [0], high = [1], interior = [0] {sdy.any_padding, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = sdy.all_gather [{"x"}] %2 out_sharding=<@mesh, [{}]> : tensor<8xf32>
  return %3 : tensor<8xf32>
}
