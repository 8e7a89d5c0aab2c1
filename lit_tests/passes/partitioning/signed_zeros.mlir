// RUN: sdy-opt %s --sdy-resolve-single-device-sharding=signed-zeros=true --sdy-convert-global-to-local=signed-zeros=true | filecheck %s

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @device_1 = <[], device_ids=[1]>

// The other device adds zero bits.
// CHECK-LABEL: func.func @on_a_device
func.func @on_a_device(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[IF:.*]] = "stablehlo.if"
  // CHECK: %[[NOTHING:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.return %[[NOTHING]]
  // CHECK: %[[BITS:.*]] = stablehlo.bitcast_convert %[[IF]] : (tensor<8xf32>) -> tensor<8xi32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[BITS]])
  // CHECK: %[[NUMBERS:.*]] = stablehlo.bitcast_convert %[[SUM]] {{.*}} : (tensor<8xi32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[NUMBERS]]
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : tensor<8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Of a type whose bits are not added up the other device adds -0.0.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%arg0: tensor<8xbf16>) -> tensor<8xbf16> {
  // CHECK: stablehlo.constant dense<-0.000000e+00> : tensor<8xbf16>
  // CHECK: "stablehlo.all_reduce"({{.*}}) {{.*}}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : tensor<8xbf16>
  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xbf16>
  return %1 : tensor<8xbf16>
}

// What the first device starts from may be -0.0.
// CHECK-LABEL: func.func @scatter
func.func @scatter(%input: tensor<8xf32>, %indices: tensor<4x1xi32>,
    %updates: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[NEUTRAL:.*]] = stablehlo.broadcast_in_dim %[[ZERO]]
  // CHECK: stablehlo.select %{{.*}}, %arg0, %[[NEUTRAL]]
  %0 = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
    : (tensor<8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A sum from 0 is never -0.0, so each device may start from 0.
// CHECK-LABEL: func.func @scatter_into_zeros
func.func @scatter_into_zeros(%indices: tensor<4x1xi32>,
    %updates: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NOT: stablehlo.select
  // CHECK: %[[ZEROS:.*]] = stablehlo.broadcast_in_dim
  // CHECK-NOT: stablehlo.select
  // CHECK: "stablehlo.scatter"(%[[ZEROS]], %{{.*}}, %arg1)
  // CHECK: "stablehlo.all_reduce"
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %input = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %0 = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
    : (tensor<8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The largest of numbers is the same however often one of them is looked at.
// CHECK-LABEL: func.func @largest
func.func @largest(%input: tensor<8xf32>, %indices: tensor<4x1xi32>,
    %updates: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NOT: stablehlo.select
  // CHECK: "stablehlo.scatter"(%arg0, %{{.*}}, %arg2)
  %0 = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
    : (tensor<8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
