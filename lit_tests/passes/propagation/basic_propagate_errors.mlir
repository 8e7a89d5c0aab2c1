// RUN: sdy-opt %s --sdy-basic-propagate --split-input-file --verify-diagnostics

// Propagation takes mesh symbols. Unlike here, the reference aborts.
// expected-error @-3 {{has shardings with inlined meshes; run 'sdy-lift-inlined-meshes' first}}
func.func @inlined(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A value is in one group at most. Unlike here, the reference aborts.
func.func @groups(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  // expected-error @+1 {{expected a value to be in one group, but this one is in 0, too}}
  sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// -----

// One of several functions has to be main. Unlike here, the reference aborts.
// expected-error @-22 {{expected a function named 'main', or exactly one function}}
func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func @g(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// A custom call that is pointwise by its name, but not by its types. Unlike here, the reference propagates to the
// dimensions that are there.
func.func @pointwise(%arg0: tensor<8x8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{does not fit its sharding rule: a value of rank 2 does not fit the first result of rank 1}}
  %0 = stablehlo.custom_call @MoveToHost(%arg0) : (tensor<8x8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// One whose operand is no matrix. Unlike here, the reference crashes.
func.func @eigenvectors(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{does not fit its sharding rule: operand 0 has rank 1, a matrix was expected}}
  %0:2 = stablehlo.custom_call @Eigh(%arg0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8xf32>
}

// -----

// The axes of a module in the module are not known outside. Unlike here, the reference aborts.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
module @nested {
  sdy.mesh @mesh = <["y"=4]>
  // expected-error @+1 {{unknown axis 'y' in the mesh '@mesh' of the outermost module}}
  func.func @nested(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Nor its meshes.
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
module @nested {
  sdy.mesh @mesh = <["y"=4]>
  func.func @unknown_mesh(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{unknown mesh '@mesh' in the outermost module}}
    %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
