// RUN: sdy-opt %s --split-input-file --verify-diagnostics --xla-sdy-import-shardings

// expected-error@+2 {{argument 0: cannot read the sharding "{devices=[2,2}": expected ']' at column 14}}
// expected-error@+1 {{argument 1: device 1 occurs twice in the sharding "{devices=[2]1,1}"}}
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2}"}, %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]1,1}"}) {
  return
}

// -----

// expected-error@+1 {{argument 0: sharding has 3 dimensions, the value 2}}
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2,2]<=[8]}"}) {
  return
}

// -----

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{has 2 shardings for 1 values}}
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{{replicated}, {replicated}}"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

module attributes {mhlo.num_partitions = 8 : i32} {
  // expected-error@+1 {{argument 0: sharding is for 4 devices, the module has 8}}
  func.func @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    return
  }
}

// -----

// expected-error@+1 {{result 0: sharding is for 4 devices, that of others for 8}}
func.func @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}) -> (tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
  return %arg0 : tensor<8xf32>
}

// -----

func.func @main(%arg0: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}) -> tensor<6x6xf32> {
  // expected-error@+1 {{no mesh suits both "{devices=[3,2]<=[6]}" and "{devices=[2,3]<=[6]}"}}
  %0 = stablehlo.sine %arg0 {mhlo.sharding = "{devices=[3,2]<=[6]}"} : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// -----

// expected-error@+1 {{the devices of "{devices=[2,3]<=[2,3]T(1,0)}" are not a mesh: tiles 2x3 do not divide 3x2}}
func.func @main(%arg0: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[2,3]T(1,0)}"}) {
  return
}

// -----

// expected-error@+1 {{argument 0: sharding has 1 dimensions, the value 2}}
func.func @rank_of_named(%arg0: tensor<8x8xf32> {mhlo.sharding = "{mesh['a'=2], [{'a'}]}"}) -> tensor<8x8xf32> {
  return %arg0 : tensor<8x8xf32>
}

// -----

// A tuple of one is not one for all, and one for all has as many dimensions as each.
func.func @one_of_two(%arg0: tensor<8xf32>, %arg1: tensor<8x4xf32>) {
  // expected-error@+1 {{has 1 shardings for 2 values}}
  %0:2 = stablehlo.custom_call @f(%arg0, %arg0) {mhlo.sharding = "{{devices=[2]<=[2]}}"} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // expected-error@+1 {{sharding has 1 dimensions, the value 2}}
  %1:2 = stablehlo.custom_call @f(%arg0, %arg1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8x4xf32>)
  return
}
