// Shape functions of CHLO's ops: each question is answered with exactly the types that follow.
//
// RUN: sdy-opt %s --allow-unregistered-dialect --hlo-test-infer | filecheck %s

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @acos(
func.func @acos(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.acos"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @acosh(
func.func @acosh(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.acosh"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @asin(
func.func @asin(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.asin"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @asinh(
func.func @asinh(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.asinh"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @atan(
func.func @atan(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.atan"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @atanh(
func.func @atanh(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.atanh"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @conj(
func.func @conj(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.conj"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @cosh(
func.func @cosh(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.cosh"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @sinh(
func.func @sinh(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.sinh"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @square(
func.func @square(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.square"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @tan(
func.func @tan(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.tan"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @bessel_i1e(
func.func @bessel_i1e(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.bessel_i1e"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @digamma(
func.func @digamma(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.digamma"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @erf(
func.func @erf(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.erf"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @erf_inv(
func.func @erf_inv(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.erf_inv"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @erfc(
func.func @erfc(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.erfc"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @lgamma(
func.func @lgamma(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.lgamma"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xf32>) -> ()
  return
}

// The operand's type, with its bounds.
// CHECK-LABEL: func.func @_asin_acos_kernel(
func.func @_asin_acos_kernel(%arg0: tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo._asin_acos_kernel"(%arg0) : (tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 5>>) -> tensor<2x5xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  return
}

// Booleans, shaped as the operand.
// CHECK-LABEL: func.func @is_inf(
func.func @is_inf(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.is_inf"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi1, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xi1>) -> ()
  return
}

// Booleans, shaped as the operand.
// CHECK-LABEL: func.func @is_neg_inf(
func.func @is_neg_inf(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.is_neg_inf"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi1, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xi1>) -> ()
  return
}

// Booleans, shaped as the operand.
// CHECK-LABEL: func.func @is_pos_inf(
func.func @is_pos_inf(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 5>>) {
  %0 = "chlo.is_pos_inf"(%arg0) : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>) -> tensor<2x5xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi1, #stablehlo.bounds<?, 5>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x5xi1>) -> ()
  return
}

// What either operand knows.
// CHECK-LABEL: func.func @next_after(
func.func @next_after(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "chlo.next_after"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xf32>) -> ()
  return
}

// What either operand knows.
// CHECK-LABEL: func.func @polygamma(
func.func @polygamma(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "chlo.polygamma"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xf32>) -> ()
  return
}

// What either operand knows.
// CHECK-LABEL: func.func @zeta(
func.func @zeta(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>) {
  %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xf32>) -> ()
  return
}

// What either operand knows.
// CHECK-LABEL: func.func @mulhi(
func.func @mulhi(%arg0: tensor<2x?xi32>, %arg1: tensor<?x3xi32>) {
  %0 = "chlo.mulhi"(%arg0, %arg1) : (tensor<2x?xi32>, tensor<?x3xi32>) -> tensor<2x3xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3xi32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_add(
func.func @broadcast_add(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_atan2(
func.func @broadcast_atan2(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_divide(
func.func @broadcast_divide(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_maximum(
func.func @broadcast_maximum(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_minimum(
func.func @broadcast_minimum(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_multiply(
func.func @broadcast_multiply(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_next_after(
func.func @broadcast_next_after(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_polygamma(
func.func @broadcast_polygamma(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_power(
func.func @broadcast_power(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_remainder(
func.func @broadcast_remainder(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_shift_left(
func.func @broadcast_shift_left(%arg0: tensor<3x1xi32>, %arg1: tensor<2x?x5xi32>) {
  %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x?x5xi32>) -> tensor<2x3x5xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xi32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic(
func.func @broadcast_shift_right_arithmetic(%arg0: tensor<3x1xi32>, %arg1: tensor<2x?x5xi32>) {
  %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x?x5xi32>) -> tensor<2x3x5xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xi32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_shift_right_logical(
func.func @broadcast_shift_right_logical(%arg0: tensor<3x1xi32>, %arg1: tensor<2x?x5xi32>) {
  %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<3x1xi32>, tensor<2x?x5xi32>) -> tensor<2x3x5xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xi32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xi32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_subtract(
func.func @broadcast_subtract(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_and(
func.func @broadcast_and(%arg0: tensor<3x1xi1>, %arg1: tensor<2x?x5xi1>) {
  %0 = "chlo.broadcast_and"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x?x5xi1>) -> tensor<2x3x5xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xi1>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xi1>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_or(
func.func @broadcast_or(%arg0: tensor<3x1xi1>, %arg1: tensor<2x?x5xi1>) {
  %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x?x5xi1>) -> tensor<2x3x5xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xi1>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xi1>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_xor(
func.func @broadcast_xor(%arg0: tensor<3x1xi1>, %arg1: tensor<2x?x5xi1>) {
  %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<3x1xi1>, tensor<2x?x5xi1>) -> tensor<2x3x5xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xi1>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xi1>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_zeta(
func.func @broadcast_zeta(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xf32>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_complex(
func.func @broadcast_complex(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xcomplex<f32>>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xcomplex<f32>>) -> ()
  return
}

// Aligned at the last dimension, 1 becomes any size.
// CHECK-LABEL: func.func @broadcast_compare(
func.func @broadcast_compare(%arg0: tensor<3x1xf32>, %arg1: tensor<2x?x5xf32>) {
  %0 = "chlo.broadcast_compare"(%arg0, %arg1) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x1xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x5xi1>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x3x5xi1>) -> ()
  return
}

// The type of the value.
// CHECK-LABEL: func.func @constant(
func.func @constant() {
  %0 = "chlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2xf32>) -> ()
  return
}

// All three operands are broadcast.
// CHECK-LABEL: func.func @broadcast_select(
func.func @broadcast_select(%arg0: tensor<3x1xi1>, %arg1: tensor<2xf32>, %arg2: tensor<1x1xf32>) {
  %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<3x1xi1>, tensor<2xf32>, tensor<1x1xf32>) -> tensor<3x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x2xf32>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<3x2xf32>) -> ()
  return
}

// The largest numbers and where they are.
// CHECK-LABEL: func.func @top_k(
func.func @top_k(%arg0: tensor<?x8xf32, #stablehlo.bounds<3, ?>>) {
  %0:2 = "chlo.top_k"(%arg0) {k = 2 : i64} : (tensor<?x8xf32, #stablehlo.bounds<3, ?>>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<3, ?>>, types1 = tensor<?x2xi32, #stablehlo.bounds<3, ?>>} :
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x2xf32>) -> ()
  return
}

// The operand's shape, the number's type.
// CHECK-LABEL: func.func @constant_like(
func.func @constant_like(%arg0: tensor<2x?xf32>) {
  %0 = "chlo.constant_like"(%arg0) {value = 1 : i8} : (tensor<2x?xf32>) -> tensor<2x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi8>} :
  "hlo_test_infer.get_return_types"(%0) : (tensor<2x?xi8>) -> ()
  return
}

// The shape alone: terms in three groups, with a product for each.
// CHECK-LABEL: func.func @ragged_dot(
func.func @ragged_dot(%arg0: tensor<?x5xf32>, %arg1: tensor<5x7xf32>, %arg2: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<?x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<3x11x7xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?x7xindex>} :
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<3x11x7xf32>) -> ()
  return
}

// Outputs of all steps along the dimension, then what is carried on, as the body returns it.
// CHECK-LABEL: func.func @scan(
func.func @scan(%arg0: tensor<?x3xf32, #stablehlo.bounds<4, ?>>, %arg1: tensor<i32>) {
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
    ^bb0(%a0: tensor<3xf32>, %a1: tensor<i32>):
      stablehlo.return %a0, %a1 : tensor<3xf32>, tensor<i32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> (tensor<?x3xf32>, tensor<i32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32, #stablehlo.bounds<4, ?>>, types1 = tensor<i32>} :
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x3xf32>) -> ()
  return
}
