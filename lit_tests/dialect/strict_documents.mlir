// RUN: sdy-opt %s --split-input-file --verify-diagnostics --strict-documents
// RUN: sdy-opt %s --split-input-file | filecheck %s

// What the documents on the dialect forbid and the C++ dialect takes is refused on demand.
// CHECK-COUNT-15: sdy.mesh

sdy.mesh @empty = <[]>
sdy.mesh @maximal = <[], device_ids=[0]>
// expected-note @+1 {{this one has 6}}
sdy.mesh @a = <["x"=2, "y"=3]>
// expected-error @+1 {{'sdy.mesh' op has 4 devices; all meshes of a module have the same number}}
sdy.mesh @b = <["x"=4]>

// -----

sdy.mesh @c = <["x"=2]>
module {
  // expected-note @+1 {{this one has 2}}
  sdy.mesh @a = <["x"=2]>
  // expected-error @+1 {{'sdy.mesh' op has 4 devices}}
  sdy.mesh @b = <["x"=4]>
}

// -----

// expected-error @+1 {{device ids in order, 0, 1, and so on, are to be left out}}
sdy.mesh @a = <["x"=2, "y"=2], device_ids=[0, 1, 2, 3]> // device_ids=[0, 1]
sdy.mesh @b = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>
// expected-error @+1 {{device ids in order}}
func.func @main(%0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4], device_ids=[0,1,2,3]>, [{"x"}]>}) { return }

// -----

sdy.mesh @a = <["x"=2]>
// expected-error @+1 {{'func.func' op argument 1 has a sharding along dimension 0 of size 0}}
func.func @main(%0: tensor<8xf32>, %1: tensor<0xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) { return }

// -----

sdy.mesh @a = <["x"=2]>
func.func @main(%0: tensor<0x2xf32> {sdy.sharding = #sdy.sharding<@a, [{?}, {"x"}]>}) {
  // expected-error @+1 {{'sdy.sharding_constraint' op has a sharding along dimension 0 of size 0}}
  %1 = sdy.sharding_constraint %0 <@a, [{"x"}, {}]> : tensor<0x2xf32>
  return
}

// -----

sdy.mesh @a = <["x"=2, "y"=2]>
sdy.mesh @b = <["y"=2, "x"=2]>
func.func @main(%0: tensor<8xf32>) {
  // expected-error @+1 {{'sdy.manual_computation' op has shardings on different meshes}}
  %1 = sdy.manual_computation(%0) in_shardings=[<@a, [{"x"}]>] out_shardings=[<@b, [{"x"}]>] manual_axes={} (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%0: tensor<8xf32>) {
  // expected-error @+1 {{out_shardings: <@a, [{"x"}]> neither shards along manual axis "y" nor is replicated along it}}
  %1 = sdy.manual_computation(%0) in_shardings=[<@a, [{"x"}], replicated={"y"}>] out_shardings=[<@a, [{"x"}]>] manual_axes={"x", "y"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%0: tensor<8xf32>) {
  // expected-error @+1 {{'sdy.manual_computation' op has manual axes that are not in the order of the mesh, "x", "y"}}
  %1 = sdy.manual_computation(%0) in_shardings=[<@a, [{"x", "y"}]>] out_shardings=[<@a, [{"x", "y"}]>] manual_axes={"y", "x"} (%arg1: tensor<2xf32>) {
    sdy.return %arg1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}
