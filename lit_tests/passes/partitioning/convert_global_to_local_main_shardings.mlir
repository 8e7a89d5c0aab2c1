// RUN: sdy-opt %s --sdy-convert-global-to-local -split-input-file | filecheck %s

// A result without a sharding is recorded with that of the value that is returned, on whatever mesh that is.
// CHECK: module attributes {sdy.output_shardings = #sdy.sharding_per_value<[<mesh<["b"=2]>, [{}], replicated={"b"}>, <mesh<["a"=2]>, [{}]>]>, sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{}]>]>} {
sdy.mesh @first = <["a"=2]>
sdy.mesh @second = <["b"=2]>
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@second, [{}], replicated={"b"}>]>} : tensor<8xf32>
  %1 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A value in parts is gathered before it is returned: what is recorded is that every device has the whole of it.
// Unlike the reference, whose result does not verify.
// CHECK: module attributes {sdy.output_shardings = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{}]>]>, sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["b"=2]>, [{"b"}]>]>} {
sdy.mesh @first = <["a"=2]>
sdy.mesh @second = <["b"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@second, [{"b"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
