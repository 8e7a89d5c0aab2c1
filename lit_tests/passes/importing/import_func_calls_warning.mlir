// RUN: sdy-opt %s --sdy-import-func-calls --split-input-file --verify-diagnostics

func.func private @once(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @once(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A function that is called more than once is copied, which is said of the first such call alone.
func.func private @twice(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @twice(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // expected-warning @+1 {{@twice is called from several places}}
  %1 = call @twice(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @twice(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Of a file with several parts it is said once, as by upstream's tool.
func.func private @thrice(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @thrice(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @thrice(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
