// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// Manual computations: in each function first what is valid, then what is not.

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_in_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: has a sharding of rank 1 for a value of rank 2}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_out_shardings(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: uses axis "w", which the mesh does not have}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"w"}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_count(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: 1 values outside the body are 2 inside}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_axes_come_first(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: dimension 0 has a free axis before a manual one}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"y", "x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_divides(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: dimension 0 of size 8 cannot be cut into 6 equal parts along manual axes}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"u"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"u"} (%arg1: tensor<1x8xf32>) {
    sdy.return %arg1 : tensor<1x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_local_type(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: a value of type tensor<8x8xf32> is tensor<8x8xf32> inside the body, expected tensor<4x8xf32>}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_local_result(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: a value of type tensor<8x8xf32> is tensor<4x8xf32> inside the body, expected tensor<4x2xf32>}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @manual_on_one_device(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: a value of type tensor<8x8xf32> cannot be on a single device}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@one, []>] out_shardings=[<@one, []>] manual_axes={} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
sdy.mesh @other = <["x"=2]>
func.func @manual_common_mesh(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has shardings on different meshes}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@other, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_unknown_axis(%arg0: tensor<8x8xf32>) {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has manual axis "w", which the mesh does not have}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "w"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_twice(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{made manual here}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    // expected-error @+1 {{has manual axis "x", which is manual already}}
    %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg2: tensor<4x8xf32>) {
      sdy.return %arg2 : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_is_isolated(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-note @+1 {{required by region isolation constraints}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    // expected-error @+1 {{using value defined outside the region}}
    %0 = stablehlo.slice %arg0 [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
    sdy.return %0 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_has_a_block(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{expected region 0 to have 1 block(s) but got 0}}
  %bad = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>}> ({
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_terminator(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has a body that ends with 'stablehlo.return', expected 'sdy.return'}}
  %bad = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>}> ({
  ^bb0(%arg1: tensor<4x8xf32>):
    // expected-note @+1 {{it ends here}}
    "stablehlo.return"(%arg1) : (tensor<4x8xf32>) -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_lacks_axes(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{attribute "manual_axes" is expected but not provided}}
  %bad = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
  ^bb0(%arg1: tensor<4x8xf32>):
    "sdy.return"(%arg1) : (tensor<4x8xf32>) -> ()
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_operands_count(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: 1 values outside the body are 2 inside}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_in_shardings_count(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: has 2 shardings for 1 values}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_results_free_axis_first(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}, {}], replicated={"z"}>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{out_shardings: dimension 0 has a free axis before a manual one in <@mesh, [{"y", "x"}, {}]>}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"y", "x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_sub_axes_count(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y":(1)2}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"y", "x"} (%arg1: tensor<2x8xf32>) {
    %0 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    sdy.return %0 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{in_shardings: a value of type tensor<8x8xf32> is tensor<4x8xf32> inside the body, expected tensor<2x8xf32>}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y":(1)2}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"y", "x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_axes_unknown_without_use(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"u", "x", "u"} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has manual axis "w", which the mesh does not have}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"w"} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @reversed = <["x"=2], device_ids=[1, 0]>
func.func @manual_order_of_devices(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<mesh<["x"=2]>, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has shardings on different meshes}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@reversed, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
sdy.mesh @reversed = <["x"=2], device_ids=[1, 0]>
func.func @manual_meshes_may_differ_without_axes(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %good = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@reversed, [{}, {}]>] manual_axes={} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @+1 {{has shardings on different meshes}}
  %bad = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@reversed, [{}, {}]>] manual_axes={"x"} (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %good : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_without_shardings() {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"nowhere"} () {
    sdy.return
  } : () -> ()
  // expected-error @+1 {{in_shardings: has the sharding of no value, which can have neither dimensions nor axes, as <@mesh, [{}]>}}
  sdy.manual_computation() in_shardings=[<@mesh, [{}]>] out_shardings=[] manual_axes={"nowhere"} () {
    sdy.return
  } : () -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_encoding(%arg0: tensor<8xf32, "e">) {
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    sdy.return
  } : (tensor<8xf32, "e">) -> ()
  // expected-error @+1 {{in_shardings: a value of type tensor<8xf32, "e"> is tensor<4xf32, "e"> inside the body, expected tensor<4xf32>}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"} (%arg1: tensor<4xf32, "e">) {
    sdy.return
  } : (tensor<8xf32, "e">) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_dynamic(%arg0: tensor<?xf32>) {
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"} (%arg1: tensor<?xf32>) {
    sdy.return
  } : (tensor<?xf32>) -> ()
  // expected-error @+1 {{in_shardings: a value of type tensor<?xf32> is tensor<4xf32> inside the body, expected tensor<?xf32>}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    sdy.return
  } : (tensor<?xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @manual_token(%arg0: !stablehlo.token) {
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, []>] out_shardings=[] manual_axes={"x"} (%arg1: index) {
    sdy.return
  } : (!stablehlo.token) -> ()
  // expected-error @+1 {{in_shardings: has the sharding of a value without a shape, which can have neither dimensions nor axes, as <@mesh, [{}]>}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[] manual_axes={"x"} (%arg1: index) {
    sdy.return
  } : (!stablehlo.token) -> ()
  return
}
