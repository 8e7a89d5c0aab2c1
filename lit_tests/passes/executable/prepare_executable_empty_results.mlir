// RUN: sdy-opt %s --sdy-prepare-executable=embedded=true | filecheck %s

// Of results without elements all devices have the whole, unless it is said how they are sharded.
sdy.mesh @mesh = <["x"=4]>

// CHECK: func.func @main(%arg0: tensor<0x8xf32>) -> (tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
// CHECK-SAME: tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}]>}, tensor<4xf32>)
func.func @main(%arg0: tensor<0x8xf32>)
    -> (tensor<0x8xf32>, tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}]>}, tensor<4xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  return %arg0, %arg0, %c : tensor<0x8xf32>, tensor<0x8xf32>, tensor<4xf32>
}
