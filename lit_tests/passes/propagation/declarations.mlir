// RUN: sdy-opt %s --sdy-user-priority-propagate | filecheck %s
// RUN: sdy-opt %s --sdy-basic-propagate='debug-sharding-origins=true' | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// There is nothing to propagate in a function without a body. Unlike the reference, which crashes.
// CHECK: func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) -> tensor<8xf32>
func.func private @declared(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) -> tensor<8xf32>

func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @declared(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
