// RUN: sdy-opt %s --sdy-update-non-divisible-input-output-shardings | filecheck %s --check-prefix=SAME
// RUN: sdy-opt %s --sdy-propagate-to-func-results | filecheck %s --check-prefix=SAME
// RUN: sdy-opt %s --sdy-verify-unreduced-axes | filecheck %s --check-prefix=SAME
// RUN: sdy-opt %s --sdy-close-shardings | filecheck %s --check-prefix=CLOSED
// RUN: sdy-opt %s --sdy-insert-explicit-reshards | filecheck %s --check-prefix=RESHARD

// Functions without a body are passed by, but calls of them are not, and shardings are closed everywhere. Unlike the
// reference, which crashes.

sdy.mesh @mesh = <["x"=2]>

// SAME: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>})
// CLOSED: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>})

// RESHARD-LABEL: func.func @main
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // RESHARD-NEXT: %[[ARG:.*]] = sdy.reshard %arg0 <@mesh, [{"x", ?}]> : tensor<8xf32>
  // RESHARD-NEXT: call @declared(%[[ARG]])
  %0 = call @declared(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
