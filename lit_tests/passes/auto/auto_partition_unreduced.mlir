// RUN: not sdy-opt %s --sdy-auto-partition 2>&1 | filecheck %s

sdy.mesh @mesh = <["x"=2]>

// CHECK: auto_partition_unreduced.mlir:[[# @LINE + 1]]:1: error: 'func.func' op has a sharding with unreduced axes, which automatic partitioning does not support
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
