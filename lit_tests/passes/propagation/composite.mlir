// RUN: sdy-opt %s --sdy-populate-op-sharding-rules 2>&1 | filecheck %s --check-prefix=RULE
// RUN: sdy-opt %s --sdy-propagation-pipeline 2>/dev/null | filecheck %s

// What a composite does is read off its decomposition. If nothing comes of that, it is an op without a rule.
// RULE: warning: 'stablehlo.composite' op is an op without a known sharding rule

sdy.mesh @mesh = <["a"=2, "b"=2]>

// Dimensions that elementwise ops and broadcasts pass on correspond.
// RULE-LABEL: func.func @main
// RULE: composite "my.scale" {{.*}}#sdy.op_sharding_rule<([i, j], [j])->([i, j]) {i=8, j=4}>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}]>}
// CHECK: composite "my.scale" {{.*}}sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}, %y: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.composite "my.scale" %x, %y {decomposition = @scale} : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // A dimension that is reduced on the way stays to itself, on both sides.
  // RULE: composite "my.normalize" {{.*}}#sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=1, k=1}>
  // CHECK: composite "my.normalize" {{.*}}sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>
  %1 = stablehlo.composite "my.normalize" %x {decomposition = @normalize} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // Nothing is known about the ops in here, so nothing passes through.
  // RULE: composite "my.unknown" %arg0 {decomposition = @unknown} :
  // CHECK: composite "my.unknown" %{{[0-9a-z]+}} {decomposition = @unknown} :
  %2 = stablehlo.composite "my.unknown" %x {decomposition = @unknown} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

func.func private @scale(%x: tensor<8x4xf32>, %y: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

func.func private @normalize(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.divide %x, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

func.func private @unknown(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.custom_call @sdy_testonly(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
