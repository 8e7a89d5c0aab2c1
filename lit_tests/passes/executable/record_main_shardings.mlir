// RUN: sdy-opt %s --sdy-record-main-shardings | filecheck %s --check-prefix=RECORDED
// RUN: sdy-opt %s --sdy-record-main-shardings --sdy-close-shardings --sdy-convert-global-to-local | filecheck %s --check-prefix=LOCAL

// The shardings of main's arguments and results go to the module, replicated ones where there are none. The local
// conversion leaves them as they are, and removes the mark that they are there before it.
// RECORDED: module attributes {sdy.main_shardings_recorded, sdy.output_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x", ?}]>]>, sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x", ?}]>, <mesh<["x"=2]>, [{}, {}]>]>} {
// LOCAL: module attributes {sdy.output_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x", ?}]>]>, sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x", ?}]>, <mesh<["x"=2]>, [{}, {}]>]>} {
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %arg1: tensor<4x4xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) {
  return %arg0 : tensor<8xf32>
}
