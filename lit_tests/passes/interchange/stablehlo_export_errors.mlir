// RUN: sdy-opt %s --split-input-file --verify-diagnostics --xla-sdy-stablehlo-export-pipeline='enable-hlo-sharding-v3'

sdy.mesh @mesh = <["it's"=2]>
// expected-error@+1 {{the axis name "it's" has a quote or a backslash, which XLA's text cannot represent}}
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"it's"}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @twice(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}], replicated={"a"}>] out_shardings=[<@mesh, [{}], replicated={"a"}>] manual_axes={"a"} (%x: tensor<8xf32>) {
    %2 = func.call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}], replicated={"b"}>] out_shardings=[<@mesh, [{}], replicated={"b"}>] manual_axes={"b"} (%x: tensor<8xf32>) {
    // expected-error@+1 {{calls 'f', which is called with other manual axes as well}}
    %2 = func.call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %2 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
