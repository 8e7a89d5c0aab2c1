// RUN: sdy-opt %s --sdy-join-padded-parts | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The gradient of two halves, of which the second is the first summand.
// CHECK-LABEL: func.func @halves
func.func @halves(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32> {
  // CHECK:      %[[R:.*]] = stablehlo.concatenate %arg1, %arg0, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // CHECK-NEXT: return %[[R]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %zero, low = [8], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.pad %arg1, %zero, low = [0], high = [8], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
  return %2 : tensor<16xf32>
}

// Three parts with a gap, and another summand.
// CHECK-LABEL: func.func @gap
func.func @gap(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x32xf32> {
  // CHECK:      %[[ZEROS:.*]] = stablehlo.constant {{.*}}dense<0.000000e+00> : tensor<4x6xf32>
  // CHECK-NEXT: %[[END:.*]] = stablehlo.constant {{.*}}dense<0.000000e+00> : tensor<4x2xf32>
  // CHECK-NEXT: %[[JOINED:.*]] = stablehlo.concatenate %arg0, %arg0, %[[ZEROS]], %arg0, %[[END]], dim = 1
  // CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg1, %[[JOINED]]
  // CHECK-NEXT: return %[[R]]
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %zero, low = [0, 0], high = [0, 24], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x32xf32>
  %1 = stablehlo.pad %arg0, %zero, low = [0, 22], high = [0, 2], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x32xf32>
  %2 = stablehlo.pad %arg0, %zero, low = [0, 8], high = [0, 16], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x32xf32>
  %3 = stablehlo.add %arg1, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x32xf32>
  %4 = stablehlo.add %1, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x32xf32>
  %5 = stablehlo.add %4, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x32xf32>
  return %5 : tensor<4x32xf32>
}

// A sum that is needed itself is not taken apart.
// CHECK-LABEL: func.func @needed
func.func @needed(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16xf32>, tensor<16xf32>) {
  // CHECK-NOT: stablehlo.concatenate
  // CHECK:     return
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %zero, low = [8], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.pad %arg0, %zero, low = [0], high = [8], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.add %arg1, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
  %3 = stablehlo.add %2, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
  return %2, %3 : tensor<16xf32>, tensor<16xf32>
}

// Parts that overlap, that are padded with other numbers, or between whose elements something stands, are added up.
// CHECK-LABEL: func.func @others
func.func @others(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  // CHECK-NOT: stablehlo.concatenate
  // CHECK:     return
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %zero, low = [8], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.pad %arg0, %zero, low = [1], high = [7], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
  %3 = stablehlo.pad %arg0, %zero, low = [8], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %4 = stablehlo.pad %arg0, %one, low = [0], high = [8], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %5 = stablehlo.add %3, %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
  %6 = stablehlo.pad %arg0, %zero, low = [1], high = [0], interior = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %7 = stablehlo.pad %arg0, %zero, low = [0], high = [1], interior = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %8 = stablehlo.add %6, %7 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
  return %2, %5, %8 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// Every device has the parts, and takes of them what is its own.
// CHECK-LABEL: func.func @whole
func.func @whole(%arg0: tensor<8xf32>) -> tensor<16xf32> {
  // CHECK-NOT: stablehlo.concatenate
  // CHECK:     return
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %zero, low = [8], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.pad %arg0, %zero, low = [0], high = [8], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
  return %2 : tensor<16xf32>
}
