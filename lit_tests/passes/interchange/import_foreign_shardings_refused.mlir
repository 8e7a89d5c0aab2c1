// RUN: sdy-opt %s --split-input-file --sdy-import-foreign-shardings --verify-diagnostics

// Every op with an attribute that no import reads is named.
// expected-error @+1 {{is sharded by 'xla.sdy.shards' alone, which is not supported: use 'sdy.sharding'}}
module attributes {mhlo.frontend_attributes = {xla.sdy.shards = "x"}} {
  // expected-error @+1 {{argument 0 is sharded by 'xla.sdy.shards' alone}}
  func.func @main(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.shards = "x"}}) -> tensor<8xf32> {
    // expected-error @+1 {{'stablehlo.add' op is sharded by 'xla.sdy.shards' alone}}
    %0 = stablehlo.add %arg0, %arg0 {mhlo.frontend_attributes = {xla.sdy.shards = "x"}} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Shardings that split nothing are not lost, and rules are read.
func.func @main(%arg0: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @f(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=8}>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

// A program with shardings of the dialect may have others.
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @f(%arg0) {mhlo.frontend_attributes = {xla.sdy.shards = "x"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
