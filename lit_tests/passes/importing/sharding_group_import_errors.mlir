// RUN: sdy-opt %s --sdy-sharding-group-import --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["a"=2]>

// A group does not reach into a manual computation.
func.func @crosses(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %arg0 group_id=3 : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}], replicated={"a"}>] out_shardings=[<@mesh, [{}], replicated={"a"}>] manual_axes={"a"} (%arg1: tensor<8xf32>) {
    // expected-error @+1 {{is in group 3, of which other values are in another manual computation}}
    sdy.sharding_group %arg1 group_id=3 : tensor<8xf32>
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Members of a group have the same shape, whatever their element type.
func.func @shapes(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xi32>, %arg2: tensor<4x8xf32>) {
  sdy.sharding_group %arg0 group_id=1 : tensor<8x4xf32>
  sdy.sharding_group %arg1 group_id=1 : tensor<8x4xi32>
  // expected-error @+1 {{is in group 1, of which other values have another shape}}
  sdy.sharding_group %arg2 group_id=1 : tensor<4x8xf32>
  return
}

// -----

// Ids count as written: groups that only a shared value would merge are not compared.
func.func @before_merging(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) {
  sdy.sharding_group %arg0 group_id=1 : tensor<8xf32>
  sdy.sharding_group %arg1 group_id=2 : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>

// A function that is called in a manual computation is in there.
func.func @called_inside(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %arg0 group_id=3 : tensor<8xf32>
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%arg1: tensor<8xf32>) {
    %1 = func.call @member(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func private @member(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{is in group 3, of which other values are in another manual computation}}
  sdy.sharding_group %arg0 group_id=3 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}
