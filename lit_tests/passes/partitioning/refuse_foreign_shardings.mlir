// RUN: sdy-opt %s --split-input-file --sdy-refuse-foreign-shardings --verify-diagnostics

// Every op that has one is named.
// expected-error @+1 {{is sharded by 'xla.sdy.meshes' alone, which is not read: use 'sdy.sharding'}}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2]>}"}} {
  // expected-error @+3 {{argument 0 is sharded by 'xla.sdy.sharding' alone}}
  // expected-error @+2 {{argument 1 is sharded by 'mhlo.sharding' alone}}
  // expected-error @+1 {{result 0 is sharded by 'mhlo.sharding' alone}}
  func.func @main(
      %arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}]>"}},
      %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"})
      -> (tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
    // expected-error @+1 {{'stablehlo.add' op is sharded by 'mhlo.sharding' alone}}
    %0 = stablehlo.add %arg0, %arg1 {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Nothing is lost of shardings that split nothing, and rules are read.
func.func @main(%arg0: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @callback(%arg0) {mhlo.sharding = "{maximal device=0}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @f(%0) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=8}>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

// A program that has shardings of its own may have others.
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @f(%arg0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
