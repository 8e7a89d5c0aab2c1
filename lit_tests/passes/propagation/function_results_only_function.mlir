// RUN: sdy-opt %s --sdy-basic-propagate | filecheck %s
// RUN: sdy-opt %s --sdy-basic-propagate='conservative-propagation=true' | filecheck %s

sdy.mesh @mesh = <["a"=4]>

// The only function of a module is the main one, whatever its name. Parts of axes get to its results even if they are
// to be avoided elsewhere; results that have no dimensions to share are passed by.
// CHECK-LABEL: func.func @only
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, ?}]>}
// CHECK-SAME:    -> (!stablehlo.token, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, ?}]>}, tensor<?xf32>)
func.func @only(%arg0: tensor<8xf32>, %arg1: !stablehlo.token, %arg2: tensor<?xf32>) -> (!stablehlo.token, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}]>}, tensor<8xf32>, tensor<?xf32>) {
  return %arg1, %arg0, %arg0, %arg2 : !stablehlo.token, tensor<8xf32>, tensor<8xf32>, tensor<?xf32>
}
