// RUN: sdy-opt %s --sdy-record-main-shardings --split-input-file --verify-diagnostics
// RUN: sdy-opt %s --sdy-partition-pipeline --split-input-file --verify-diagnostics

// What the module says already is a list of shardings.
// expected-error @+1 {{expected 'sdy.parameters_shardings' to be a list of 1 shardings, as many as @main has}}
module attributes {sdy.output_shardings = [], sdy.parameters_shardings = []} {
  func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}

// -----

// There is one for each result.
// expected-error @+1 {{expected 'sdy.output_shardings' to be a list of 2 shardings, as many as @main has}}
module attributes {sdy.output_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>, sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} {
  func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
  }
}
