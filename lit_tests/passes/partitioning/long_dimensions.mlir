// RUN: sdy-opt %s --sdy-pad-for-divisibility | filecheck %s --check-prefix=PAD
// RUN: sdy-opt %s --sdy-resolve-permutation-factors='exact-halos=true' | filecheck %s --check-prefix=EXCHANGE

// Places in dimensions of more elements than a number of 32 bits counts are computed in 64 bits.

sdy.mesh @mesh = <["x"=2]>

// The padding is told from the elements by an index.
// PAD-LABEL: func.func @masked
func.func @masked(%arg0: tensor<4294967299xi8>, %arg1: tensor<i8>) -> tensor<i8> {
  // PAD:      %[[INDEX:.*]] = stablehlo.iota dim = 0 {{.*}} : tensor<4294967300xi64>
  // PAD-NEXT: %[[C:.*]] = stablehlo.constant dense<4294967299> : tensor<i64>
  // PAD-NEXT: %[[SIZE:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = []
  // PAD-NEXT: %[[INSIDE:.*]] = stablehlo.compare LT, %[[INDEX]], %[[SIZE]]
  // PAD:      stablehlo.select %[[INSIDE]]
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<4294967299xi8>
  %1 = stablehlo.reduce(%0 init: %arg1) applies stablehlo.multiply across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"x"}>]>} : (tensor<4294967299xi8>, tensor<i8>) -> tensor<i8>
  return %1 : tensor<i8>
}

// Flags say which elements of windows are there.
// EXCHANGE-LABEL: func.func @flagged
func.func @flagged(%arg0: tensor<4294967296xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<i8>) -> tensor<4294967296xi8> {
  // EXCHANGE:      stablehlo.concatenate {{.*}} -> tensor<2147483650xi8>
  // EXCHANGE:      %[[POSITION:.*]] = stablehlo.convert %{{.*}} : (tensor<i32>) -> tensor<i64>
  // EXCHANGE-NEXT: %[[PART:.*]] = stablehlo.constant dense<2147483648> : tensor<i64>
  // EXCHANGE-NEXT: %[[BEGIN:.*]] = stablehlo.multiply %[[POSITION]], %[[PART]] : tensor<i64>
  // EXCHANGE-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i64>
  // EXCHANGE-NEXT: %[[FIRST:.*]] = stablehlo.subtract %[[BEGIN]], %[[ONE]] : tensor<i64>
  // EXCHANGE-NEXT: %[[ALL:.*]] = stablehlo.broadcast_in_dim %[[FIRST]], dims = []
  // EXCHANGE-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 {{.*}} : tensor<2147483650xi64>
  // EXCHANGE-NEXT: %[[PLACE:.*]] = stablehlo.add %[[IOTA]], %[[ALL]]
  // EXCHANGE:      %[[LAST:.*]] = stablehlo.constant {{.*}} dense<4294967295> : tensor<2147483650xi64>
  // EXCHANGE-NEXT: stablehlo.compare LE, %[[PLACE]], %[[LAST]]
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%arg2: tensor<i8>, %arg3: tensor<i8>):
    %1 = stablehlo.multiply %arg2, %arg3 : tensor<i8>
    %2 = stablehlo.add %1, %arg3 : tensor<i8>
    stablehlo.return %2 : tensor<i8>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4294967296xi8>, tensor<i8>) -> tensor<4294967296xi8>
  return %0 : tensor<4294967296xi8>
}

// Each device knows where the slice begins in its part.
// EXCHANGE-LABEL: func.func @summed
func.func @summed(%arg0: tensor<4294967296xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<i32>) -> tensor<2xi8> {
  // EXCHANGE:      %[[CLAMPED:.*]] = stablehlo.clamp %{{.*}}, %arg1, %{{.*}} : tensor<i32>
  // EXCHANGE-NEXT: %[[START:.*]] = stablehlo.convert %[[CLAMPED]] : (tensor<i32>) -> tensor<i64>
  // EXCHANGE-NEXT: sdy.manual_computation(%arg0, %[[START]]) {{.*}} (%{{.*}}: tensor<2147483648xi8>, %[[AT:.*]]: tensor<i64>) {
  // EXCHANGE:        %[[LOCAL:.*]] = stablehlo.subtract %[[AT]], %{{.*}} : tensor<i64>
  // EXCHANGE-NEXT:   %[[LAST:.*]] = stablehlo.constant dense<2147483646> : tensor<i64>
  // EXCHANGE-NEXT:   %[[NEAR:.*]] = stablehlo.clamp %{{.*}}, %[[LOCAL]], %[[LAST]] : tensor<i64>
  // EXCHANGE:        stablehlo.dynamic_slice %{{.*}}, %[[NEAR]], sizes = [2]
  %0 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<4294967296xi8>
  %1 = stablehlo.dynamic_slice %0, %arg1, sizes = [2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<4294967296xi8>, tensor<i32>) -> tensor<2xi8>
  return %1 : tensor<2xi8>
}

// Where a device's part begins among what it has fetched.
// EXCHANGE-LABEL: func.func @slice
func.func @slice(%arg0: tensor<8589934592xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<6000000000xi8> {
  // EXCHANGE:      %[[POSITION:.*]] = stablehlo.convert %{{.*}} : (tensor<i32>) -> tensor<i64>
  // EXCHANGE-NEXT: %[[BACK:.*]] = stablehlo.multiply %[[POSITION]], %{{.*}} : tensor<i64>
  // EXCHANGE-NEXT: %[[START:.*]] = stablehlo.add %[[BACK]], %{{.*}} : tensor<i64>
  // EXCHANGE-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<i64>
  // EXCHANGE-NEXT: %[[INSIDE:.*]] = stablehlo.maximum %[[START]], %[[ZERO]] : tensor<i64>
  // EXCHANGE-NEXT: stablehlo.dynamic_slice %{{.*}}, %[[INSIDE]], sizes = [3000000000] {{.*}} : (tensor<5000000000xi8>, tensor<i64>) -> tensor<3000000000xi8>
  %0 = stablehlo.slice %arg0 [2000000000:8000000000] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8589934592xi8>) -> tensor<6000000000xi8>
  return %0 : tensor<6000000000xi8>
}

// No window begins farther than one element away, whatever the sizes.
// EXCHANGE-LABEL: func.func @near
func.func @near(%arg0: tensor<8589934592xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8589934590xi8> {
  // EXCHANGE:      %[[START:.*]] = stablehlo.maximum %{{.*}}, %{{.*}} : tensor<i32>
  // EXCHANGE-NEXT: stablehlo.dynamic_slice %{{.*}}, %[[START]], sizes = [4294967295] {{.*}} : (tensor<4294967296xi8>, tensor<i32>) -> tensor<4294967295xi8>
  %0 = stablehlo.slice %arg0 [1:8589934591] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8589934592xi8>) -> tensor<8589934590xi8>
  return %0 : tensor<8589934590xi8>
}
