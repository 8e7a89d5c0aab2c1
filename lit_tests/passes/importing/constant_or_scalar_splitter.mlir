// RUN: sdy-opt %s --sdy-constant-or-scalar-splitter --split-input-file | filecheck %s
// RUN: sdy-opt %s --sdy-constant-splitter --split-input-file | filecheck %s

sdy.mesh @mesh = <["a"=2]>

// Every use of a constant gets its own; attributes come along.
// CHECK-LABEL: func.func @uses(
func.func @uses(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>, tag = "t"} dense<1.000000e+00> : tensor<8x8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>, tag = "t"} dense<1.000000e+00> : tensor<8x8xf32>
  // CHECK-NEXT: %[[CONSTANT_2:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>, tag = "t"} dense<1.000000e+00> : tensor<8x8xf32>
  // CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot %[[CONSTANT]], %[[CONSTANT_1]] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[DOT]] : tensor<8x8xf32>
  // CHECK-NEXT: %[[SUBTRACT:.*]] = stablehlo.subtract %[[ADD]], %[[CONSTANT_2]] : tensor<8x8xf32>
  // CHECK-NEXT: return %[[SUBTRACT]] : tensor<8x8xf32>
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>, tag = "t"} dense<1.0> : tensor<8x8xf32>
  %1 = stablehlo.dot %0, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %arg0, %1 : tensor<8x8xf32>
  %3 = stablehlo.subtract %2, %0 : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// Elements of any type.
// CHECK-LABEL: func.func @complex_elements(
func.func @complex_elements(%arg0: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant {tag = "t"} dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<f32>>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant {tag = "t"} dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<f32>>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[CONSTANT]] : tensor<4xcomplex<f32>>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[ADD]], %[[CONSTANT_1]] : tensor<4xcomplex<f32>>
  // CHECK-NEXT: return %[[MULTIPLY]] : tensor<4xcomplex<f32>>
  %0 = stablehlo.constant {tag = "t"} dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  %1 = stablehlo.add %arg0, %0 : tensor<4xcomplex<f32>>
  %2 = stablehlo.multiply %1, %0 : tensor<4xcomplex<f32>>
  return %2 : tensor<4xcomplex<f32>>
}

// A constant that nobody uses goes, one that is returned stays.
// CHECK-LABEL: func.func @unused_and_returned(
func.func @unused_and_returned() -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<2.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return %[[CONSTANT]] : tensor<8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Pure elementwise ops, broadcasts, reshapes and slices of constants are split as a whole, iota included.
// CHECK-LABEL: func.func @sub_computation(
func.func @sub_computation(%arg0: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // CHECK-NEXT: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<16xi32>
  // CHECK-NEXT: %[[IOTA_1:.*]] = stablehlo.iota dim = 0 : tensor<16xi32>
  // CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %[[IOTA]] [0:8] : (tensor<16xi32>) -> tensor<8xi32>
  // CHECK-NEXT: %[[SLICE_1:.*]] = stablehlo.slice %[[IOTA_1]] [0:8] : (tensor<16xi32>) -> tensor<8xi32>
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<3> : tensor<8xi32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<3> : tensor<8xi32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[SLICE]], %[[CONSTANT]] : tensor<8xi32>
  // CHECK-NEXT: %[[ADD_1:.*]] = stablehlo.add %[[SLICE_1]], %[[CONSTANT_1]] : tensor<8xi32>
  // CHECK-NEXT: %[[RESHAPE:.*]] = stablehlo.reshape %[[ADD]] : (tensor<8xi32>) -> tensor<1x8xi32>
  // CHECK-NEXT: %[[RESHAPE_1:.*]] = stablehlo.reshape %[[ADD_1]] : (tensor<8xi32>) -> tensor<1x8xi32>
  // CHECK-NEXT: %[[BROADCAST:.*]] = stablehlo.broadcast_in_dim %[[RESHAPE]], dims = [0, 1] : (tensor<1x8xi32>) -> tensor<4x8xi32>
  // CHECK-NEXT: %[[BROADCAST_1:.*]] = stablehlo.broadcast_in_dim %[[RESHAPE_1]], dims = [0, 1] : (tensor<1x8xi32>) -> tensor<4x8xi32>
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %arg0, %[[BROADCAST]] : tensor<4x8xi32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[ADD_2]], %[[BROADCAST_1]] : tensor<4x8xi32>
  // CHECK-NEXT: return %[[MULTIPLY]] : tensor<4x8xi32>
  %0 = stablehlo.iota dim = 0 : tensor<16xi32>
  %1 = stablehlo.slice %0 [0:8] : (tensor<16xi32>) -> tensor<8xi32>
  %2 = stablehlo.constant dense<3> : tensor<8xi32>
  %3 = stablehlo.add %1, %2 : tensor<8xi32>
  %4 = stablehlo.reshape %3 : (tensor<8xi32>) -> tensor<1x8xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<4x8xi32>
  %6 = stablehlo.add %arg0, %5 : tensor<4x8xi32>
  %7 = stablehlo.multiply %6, %5 : tensor<4x8xi32>
  return %7 : tensor<4x8xi32>
}

// Other ops of constants are no constants: each takes a copy of its operand, and its own uses share it.
// CHECK-LABEL: func.func @not_preserving(
func.func @not_preserving(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
  // CHECK-NEXT: %[[TRANSPOSE:.*]] = stablehlo.transpose %[[CONSTANT]], dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[CONSTRAINT:.*]] = sdy.sharding_constraint %[[CONSTANT_1]] <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[TRANSPOSE]], %[[CONSTRAINT]] : tensor<8x8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[TRANSPOSE]], %[[CONSTRAINT]] : tensor<8x8xf32>
  // CHECK-NEXT: return %[[ADD]], %[[MULTIPLY]] : tensor<8x8xf32>, tensor<8x8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  %3 = stablehlo.add %1, %2 : tensor<8x8xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<8x8xf32>
  return %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}

// An op on a dynamic dimension is no constant if it may fail: one that gives it a size, or that has several operands.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%arg0: tensor<?x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<4x8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<4x8xf32>
  // CHECK-NEXT: %[[CONSTANT_2:.*]] = sdy.constant dense<1.000000e+00> : tensor<4x8xf32>
  // CHECK-NEXT: %[[CONSTANT_3:.*]] = sdy.constant dense<1.000000e+00> : tensor<4x8xf32>
  // CHECK-NEXT: %[[CONSTANT_4:.*]] = sdy.constant dense<1.000000e+00> : tensor<4x8xf32>
  // CHECK-NEXT: %[[CONVERT:.*]] = stablehlo.convert %[[CONSTANT]] : (tensor<4x8xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: %[[CONVERT_1:.*]] = stablehlo.convert %[[CONSTANT_1]] : (tensor<4x8xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: %[[CONVERT_2:.*]] = stablehlo.convert %[[CONSTANT_2]] : (tensor<4x8xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: %[[CONVERT_3:.*]] = stablehlo.convert %[[CONSTANT_3]] : (tensor<4x8xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: %[[CONVERT_4:.*]] = stablehlo.convert %[[CONSTANT_4]] : (tensor<4x8xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONVERT]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[NEGATE_1:.*]] = stablehlo.negate %[[CONVERT_1]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[NEGATE_2:.*]] = stablehlo.negate %[[CONVERT_2]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[NEGATE_3:.*]] = stablehlo.negate %[[CONVERT_3]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[NEGATE_4:.*]] = stablehlo.negate %[[CONVERT_4]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[NEGATE]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[ADD]], %[[NEGATE_1]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %[[NEGATE_2]] : (tensor<?x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[ADD_1:.*]] = stablehlo.add %[[NEGATE_3]], %[[NEGATE_4]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[SUBTRACT:.*]] = stablehlo.subtract %[[MULTIPLY]], %[[ADD_1]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[SUBTRACT_1:.*]] = stablehlo.subtract %[[SUBTRACT]], %[[ADD_1]] : tensor<?x8xf32>
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %[[SUBTRACT_1]], %[[ABS]] : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[MULTIPLY_1:.*]] = stablehlo.multiply %[[ADD_2]], %[[ABS]] : tensor<4x8xf32>
  // CHECK-NEXT: return %[[MULTIPLY_1]] : tensor<4x8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<4x8xf32>
  %1 = stablehlo.convert %0 : (tensor<4x8xf32>) -> tensor<?x8xf32>
  %2 = stablehlo.negate %1 : tensor<?x8xf32>
  %3 = stablehlo.add %arg0, %2 : tensor<?x8xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<?x8xf32>
  %5 = stablehlo.abs %2 : (tensor<?x8xf32>) -> tensor<4x8xf32>
  %6 = stablehlo.add %2, %2 : tensor<?x8xf32>
  %7 = stablehlo.subtract %4, %6 : tensor<?x8xf32>
  %8 = stablehlo.subtract %7, %6 : tensor<?x8xf32>
  %9 = stablehlo.add %8, %5 : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %10 = stablehlo.multiply %9, %5 : tensor<4x8xf32>
  return %10 : tensor<4x8xf32>
}

// A reshard and a barrier of a constant are constants.
// CHECK-LABEL: func.func @sdy_ops(
func.func @sdy_ops(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[RESHARD:.*]] = sdy.reshard %[[CONSTANT]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[RESHARD_1:.*]] = sdy.reshard %[[CONSTANT_1]] <@mesh, [{"a"}]> : tensor<8xf32>
  // CHECK-NEXT: %[[BARRIER:.*]] = sdy.propagation_barrier %[[RESHARD]] allowed_direction=FORWARD : tensor<8xf32>
  // CHECK-NEXT: %[[BARRIER_1:.*]] = sdy.propagation_barrier %[[RESHARD_1]] allowed_direction=FORWARD : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[BARRIER]] : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[ADD]], %[[BARRIER_1]] : tensor<8xf32>
  // CHECK-NEXT: return %[[MULTIPLY]] : tensor<8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = sdy.reshard %0 <@mesh, [{"a"}]> : tensor<8xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=FORWARD : tensor<8xf32>
  %3 = stablehlo.add %arg0, %2 : tensor<8xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<8xf32>
  return %4 : tensor<8xf32>
}

// Scalars are shared; their broadcasts are split, be they constant or not.
// CHECK-LABEL: func.func @scalars(
func.func @scalars(%arg0: tensor<f32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[BROADCAST:.*]] = stablehlo.broadcast_in_dim %[[CONSTANT]], dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[BROADCAST_1:.*]] = stablehlo.broadcast_in_dim %[[CONSTANT]], dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[BROADCAST_2:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[BROADCAST_3:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg1, %[[BROADCAST]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD_1:.*]] = stablehlo.add %[[ADD]], %[[BROADCAST_2]] : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[ADD_1]], %[[BROADCAST_3]] : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY_1:.*]] = stablehlo.multiply %[[MULTIPLY]], %[[BROADCAST_1]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %[[CONSTANT]], %arg0 : tensor<f32>
  // CHECK-NEXT: return %[[MULTIPLY_1]], %[[ADD_2]] : tensor<8xf32>, tensor<f32>
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.add %arg1, %1 : tensor<8xf32>
  %4 = stablehlo.add %3, %2 : tensor<8xf32>
  %5 = stablehlo.multiply %4, %2 : tensor<8xf32>
  %6 = stablehlo.multiply %5, %1 : tensor<8xf32>
  %7 = stablehlo.add %0, %arg0 : tensor<f32>
  return %6, %7 : tensor<8xf32>, tensor<f32>
}

// A broadcast scalar that goes, since nobody uses it, leaves the broadcast scalar that it was made from.
// CHECK-LABEL: func.func @dead_expansion_of_expansion(
func.func @dead_expansion_of_expansion(%arg0: tensor<f32>) {
  // CHECK-NEXT: %{{.*}} = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: return
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  return
}

// A broadcast scalar that is not a constant does not make its users constants.
// CHECK-LABEL: func.func @expansion_of_expansion(
func.func @expansion_of_expansion(%arg0: tensor<f32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[BROADCAST:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[BROADCAST]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[NEGATE]], %arg1 : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[NEGATE]], %[[ADD]] : tensor<8xf32>
  // CHECK-NEXT: return %[[MULTIPLY]] : tensor<8xf32>
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = stablehlo.add %1, %arg1 : tensor<8xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// Groups are copied with the value they are on.
// CHECK-LABEL: func.func @groups(
func.func @groups(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[CONSTANT]] group_id=1 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[CONSTANT]] group_id=2 : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[CONSTANT_1]] group_id=1 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[CONSTANT_1]] group_id=2 : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %[[CONSTANT]] : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[NEGATE]] group_id=4 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[NEGATE]] group_id=3 : tensor<8xf32>
  // CHECK-NEXT: %[[NEGATE_1:.*]] = stablehlo.negate %[[CONSTANT_1]] : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[NEGATE_1]] group_id=4 : tensor<8xf32>
  // CHECK-NEXT: sdy.sharding_group %[[NEGATE_1]] group_id=3 : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[NEGATE]] : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[ADD]], %[[NEGATE_1]] : tensor<8xf32>
  // CHECK-NEXT: return %[[MULTIPLY]] : tensor<8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  sdy.sharding_group %0 group_id=1 : tensor<8xf32>
  sdy.sharding_group %0 group_id=2 : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  sdy.sharding_group %1 group_id=3 : tensor<8xf32>
  sdy.sharding_group %1 group_id=4 : tensor<8xf32>
  %2 = stablehlo.add %arg0, %1 : tensor<8xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// A constant that only a group uses goes, and the group with it.
// CHECK-LABEL: func.func @only_grouped(
func.func @only_grouped(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0 : tensor<8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  sdy.sharding_group %0 group_id=1 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// What a region captures is copied outside of it.
// CHECK-LABEL: func.func @captured(
func.func @captured(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[CASE:.*]] = "stablehlo.case"(%arg1) ({
  // CHECK-NEXT:   %[[ADD:.*]] = stablehlo.add %arg0, %[[CONSTANT]] : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[ADD]] : tensor<8xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   %[[CONSTANT_2:.*]] = sdy.constant dense<2.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[ADD_1:.*]] = stablehlo.add %[[CONSTANT_2]], %[[CONSTANT_1]] : tensor<8xf32>
  // CHECK-NEXT:   stablehlo.return %[[ADD_1]] : tensor<8xf32>
  // CHECK-NEXT: }) : (tensor<i32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[CASE]] : tensor<8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = "stablehlo.case"(%arg1) ({
    %2 = stablehlo.add %arg0, %0 : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }, {
    %2 = stablehlo.constant dense<2.0> : tensor<8xf32>
    %3 = stablehlo.add %2, %0 : tensor<8xf32>
    stablehlo.return %3 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// The body of a named computation is split on its own; a constant computation is split like an op.
// CHECK-LABEL: func.func @named_computations(
func.func @named_computations(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NAMED_COMPUTATION:.*]] = sdy.named_computation<"constant">() () {
  // CHECK-NEXT:   %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[MULTIPLY:.*]] = stablehlo.multiply %[[CONSTANT]], %[[CONSTANT]] : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[MULTIPLY]] : tensor<8xf32>
  // CHECK-NEXT: } : () -> tensor<8xf32>
  // CHECK-NEXT: %[[NAMED_COMPUTATION_1:.*]] = sdy.named_computation<"constant">() () {
  // CHECK-NEXT:   %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[MULTIPLY_1:.*]] = stablehlo.multiply %[[CONSTANT_1]], %[[CONSTANT_1]] : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[MULTIPLY_1]] : tensor<8xf32>
  // CHECK-NEXT: } : () -> tensor<8xf32>
  // CHECK-NEXT: %[[NAMED_COMPUTATION_2:.*]] = sdy.named_computation<"constant">() () {
  // CHECK-NEXT:   %[[CONSTANT_2:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[MULTIPLY_2:.*]] = stablehlo.multiply %[[CONSTANT_2]], %[[CONSTANT_2]] : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[MULTIPLY_2]] : tensor<8xf32>
  // CHECK-NEXT: } : () -> tensor<8xf32>
  // CHECK-NEXT: %[[NAMED_COMPUTATION_3:.*]] = sdy.named_computation<"not_constant">(%[[NAMED_COMPUTATION]]) (%arg1: tensor<8xf32>) {
  // CHECK-NEXT:   %[[CONSTANT_3:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[CONSTANT_4:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[REVERSE:.*]] = stablehlo.reverse %[[CONSTANT_3]], dims = [0] : tensor<8xf32>
  // CHECK-NEXT:   %[[MULTIPLY_3:.*]] = stablehlo.multiply %[[REVERSE]], %[[CONSTANT_4]] : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[MULTIPLY_3]] : tensor<8xf32>
  // CHECK-NEXT: } : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[NAMED_COMPUTATION_1]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD_1:.*]] = stablehlo.add %[[ADD]], %[[NAMED_COMPUTATION_3]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %[[ADD_1]], %[[NAMED_COMPUTATION_2]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD_3:.*]] = stablehlo.add %[[ADD_2]], %[[NAMED_COMPUTATION_3]] : tensor<8xf32>
  // CHECK-NEXT: return %[[ADD_3]] : tensor<8xf32>
  %0 = sdy.named_computation<"constant">() () {
    %6 = stablehlo.constant dense<1.0> : tensor<8xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<8xf32>
    sdy.return %7 : tensor<8xf32>
  } : () -> tensor<8xf32>
  %1 = sdy.named_computation<"not_constant">(%0) (%arg1: tensor<8xf32>) {
    %6 = stablehlo.constant dense<1.0> : tensor<8xf32>
    %7 = stablehlo.reverse %6, dims = [0] : tensor<8xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<8xf32>
    sdy.return %8 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.add %arg0, %0 : tensor<8xf32>
  %3 = stablehlo.add %2, %1 : tensor<8xf32>
  %4 = stablehlo.add %3, %0 : tensor<8xf32>
  %5 = stablehlo.add %4, %1 : tensor<8xf32>
  return %5 : tensor<8xf32>
}

// Groups are copied with their own value, not with the other results of its op.
// CHECK-LABEL: func.func @several_results(
func.func @several_results(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[NAMED_COMPUTATION:.*]]:2 = sdy.named_computation<"pair">() () {
  // CHECK-NEXT:   %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[CONSTANT]], %[[CONSTANT_1]] : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: } : () -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: sdy.sharding_group %[[NAMED_COMPUTATION]]#0 group_id=1 : tensor<8xf32>
  // CHECK-NEXT: %[[NAMED_COMPUTATION_1:.*]]:2 = sdy.named_computation<"pair">() () {
  // CHECK-NEXT:   %[[CONSTANT_2:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   %[[CONSTANT_3:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT:   sdy.return %[[CONSTANT_2]], %[[CONSTANT_3]] : tensor<8xf32>, tensor<8xf32>
  // CHECK-NEXT: } : () -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: sdy.sharding_group %[[NAMED_COMPUTATION_1]]#1 group_id=2 : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[NAMED_COMPUTATION]]#0, %arg0 : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[NAMED_COMPUTATION_1]]#1, %[[ADD]] : tensor<8xf32>
  // CHECK-NEXT: return %[[MULTIPLY]] : tensor<8xf32>
  %0:2 = sdy.named_computation<"pair">() () {
    %2 = stablehlo.constant dense<1.0> : tensor<8xf32>
    sdy.return %2, %2 : tensor<8xf32>, tensor<8xf32>
  } : () -> (tensor<8xf32>, tensor<8xf32>)
  sdy.sharding_group %0#0 group_id=1 : tensor<8xf32>
  sdy.sharding_group %0#1 group_id=2 : tensor<8xf32>
  %1 = stablehlo.add %0#0, %arg0 : tensor<8xf32>
  %2 = stablehlo.multiply %0#1, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// What a constant computation uses twice is copied once.
// CHECK-LABEL: func.func @shared_inside(
func.func @shared_inside(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %[[CONSTANT]], %[[CONSTANT]] : tensor<8xf32>
  // CHECK-NEXT: %[[ADD_1:.*]] = stablehlo.add %[[CONSTANT_1]], %[[CONSTANT_1]] : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %arg0, %[[ADD]] : tensor<8xf32>
  // CHECK-NEXT: %[[SUBTRACT:.*]] = stablehlo.subtract %[[MULTIPLY]], %[[ADD_1]] : tensor<8xf32>
  // CHECK-NEXT: return %[[SUBTRACT]] : tensor<8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  %2 = stablehlo.multiply %arg0, %1 : tensor<8xf32>
  %3 = stablehlo.subtract %2, %1 : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// A call of a constant function is split with the function and all that it calls; a call of another function is not.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[CALL:.*]] = call @constant_2() : () -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_1:.*]] = call @constant_5() : () -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_2:.*]] = call @elementwise_3(%[[CALL]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_3:.*]] = call @elementwise_6(%[[CALL_1]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[CALL_4:.*]] = call @not_constant() : () -> tensor<8xf32>
// CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[CALL_2]] : tensor<8xf32>
// CHECK-NEXT: %[[ADD_1:.*]] = stablehlo.add %[[ADD]], %[[CALL_3]] : tensor<8xf32>
// CHECK-NEXT: %[[ADD_2:.*]] = stablehlo.add %[[ADD_1]], %[[CALL_4]] : tensor<8xf32>
// CHECK-NEXT: %[[ADD_3:.*]] = stablehlo.add %[[ADD_2]], %[[CALL_4]] : tensor<8xf32>
// CHECK-NEXT: return %[[ADD_3]] : tensor<8xf32>
// CHECK-LABEL: func.func private @constant(
// CHECK-NEXT: %[[CALL:.*]] = call @inner_0() : () -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL]] : tensor<8xf32>
// CHECK-LABEL: func.func private @inner(
// CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<8xf32>
// CHECK-LABEL: func.func private @elementwise(
// CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: return %[[NEGATE]] : tensor<8xf32>
// CHECK-LABEL: func.func private @not_constant(
// CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %[[REVERSE:.*]] = stablehlo.reverse %[[CONSTANT]], dims = [0] : tensor<8xf32>
// CHECK-NEXT: return %[[REVERSE]] : tensor<8xf32>
// CHECK-LABEL: func.func private @inner_0(
// CHECK-SAME:  ) -> tensor<8xf32> attributes {sdy.original_func_name = "inner"}
// CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<8xf32>
// CHECK-LABEL: func.func private @inner_0_1(
// CHECK-SAME:  ) -> tensor<8xf32> attributes {sdy.original_func_name = "inner"}
// CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<8xf32>
// CHECK-LABEL: func.func private @constant_2(
// CHECK-SAME:  ) -> tensor<8xf32> attributes {sdy.original_func_name = "constant"}
// CHECK-NEXT: %[[CALL:.*]] = call @inner_0_1() : () -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL]] : tensor<8xf32>
// CHECK-LABEL: func.func private @elementwise_3(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "elementwise"}
// CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: return %[[NEGATE]] : tensor<8xf32>
// CHECK-LABEL: func.func private @inner_0_4(
// CHECK-SAME:  ) -> tensor<8xf32> attributes {sdy.original_func_name = "inner"}
// CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<8xf32>
// CHECK-LABEL: func.func private @constant_5(
// CHECK-SAME:  ) -> tensor<8xf32> attributes {sdy.original_func_name = "constant"}
// CHECK-NEXT: %[[CALL:.*]] = call @inner_0_4() : () -> tensor<8xf32>
// CHECK-NEXT: return %[[CALL]] : tensor<8xf32>
// CHECK-LABEL: func.func private @elementwise_6(
// CHECK-SAME:  %arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "elementwise"}
// CHECK-NEXT: %[[NEGATE:.*]] = stablehlo.negate %arg0 : tensor<8xf32>
// CHECK-NEXT: return %[[NEGATE]] : tensor<8xf32>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @constant() : () -> tensor<8xf32>
  %1 = call @elementwise(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @not_constant() : () -> tensor<8xf32>
  %3 = stablehlo.add %arg0, %1 : tensor<8xf32>
  %4 = stablehlo.add %3, %1 : tensor<8xf32>
  %5 = stablehlo.add %4, %2 : tensor<8xf32>
  %6 = stablehlo.add %5, %2 : tensor<8xf32>
  return %6 : tensor<8xf32>
}
func.func private @constant() -> tensor<8xf32> {
  %0 = call @inner() : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @inner() -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @elementwise(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @not_constant() -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// A declaration says nothing against being constant.
// CHECK-LABEL: func.func @declared_callee(
func.func @declared_callee(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CONSTANT:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[CONSTANT_1:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[CALL:.*]] = call @declared_0(%[[CONSTANT]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[CALL_1:.*]] = call @declared_1(%[[CONSTANT_1]]) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg0, %[[CALL]] : tensor<8xf32>
  // CHECK-NEXT: %[[MULTIPLY:.*]] = stablehlo.multiply %[[ADD]], %[[CALL_1]] : tensor<8xf32>
  // CHECK-NEXT: return %[[MULTIPLY]] : tensor<8xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = call @declared(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.add %arg0, %1 : tensor<8xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
// CHECK: func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
// CHECK: func.func private @declared_0(tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "declared"}
// CHECK: func.func private @declared_1(tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "declared"}
