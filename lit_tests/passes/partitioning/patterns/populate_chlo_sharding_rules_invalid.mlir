// RUN: sdy-opt %s --sdy-normalize-ops=enable-patterns=chlo-sharding-rules --split-input-file --verify-diagnostics

// Decompositions of what is no matrix.
func.func @eigenvectors(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{does not fit its sharding rule: operand 0 has rank 1, a matrix was expected}}
  %0:2 = stablehlo.custom_call @Eigh(%arg0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8xf32>
}
