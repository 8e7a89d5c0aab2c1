// RUN: sdy-opt %s --sdy-user-priority-propagate | filecheck %s

sdy.mesh @mesh = <["a"=2, "b"=2]>

// Priorities in the list of a data-flow op whose results have edges mean nothing and stay; those of the edge count.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}]>}
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p2]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}p1]>]>} %arg0
  %0 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}p1]>]>} %arg0 : tensor<8xf32>
  // CHECK-NEXT: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"b", ?}]>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"b", ?}p1]> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.add %{{.*}}, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>}
  %2 = stablehlo.add %1, %arg1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
