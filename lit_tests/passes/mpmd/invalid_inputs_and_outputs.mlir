// RUN: sdy-opt %s --mpmd-map-input-output-to-mesh='input-assignment=1@m2 output-assignment=0@m3' --split-input-file --verify-diagnostics

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
// expected-error @+1 {{'main' has no argument 1, which is assigned to a mesh}}
func.func @main(%a: !t) -> !t attributes {topology = #topology} {
  return %a : !t
}

// -----

#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
!t = tensor<4xf32>
// expected-error @+1 {{result 0: mesh 'm3' is not in the topology, which has 'm1', 'm2'}}
func.func @main(%a: !t, %b: !t) -> !t attributes {topology = #topology} {
  return %a : !t
}
