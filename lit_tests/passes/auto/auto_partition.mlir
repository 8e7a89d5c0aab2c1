// RUN: sdy-opt %s --split-input-file --sdy-auto-partition='mesh=x:4 machine={flops=1e12 bandwidth=1e9 memory_bandwidth=1e11}' | filecheck %s

// A product of many rows is sharded along them: no device sends anything.
// CHECK:       sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:      %arg0: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
// CHECK-SAME:      %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
// CHECK-SAME:      -> (tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
func.func @rows(%x: tensor<4096x64xf32>, %w: tensor<64x64xf32>) -> tensor<4096x64xf32> {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
  // CHECK-NEXT: return %[[P]]
  return %0 : tensor<4096x64xf32>
}

// -----

// What the user says stays, and the rest is planned around it.
sdy.mesh @grid = <["x"=4]>
// CHECK-LABEL: func.func @given(
// CHECK-SAME:      %arg0: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"x"}]>},
// CHECK-SAME:      %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {}]>})
// CHECK-SAME:      -> (tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{"x"}, {}]>}) {
func.func @given(%x: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"x"}]>}, %w: tensor<64x64xf32>) -> tensor<4096x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
  return %0 : tensor<4096x64xf32>
}

// -----

// State that is donated comes back as it was; what a loop carries has one sharding.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME:      %arg0: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32}
// CHECK-SAME:      -> (tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
func.func @loop(%x: tensor<4096x64xf32> {tf.aliasing_output = 0 : i32}, %w: tensor<64x64xf32>) -> tensor<4096x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  // CHECK: stablehlo.while{{.*}} attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {}]>]>}
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4096x64xf32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      // CHECK: stablehlo.dot_general {{.*}}<@mesh, [{"x"}, {}]>
      %p = stablehlo.dot_general %v, %w, contracting_dims = [1] x [0]
          : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
      stablehlo.return %n, %p : tensor<i32>, tensor<4096x64xf32>
    }
  return %0#1 : tensor<4096x64xf32>
}
