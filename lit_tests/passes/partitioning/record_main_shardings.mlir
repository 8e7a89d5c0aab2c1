// RUN: sdy-opt %s --sdy-record-main-shardings | filecheck %s
// RUN: sdy-opt %s --sdy-record-main-shardings --sdy-close-shardings --sdy-convert-global-to-local | filecheck %s

// The shardings of main's arguments and results go to the module, replicated ones where there are none. The local
// conversion leaves them as they are.
// CHECK: module attributes {sdy.output_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x", ?}]>]>, sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x", ?}]>, <mesh<["x"=2]>, [{}, {}]>]>} {
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %arg1: tensor<4x4xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) {
  return %arg0 : tensor<8xf32>
}
