// RUN: sdy-opt %s --sdy-convert-global-to-local='enable-rgv3=false' | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Loop variables have the sharding of the loop's results.
// CHECK-LABEL: func.func @while
// CHECK-SAME: (%arg0: tensor<4xf32>{{.*}}, %arg1: tensor<i32>) -> (tensor<4xf32>{{.*}}) {
func.func @while(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<i32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[WHILE:.*]]:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<4xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>}
  // CHECK-NEXT: cond {
  // CHECK-NEXT: %[[CMP:.*]] = stablehlo.compare LT, %iterArg_0, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK-NEXT: stablehlo.return %[[CMP]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %iterArg {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  // CHECK-NEXT: stablehlo.return %[[NEGATE]], %iterArg_0 : tensor<4xf32>, tensor<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[WHILE]]#0 : tensor<4xf32>
  %0:2 = stablehlo.while(%a = %arg0, %b = %arg1) : tensor<8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>}
  cond {
    %1 = stablehlo.compare LT, %b, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    stablehlo.return %1, %b : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
}

// The body of a manual computation takes its place.
// CHECK-LABEL: func.func @manual_computation
// CHECK-SAME: (%arg0: tensor<4x2xf32>{{.*}}) -> (tensor<4x2xf32>{{.*}}) {
func.func @manual_computation(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x2xf32>
  // CHECK-NEXT: return %[[NEGATE]] : tensor<4x2xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%a: tensor<4x4xf32>) {
    %1 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// A call passes what the callee takes.
// CHECK-LABEL: func.func @call
// CHECK-SAME: (%arg0: tensor<4xf32>{{.*}}) -> (tensor<4xf32>{{.*}}) {
func.func @call(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[CALL:.*]] = call @callee(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[CALL]] : tensor<4xf32>
  %0 = call @callee(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The callee's own arguments become local.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%arg0: tensor<4xf32>{{.*}}) -> (tensor<4xf32>{{.*}}) {
func.func private @callee(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  // CHECK-NEXT: return %[[NEGATE]] : tensor<4xf32>
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A result that nobody uses stays as it came back.
// CHECK-LABEL: func.func @unused_result
func.func @unused_result(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: call @sharded_by_x(%arg0) {{.*}} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return
  %0 = call @sharded_by_x(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func private @sharded_by_x(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %arg0 : tensor<8xf32>
}

// The body of a scan over another dimension takes the local slices, and so do its constants, complex ones as well.
// CHECK-LABEL: func.func @scan
func.func @scan(%arg0: tensor<8x4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: chlo.scan(%arg0) inits (%arg1) dimension=0
  // CHECK-NEXT: ^bb0(%[[ROW:.*]]: tensor<2xcomplex<f32>>, %[[TOTAL:.*]]: tensor<2xcomplex<f32>>):
  // CHECK-NEXT: %[[TWO:.*]] = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<2xcomplex<f32>>
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[ROW]], %[[TOTAL]] : tensor<2xcomplex<f32>>
  // CHECK-NEXT: %[[NEXT:.*]] = stablehlo.multiply %[[SUM]], %[[TWO]] : tensor<2xcomplex<f32>>
  // CHECK-NEXT: stablehlo.return %[[NEXT]], %[[NEXT]] : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  %0:2 = "chlo.scan"(%arg0, %arg1) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%row: tensor<4xcomplex<f32>>, %total: tensor<4xcomplex<f32>>):
    %two = stablehlo.constant dense<(2.0, 0.0)> : tensor<4xcomplex<f32>>
    %1 = stablehlo.add %row, %total : tensor<4xcomplex<f32>>
    %2 = stablehlo.multiply %1, %two : tensor<4xcomplex<f32>>
    stablehlo.return %2, %2 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}]>]>} : (tensor<8x4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> (tensor<8x4xcomplex<f32>>, tensor<4xcomplex<f32>>)
  return %0#1 : tensor<4xcomplex<f32>>
}
