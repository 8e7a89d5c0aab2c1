// RUN: sdy-opt %s --split-input-file --verify-diagnostics --xla-sdy-round-trip-import-shardy-attrs

// expected-error@+1 {{cannot read "{mesh = #sdy.mesh<[a=2]>}": }}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[a=2]>}"}} {
}

// -----

// expected-error@+1 {{expected a dictionary of meshes or its text in 'xla.sdy.meshes', got 1 : i32}}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = 1 : i32}} {
}

// -----

sdy.mesh @mesh = <["a"=2]>
// expected-error@+1 {{cannot read "#sdy.sharding<@mesh, [{>": }}
func.func @argument(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{>"}}) {
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @count(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{number of shardings (2) does not match that of values (1)}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{}]>]>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @result(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected a sharding on this custom call}}
  %0 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{argument 0: has the sharding "{devices=[2]<=[2]}" and the module none as strings}}
func.func @text_alone(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  return
}
