// RUN: sdy-opt %s --sdy-convert-async=to=restored --split-input-file --verify-diagnostics

// Marks that somebody has written by hand.

// expected-error @+1 {{has an attribute 'sdy.asynchronous' that sdy-convert-async does not write}}
module attributes {sdy.asynchronous = [["stablehlo.tanh", "f.py", "1"]]} {
}

// -----

module attributes {sdy.asynchronous = [["stablehlo.tanh", "f.py", "1", "2"]]} {
  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{has an attribute 'sdy.asynchronous' that sdy-convert-async does not write}}
    %0 = stablehlo.tanh %a {sdy.asynchronous = {number = 0 : i64, updates = "many"}} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
