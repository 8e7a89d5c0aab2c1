// RUN: sdy-opt %s --split-input-file --verify-diagnostics

// When a mesh is well-formed: first one that is, then one that is not.

sdy.mesh @good = <["x"=1]>
// expected-error @+1 {{axis "x" has size 0, expected at least 1}}
sdy.mesh @size_zero = <["x"=0]>

// -----

sdy.mesh @good = <["x"=2]>
// expected-error @+1 {{axis "x" has size -2, expected at least 1}}
sdy.mesh @size_negative = <["x"=-2]>

// -----

sdy.mesh @good = <[], device_ids=[0]>
// expected-error @+1 {{device id -1 is negative}}
sdy.mesh @negative_device = <[], device_ids=[-1]>

// -----

sdy.mesh @good = <["x"=2], device_ids=[1, 0]>
// expected-error @+1 {{device id -1 is negative}}
sdy.mesh @negative_device_of_several = <["x"=2], device_ids=[1, -1]>

// -----

sdy.mesh @good = <[], device_ids=[7]>
// expected-error @+1 {{a mesh without axes takes at most one device id, got 2}}
sdy.mesh @two_devices_without_axes = <[], device_ids=[0, 1]>

// -----

sdy.mesh @good = <["x"=2, "y"=2]>
// expected-error @+1 {{axis "x" occurs twice in the mesh}}
sdy.mesh @axis_twice = <["x"=2, "x"=2]>

// -----

sdy.mesh @good = <["x"=2, "y"=1], device_ids=[1, 0]>
// expected-error @+1 {{axis "x" occurs twice in the mesh}}
sdy.mesh @axis_twice_with_devices = <["x"=2, "x"=1], device_ids=[1, 0]>

// -----

sdy.mesh @good = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
// expected-error @+1 {{2 device ids for a mesh of 4 devices}}
sdy.mesh @too_few_devices = <["x"=2, "y"=2], device_ids=[1, 0]>

// -----

sdy.mesh @good = <["x"=2], device_ids=[1, 0]>
// expected-error @+1 {{3 device ids for a mesh of 2 devices}}
sdy.mesh @too_many_devices = <["x"=2], device_ids=[2, 1, 0]>

// -----

sdy.mesh @good = <["x"=3], device_ids=[2, 0, 1]>
// expected-error @+1 {{device ids are no permutation of 0 to 2}}
sdy.mesh @no_permutation = <["x"=3], device_ids=[2, 0, 2]>

// -----

sdy.mesh @good = <["x"=3], device_ids=[0, 1, 2]>
// expected-error @+1 {{device ids are no permutation of 0 to 2}}
sdy.mesh @devices_from_one = <["x"=3], device_ids=[1, 2, 3]>

// -----

sdy.mesh @good = <["x"=3]>
// expected-error @+1 {{expected at least one device id}}
sdy.mesh @no_devices = <["x"=3], device_ids=[]>

// -----

func.func private @good() attributes {a = #sdy.mesh<["x"=2]>, b = #sdy<mesh_axis"x"=2>}
// expected-error @+1 {{axis "x" occurs twice in the mesh}}
func.func private @as_an_attribute() attributes {a = #sdy.mesh<["x"=2, "x"=2]>}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4, "z"=2, "u"=6]>
func.func @inlined(%arg0: tensor<8x8xf32>) {
  %good = sdy.reshard %arg0 <mesh<["x"=2], device_ids=[1, 0]>, [{"x"}, {}]> : tensor<8x8xf32>
  // expected-error @+1 {{device ids are no permutation of 0 to 1}}
  %bad = sdy.reshard %arg0 <mesh<["x"=2], device_ids=[1, 2]>, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
