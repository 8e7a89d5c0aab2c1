// RUN: sdy-opt %s --sdy-resolve-permutation-factors --split-input-file --verify-diagnostics

// Where a device's part begins among what it has fetched is a number of 32 bits.
sdy.mesh @mesh = <["x"=2]>
func.func @long_slice(%arg0: tensor<8589934592xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error @+1 {{which no number of type i32 is}}
  %0 = stablehlo.slice %arg0 [1:8589934591] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8589934592xi8>) -> tensor<8589934590xi8>
  return
}
