// RUN: sdy-opt %s --sdy-import-func-calls --verify-diagnostics

// There is nothing to import from a declaration.
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{calls 'declared', which has no body of one block to import}}
  %0 = call @declared(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
