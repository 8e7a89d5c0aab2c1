// Batch norm: what is admitted, and for each constraint something that is not.
//
// RUN: sed 's/"stablehlo\./"unchecked./; s/"chlo\./"uchk./' %s > %t.mlir
// RUN: sdy-opt %t.mlir --allow-unregistered-dialect --load-pass-plugin=%S/Inputs/own_verifiers.py --verify-by-sdy --no-verify --verify-diagnostics -o %t

// One number for each feature.
func.func @batch_norm_training(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// No such dimension.
func.func @batch_norm_training_c1(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_training_c1)}}
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-01 : f32, feature_index = 3 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// Element types differ.
func.func @batch_norm_training_c2(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf64>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_training_c2)}}
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf64>, tensor<4xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// Of another number of features.
func.func @batch_norm_training_c3(%arg0: tensor<2x5x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_training_c3)}}
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x5x3xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// Of an unknown number, then of another one.
func.func @batch_norm_training_c3_2(%arg0: tensor<2x5x3xf32>, %arg1: tensor<?xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_training_c3)}}
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x5x3xf32>, tensor<?xf32>, tensor<4xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// The result has another shape.
func.func @batch_norm_training_c7(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_training_c7)}}
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x2xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// One number for each feature.
func.func @batch_norm_inference(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  return
}

// No such dimension.
func.func @batch_norm_inference_c1(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_inference_c1)}}
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 3 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  return
}

// Element types differ.
func.func @batch_norm_inference_c2(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf64>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_inference_c2)}}
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  return
}

// Of another number of features.
func.func @batch_norm_inference_c3(%arg0: tensor<2x5x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_inference_c3)}}
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x5x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  return
}

// Of an unknown number, then of another one.
func.func @batch_norm_inference_c3_2(%arg0: tensor<2x5x3xf32>, %arg1: tensor<?xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_inference_c3)}}
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x5x3xf32>, tensor<?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  return
}

// The result has another shape.
func.func @batch_norm_inference_c7(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{(batch_norm_inference_c7)}}
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x2xf32>
  return
}

// One number for each feature.
func.func @batch_norm_grad(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4x3xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// No such dimension.
func.func @batch_norm_grad_c1(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4x3xf32>) {
  // expected-error@+1 {{(batch_norm_grad_c1)}}
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 3 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// Element types differ.
func.func @batch_norm_grad_c2(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf64>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4x3xf32>) {
  // expected-error@+1 {{(batch_norm_grad_c2)}}
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// Of another number of features.
func.func @batch_norm_grad_c5(%arg0: tensor<2x5x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4x3xf32>) {
  // expected-error@+1 {{(batch_norm_grad_c5)}}
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x5x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// Of an unknown number, then of another one.
func.func @batch_norm_grad_c5_2(%arg0: tensor<2x5x3xf32>, %arg1: tensor<?xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4x3xf32>) {
  // expected-error@+1 {{(batch_norm_grad_c5)}}
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x5x3xf32>, tensor<?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// The result has another shape.
func.func @batch_norm_grad_c3(%arg0: tensor<2x?x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4x3xf32>) {
  // expected-error@+1 {{(batch_norm_grad_c3)}}
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 1.0e-01 : f32, feature_index = 1 : i64} : (tensor<2x?x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x2xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
